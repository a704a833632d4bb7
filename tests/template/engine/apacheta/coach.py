"""What a newcomer could do next, in a sentence, from what the seat sees."""

from __future__ import annotations

from engine.apacheta.view import View
from engine.core.sentence import Sentence, say

MUCH = 4  # stones on a cairn that are worth a heavy one


def coach(view: View) -> Sentence | None:
    """The stone to lay, by how much is to be won; None where nothing is asked."""
    if view.seat is None or view.seat not in view.to_act or not view.hand:
        return None
    won = view.cairn + view.seats
    if won < MUCH:
        return say(
            "Only {n} stones are to be won: lay your {stone} and keep the heavy ones.",
            n=won,
            stone=min(view.hand),
        )
    return say(
        "{n} stones are to be won: lay your {stone}, the heaviest you have.",
        n=won,
        stone=max(view.hand),
    )
