"""Finds the games and their bots: every package beside `core` and `kit` that offers a GAME, and its BOTS."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import engine
from engine.core.bot import Bot, Insight, random
from engine.core.game import Game
from engine.core.puzzle import Puzzling
from engine.core.refusal import Unknown
from engine.core.sentence import brief, say


@cache
def games() -> dict[str, Game]:
    """All games by key, in alphabetical order."""
    found = (import_module(f"engine.{m.name}") for m in iter_modules(engine.__path__) if m.ispkg)
    return {game.key: game for game in (getattr(module, "GAME", None) for module in found) if game}


def find(key: object) -> Game:
    """The game of that key, or a sentence that names those there are."""
    if isinstance(key, str) and key in games():
        return games()[key]
    raise Unknown(
        say(
            "There is no game {key}; the games are {games}.",
            key=brief(key),
            games=", ".join(games()),
        )
    )


def bots(game: Game) -> dict[str, Bot]:
    """All bots that play a game, by name: `random`, those of its parent and its own."""
    found: dict[str, Bot] = {"random": random}
    for key in filter(None, (game.parent, game.key)):
        found |= getattr(import_module(f"engine.{key}"), "BOTS", {})
    return found


def insight(game: Game) -> Insight | None:
    """How the bots of a game see it, or those of its parent, if they can tell."""
    found: Insight | None = offered(game, "INSIGHT")
    return found


def puzzling(key: str) -> Puzzling | None:
    """What puzzles of a game ask for, if it has any."""
    found: Puzzling | None = offered(find(key), "PUZZLING")
    return found


def offered(game: Game, name: str) -> Any:
    """What the folder of a game offers under a name, or that of its parent."""
    homes = (import_module(f"engine.{key}") for key in (game.key, game.parent) if key)
    return next(filter(None, (getattr(home, name, None) for home in homes)), None)


def find_bot(game: Game, key: object) -> Bot:
    """The bot of that name, or a sentence that names those there are."""
    known = bots(game)
    if isinstance(key, str) and key in known:
        return known[key]
    raise Unknown(
        say(
            "There is no bot {key} for {game}; there are {bots}.",
            key=brief(key),
            game=game.name,
            bots=", ".join(known),
        )
    )
