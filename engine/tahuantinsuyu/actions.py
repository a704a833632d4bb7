"""What a player may ask for in Tahuantinsuyu. Sites and regions go by their ids, two sites sorted as text."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import private

UNSEEN = "?"  # a card or marker that a redacted record does not name, or that a seat may not know


@dataclass(frozen=True, slots=True)
class LayCard:
    """Lay a sun card face down; which one is the seat's own secret until all have laid."""

    seat: int
    sector: str
    card: str = private("seat")


@dataclass(frozen=True, slots=True)
class BuildRoad:
    """Lay a road of the road action, or (`bought`) of the development action; `wild` by that card."""

    seat: int
    pair: tuple[str, str]
    wild: bool
    bought: bool


@dataclass(frozen=True, slots=True)
class Build:
    """Build on a site: `what` is city, temple, garrison or upgrade."""

    seat: int
    what: str
    at: str


@dataclass(frozen=True, slots=True)
class BuildTerrace:
    seat: int
    region: str


@dataclass(frozen=True, slots=True)
class Conquer:
    seat: int
    region: str


@dataclass(frozen=True, slots=True)
class GoOnPilgrimage:
    """`instead` is the action given up: roads or development."""

    seat: int
    kind: str
    instead: str


@dataclass(frozen=True, slots=True)
class EndTurn:
    seat: int


Order = BuildRoad | Build | BuildTerrace | Conquer | GoOnPilgrimage  # of a People turn that goes on
ACTIONS: tuple[type, ...] = (
    LayCard,
    BuildRoad,
    Build,
    BuildTerrace,
    Conquer,
    GoOnPilgrimage,
    EndTurn,
)
