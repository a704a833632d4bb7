"""The rules of a game for its players, as they stand beside its code."""

from __future__ import annotations

from importlib.resources import files

from engine.core.game import Game


def manual(game: Game) -> str:
    """The game's help in Markdown; its pictures are positions that the game can draw."""
    return files(f"engine.{game.key}").joinpath("help.md").read_text(encoding="utf-8")
