"""The parts of a turn, each with its verbs and how far it has come."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Part
from engine.core.sentence import say
from engine.inka.text.summary import PAWN_ACTED

if TYPE_CHECKING:
    from engine.inka.view import View


def parts(view: View) -> list[Part]:
    """The setup while it lasts, and the phases of a turn (K-T); once the pawn has acted the lozenges rest."""
    acted = view.phase == "turn" and view.turn.seat == view.seat and view.turn.pawn
    setup = [] if view.phase == "turn" else [Part(say("Setup"), ("start", "lay"))]
    return [
        *setup,
        Part(say("Path lozenges"), ("slide", "turn"), (PAWN_ACTED[True],) if acted else ()),
        Part(say("The pawn"), ("walk", "take", "passage", "symbol")),
        Part(say("End of the turn"), ("block", "end")),
    ]
