"""What a player may ask for in Cuzco. Hexes go by their names, cards by theirs."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PlaceTile:
    """Lay a tile; `at` names the village hex first, then the crops, sorted."""

    seat: int
    tile: str
    at: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EnterInca:
    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class LeaveInca:
    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class MoveInca:
    seat: int
    origin: str
    to: str


@dataclass(frozen=True, slots=True)
class BuildTemple:
    seat: int
    at: str
    value: int


@dataclass(frozen=True, slots=True)
class ExpandTemple:
    seat: int
    at: str
    value: int


@dataclass(frozen=True, slots=True)
class LayBasin:
    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class DrawOpen:
    seat: int


@dataclass(frozen=True, slots=True)
class DrawPile:
    seat: int


@dataclass(frozen=True, slots=True)
class UseToken:
    seat: int


@dataclass(frozen=True, slots=True)
class ProposeFestival:
    seat: int
    at: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Bid:
    seat: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Hold:
    seat: int


@dataclass(frozen=True, slots=True)
class Pass:
    seat: int


@dataclass(frozen=True, slots=True)
class EndTurn:
    seat: int


ACTIONS: tuple[type, ...] = (
    PlaceTile,
    EnterInca,
    LeaveInca,
    MoveInca,
    BuildTemple,
    ExpandTemple,
    LayBasin,
    DrawOpen,
    DrawPile,
    UseToken,
    ProposeFestival,
    Bid,
    Hold,
    Pass,
    EndTurn,
)
