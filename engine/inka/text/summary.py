"""What lies beside the board, in a few labelled facts for a page or a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Fact
from engine.core.sentence import Seat, Sentence, say

if TYPE_CHECKING:
    from engine.inka.view import View
NONE = say("none")


def summary(view: View) -> list[Fact]:
    """Whose turn it is, what everybody has taken, in order of play from there, and what is still to come."""
    first = view.turn.seat
    seats = (*range(first, view.seats), *range(first))
    return [*now(view), *(player(view, seat) for seat in seats), *coming(view)]


def now(view: View) -> list[Fact]:
    """What the one who is asked has to do, and to do it with."""
    if view.over:
        return []
    turn = say("Turn of {seat}", seat=Seat(view.turn.seat))
    if view.phase == "start":
        return [(turn, (say("choose a start cell"),))]
    if view.phase == "lay":
        lay = say("lay the lozenge {lozenge}", lozenge=view.drawn)
        return [(turn, (lay if view.drawn else say("a lozenge is drawn"),))]
    return [(turn, (say("{ap} AP left", ap=view.turn.ap), PAWN_ACTED[view.turn.pawn]))]


def left(view: View) -> Sentence | None:
    """The action points that are not spent yet."""
    return say("{ap} AP left", ap=view.turn.ap) if view.phase == "turn" else None


PAWN_ACTED = {
    False: say("path lozenges may be moved"),
    True: say("the pawn has acted, path lozenges rest"),
}


def player(view: View, seat: int) -> Fact:
    """Where a player stands and what is still to be fetched."""
    pawn, blockade = view.pawns[seat], view.blockades[seat]
    taken = ", ".join(view.taken[seat])
    said = [say("statues taken: {taken}", taken=taken) if taken else say("no statue taken yet")]
    if pawn:
        said.append(say("pawn on {cell}", cell=pawn))
        said.append(way(view.steps[seat]))
    if blockade:
        said.append(say("blockade on {cell}", cell=blockade))
    return say("{seat} has", seat=Seat(seat)), tuple(said)


def way(steps: int | None) -> Sentence:
    if steps is None:
        return say("no way to an exit now")
    return say("{n} step to an exit", "{n} steps to an exit", n=steps)


def coming(view: View) -> list[Fact]:
    """The lozenges to be drawn, or the turns left."""
    if view.over:
        return []
    if view.phase != "turn":
        return [(say("Lozenges still to be drawn"), view.undrawn or (NONE,))]
    left = view.last_turn - view.turn.ended
    return [(say("Turns until the match ends at the latest"), (str(left),))]
