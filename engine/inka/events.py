"""What can have happened in Inka: facts with everything in them, so that folding needs no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Cells = tuple[str, str]


@dataclass(frozen=True, slots=True)
class SetUp:
    """The hall is laid out with the destination lozenges and their statues (K-S2)."""

    seats: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match begins in a given position, in the referee's form."""

    position: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StartAsked:
    seat: int


@dataclass(frozen=True, slots=True)
class StartChosen:
    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class LozengeDrawn:
    """Chance gave `seat` this path lozenge to lay (K-S3)."""

    seat: int
    lozenge: str


@dataclass(frozen=True, slots=True)
class LozengeLaid:
    seat: int
    lozenge: str
    at: Cells


@dataclass(frozen=True, slots=True)
class TurnBegan:
    seat: int
    ap: int


@dataclass(frozen=True, slots=True)
class BlockadeLifted:
    """The seat's own blockade came off at the beginning of its turn, off `lozenge` if it stood on one (K-T1)."""

    seat: int
    at: str
    lozenge: str | None


@dataclass(frozen=True, slots=True)
class Carried:
    """A pawn that travelled with its half (K-L3)."""

    seat: int
    to: str


@dataclass(frozen=True, slots=True)
class LozengeMoved:
    """`how` is slide or turn; `symbol`: a destination lozenge, by the symbol under the pawn (K-W4)."""

    seat: int
    how: str
    lozenge: str
    origin: Cells
    to: Cells
    carried: tuple[Carried, ...]
    symbol: bool
    cost: int


@dataclass(frozen=True, slots=True)
class PawnWalked:
    seat: int
    origin: str
    to: str
    cost: int


@dataclass(frozen=True, slots=True)
class StatueTaken:
    seat: int
    lozenge: str
    cost: int


@dataclass(frozen=True, slots=True)
class PassageUsed:
    seat: int
    origin: str
    to: str
    cost: int


@dataclass(frozen=True, slots=True)
class BlockadeSet:
    seat: int
    at: str
    lozenge: str | None


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """`ended` turns of the match have now ended."""

    seat: int
    unused: int
    ended: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`escaped`: by a pawn on an exit (K-E1); else by the number of turns, with the `steps` to an exit (K-E2)."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    escaped: bool
    steps: tuple[int | None, ...]


EVENTS: tuple[type, ...] = (
    SetUp,
    PositionSet,
    StartAsked,
    StartChosen,
    LozengeDrawn,
    LozengeLaid,
    TurnBegan,
    BlockadeLifted,
    LozengeMoved,
    PawnWalked,
    StatueTaken,
    PassageUsed,
    BlockadeSet,
    TurnEnded,
    MatchEnded,
)
