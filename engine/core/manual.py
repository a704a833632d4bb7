"""The rules of a game for its players, as they stand beside its code."""

from __future__ import annotations

from importlib.resources import files

from engine.core.game import Game


def manual(game: Game, language: str = "en") -> str:
    """The game's help in Markdown (`help.md`, `help.fr.md` …); its pictures are positions that the game can draw."""
    folder = files(f"engine.{game.key}")
    told = folder.joinpath(f"help.{language}.md")
    found = told if told.is_file() else folder.joinpath("help.md")
    return found.read_text(encoding="utf-8")
