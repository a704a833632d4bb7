"""The bots that can be given a seat, and what they are called at the table."""

from __future__ import annotations

from engine.core.registry import bots, find
from engine.core.sentence import Sentence, say

CALLED = {
    "random": say("Random (bot)"),
    "steady": say("Steady (bot)"),
    "keen": say("Keen (bot)"),
}


def called(key: str) -> Sentence:
    return CALLED.get(key) or say("{key} (bot)", key=key)


def bots_for(game: str) -> dict[str, Sentence]:
    """The bots of a game by key."""
    return {key: called(key) for key in bots(find(game))}
