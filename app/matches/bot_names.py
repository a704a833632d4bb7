"""The bots that can be given a seat, and what they are called at the table."""

from __future__ import annotations

from typing import Any

from app.platform import tables
from app.platform.errors import Forbidden
from engine.core.game import Game
from engine.core.registry import bots, find, find_bot
from engine.core.sentence import Sentence, say

CALLED = {
    "random": say("Random (bot)"),
    "steady": say("Steady (bot)"),
    "keen": say("Keen (bot)"),
    "master": say("Master (bot)"),
}


def bot_name(key: str) -> Sentence:
    return CALLED.get(key) or say("{key} (bot)", key=key)


def bots_for(game: str) -> dict[str, Sentence]:
    """The bots of a game by key."""
    return {key: bot_name(key) for key in bots(find(game))}


COSTLY = ("master",)  # bots that think for seconds: not for guests, of whom there may be any number


def check_bot(game: Game, key: Any, player: tables.Player) -> None:
    """Refuses a bot that the game does not have, or that this player may not ask for."""
    find_bot(game, key)
    if player.guest and key in COSTLY:
        raise Forbidden(say("Guests play the quicker bots; sign in to play against this one."))


PREFERRED = ("steady", "random")  # who plays on where nobody chose


def default_bot(game: Game) -> str:
    """Who plays on for a seat where nobody chose."""
    known = bots(game)
    return next(key for key in PREFERRED if key in known)


def default_bot_of(game: str) -> str:
    return default_bot(find(game))
