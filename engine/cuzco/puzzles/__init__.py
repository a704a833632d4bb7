"""Puzzles of Cuzco and Java: the most points with the action points that are left."""

from __future__ import annotations

from typing import Any

from engine.core.puzzle import Puzzling
from engine.core.sentence import Sentence, say
from engine.cuzco.puzzles.solve import solve
from engine.cuzco.state import State


def ask(view: Any) -> Sentence:
    return say(
        "What are the most points that you can make with the {ap} AP of this turn?", ap=view.turn.ap
    )


def unit(value: int) -> Sentence:
    return say("{n} point", "{n} points", n=value)


def gained(before: State, after: State, seat: int) -> int:
    return after.scores[seat] - before.scores[seat]


PUZZLING = Puzzling(ask=ask, unit=unit, value=gained, solve=solve)
