"""What a player may ask for in Inka. Cells go by their names, h0's cell before h1's."""

from __future__ import annotations

from dataclasses import dataclass

Cells = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ChooseStart:
    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class LayLozenge:
    """Lay the lozenge that was drawn."""

    seat: int
    to: Cells


@dataclass(frozen=True, slots=True)
class MoveLozenge:
    """Slide or turn (`how`) a path lozenge; `symbol`: a destination lozenge, by the symbol under the pawn."""

    seat: int
    how: str
    lozenge: str
    to: Cells
    symbol: bool = False


@dataclass(frozen=True, slots=True)
class Walk:
    seat: int
    to: str


@dataclass(frozen=True, slots=True)
class TakeStatue:
    seat: int


@dataclass(frozen=True, slots=True)
class UsePassage:
    seat: int
    to: str


@dataclass(frozen=True, slots=True)
class SetBlockade:
    """Which ends the turn."""

    seat: int
    at: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    seat: int


ACTIONS: tuple[type, ...] = (
    ChooseStart,
    LayLozenge,
    MoveLozenge,
    Walk,
    TakeStatue,
    UsePassage,
    SetBlockade,
    EndTurn,
)
