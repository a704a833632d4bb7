"""What can have happened in Apacheta: facts with everything in them, so that folding needs no rule.

A private field is known to one seat; or, where it names no seat, to nobody before the end. To everybody else it is
None: `state.evolve` folds it so, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.game import private


@dataclass(frozen=True, slots=True)
class SetUp:
    seats: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match begins in a given position, in the referee's form."""

    position: dict[str, Any] | None = private(None)


@dataclass(frozen=True, slots=True)
class StoneBuried:
    """Nobody has seen which."""

    stone: int | None = private(None)


@dataclass(frozen=True, slots=True)
class HandDealt:
    seat: int
    count: int
    stones: tuple[int, ...] | None = private("seat")


@dataclass(frozen=True, slots=True)
class StoneLaid:
    seat: int
    stone: int | None = private("seat")


@dataclass(frozen=True, slots=True)
class StonesTurned:
    """All have laid. The heaviest stone alone took the cairn for its `seat`; a tie leaves it lying."""

    stones: tuple[int, ...]  # by seat
    seat: int | None
    points: int


@dataclass(frozen=True, slots=True)
class StoneDrawn:
    seat: int
    stone: int | None = private("seat")


@dataclass(frozen=True, slots=True)
class StoneDug:
    """That somebody has dug, all can see; what they found and what lies there now, they alone."""

    seat: int
    cost: int
    buried: int | None = private("seat")
    stone: int | None = private("seat")


@dataclass(frozen=True, slots=True)
class BuriedTurned:
    """The last pass is behind all, and all show their hands; `points` by seat for the stones there that are as heavy."""

    stone: int
    hands: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchEnded:
    winners: tuple[int, ...]
    scores: tuple[int, ...]


EVENTS: tuple[type, ...] = (
    SetUp,
    PositionSet,
    StoneBuried,
    HandDealt,
    StoneLaid,
    StonesTurned,
    StoneDrawn,
    StoneDug,
    BuriedTurned,
    MatchEnded,
)
