"""What can have happened in Cuzco: facts with everything in them, so that folding needs no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.game import private


@dataclass(frozen=True, slots=True)
class SetUp:
    """The board is laid out and everybody has the pieces (C-S2, C-S3)."""

    seats: int
    options: dict[str, Any]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match begins in a given position, in the referee's form."""

    position: dict[str, Any] | None = private(None)


@dataclass(frozen=True, slots=True)
class HandDealt:
    seat: int
    count: int
    cards: tuple[str, ...] | None = private("seat")


@dataclass(frozen=True, slots=True)
class CardTurned:
    """A card from the pile lies open now; the old one, if any, went under it.

    `refilled`: the pile was empty and the discards became the pile first (C-D2).
    """

    card: str
    refilled: bool


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """`idle` turns in a row have just ended without a tile (C-E5)."""

    seat: int
    ap: int
    idle: int


@dataclass(frozen=True, slots=True)
class TilePlaced:
    """A tile lies on `at`, the village hex first; `level` is the height of its top."""

    seat: int
    tile: str
    at: tuple[str, ...]
    level: int
    cost: int


@dataclass(frozen=True, slots=True)
class PondClosed:
    """A pond is surrounded; `seat` stood highest around it, or nobody did."""

    basins: tuple[str, ...]
    seat: int | None
    points: int


@dataclass(frozen=True, slots=True)
class IncaEntered:
    seat: int
    at: str
    cost: int


@dataclass(frozen=True, slots=True)
class IncaLeft:
    seat: int
    at: str
    cost: int


@dataclass(frozen=True, slots=True)
class IncaMoved:
    seat: int
    origin: str
    to: str
    cost: int


@dataclass(frozen=True, slots=True)
class TempleBuilt:
    """`floors` are the values of the floors taken from the supply."""

    seat: int
    at: str
    value: int
    floors: tuple[int, ...]
    points: int
    cost: int


@dataclass(frozen=True, slots=True)
class TempleExpanded:
    seat: int
    at: str
    was: int
    value: int
    floors: tuple[int, ...]
    points: int
    cost: int


@dataclass(frozen=True, slots=True)
class BasinLaid:
    seat: int
    at: str
    cost: int


@dataclass(frozen=True, slots=True)
class OpenCardTaken:
    seat: int
    card: str
    cost: int


@dataclass(frozen=True, slots=True)
class CardDrawn:
    seat: int
    cost: int
    refilled: bool
    card: str | None = private("seat")


@dataclass(frozen=True, slots=True)
class TokenUsed:
    seat: int
    ap: int  # what it adds


@dataclass(frozen=True, slots=True)
class FestivalProposed:
    """`guests` are the others with an Inca in the city, in turn order."""

    seat: int
    at: str
    value: int
    open: str
    cards: tuple[str, ...]
    total: int
    guests: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class AnswerAsked:
    """A festival waits for `seat`, which has `total` FP of the `highest`."""

    seat: int
    total: int
    highest: int


@dataclass(frozen=True, slots=True)
class BidMade:
    seat: int
    cards: tuple[str, ...]
    total: int


@dataclass(frozen=True, slots=True)
class FestivalHeld:
    """`seat` agrees to share; `silent` where there was nothing else to say (C-F4)."""

    seat: int
    silent: bool


@dataclass(frozen=True, slots=True)
class DroppedOut:
    seat: int
    silent: bool


@dataclass(frozen=True, slots=True)
class FestivalEnded:
    """`hosts` held the festival and score `points` each; all cards played are discarded."""

    at: str
    hosts: tuple[int, ...]
    points: int
    discarded: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: int
    unused: int
    laid: bool


@dataclass(frozen=True, slots=True)
class LastRoundOpened:
    """By laying the last triple, or (`idle`) because nobody could lay a tile any more (C-E5)."""

    seat: int
    idle: bool


@dataclass(frozen=True, slots=True)
class CityScore:
    """One city in a final scoring: the seat stood there at `rank` 1 or 2."""

    at: str
    value: int
    rank: int
    points: int


@dataclass(frozen=True, slots=True)
class FinalScored:
    seat: int
    cities: tuple[CityScore, ...]
    points: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    winners: tuple[int, ...]
    scores: tuple[int, ...]


EVENTS: tuple[type, ...] = (
    SetUp,
    PositionSet,
    HandDealt,
    CardTurned,
    TurnBegan,
    TilePlaced,
    PondClosed,
    IncaEntered,
    IncaLeft,
    IncaMoved,
    TempleBuilt,
    TempleExpanded,
    BasinLaid,
    OpenCardTaken,
    CardDrawn,
    TokenUsed,
    FestivalProposed,
    AnswerAsked,
    BidMade,
    FestivalHeld,
    DroppedOut,
    FestivalEnded,
    TurnEnded,
    LastRoundOpened,
    FinalScored,
    MatchEnded,
)
