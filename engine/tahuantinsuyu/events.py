"""What can have happened in Tahuantinsuyu: facts with everything in them, so that folding needs no rule."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.game import later, private

Standing = (
    tuple[int, ...] | None
)  # the seats from first to last after it; the first rules leave it to be reckoned


@dataclass(frozen=True, slots=True)
class SetUp:
    """Colours by seat and order tiles are drawn; everybody's first road lies (N-S1, N-S3)."""

    seats: int
    options: dict[str, Any]  # a match of the first editions may not name them
    colours: tuple[str, ...]
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PositionSet:
    """The match begins in a given position, in the referee's form."""

    position: dict[str, Any] | None = private(None)


@dataclass(frozen=True, slots=True)
class MarkersDealt:
    """Every region but the suyus has a marker, face down; `spare` are left over (N-S2)."""

    types: dict[str, str] | None = private(None)
    spare: tuple[str, ...] | None = private(None)


@dataclass(frozen=True, slots=True)
class MarkersTurned:
    """The markers of these regions lie face up now."""

    regions: tuple[str, ...]
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PizarroSetOut:
    """He will come after one of the four People phases of the Late Empire (N-V)."""

    phase: int | None = private(None)


@dataclass(frozen=True, slots=True)
class HandDealt:
    seat: int
    count: int
    cards: tuple[str, ...] | None = private("seat")


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """The black Inca moved to this place of the period table."""

    period: int
    step: int
    era: str
    phase: str


@dataclass(frozen=True, slots=True)
class LabourReceived:
    seat: int
    resources: int
    markers: int
    terraces: int
    labour: int  # all together


@dataclass(frozen=True, slots=True)
class AidGiven:
    giver: int
    taker: int
    labour: int


@dataclass(frozen=True, slots=True)
class OrderSet:
    """The seats by tile, tile 1 first (N-U1)."""

    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class CardAsked:
    seat: int


@dataclass(frozen=True, slots=True)
class CardLaid:
    seat: int
    sector: str
    card: str | None = private("seat")


@dataclass(frozen=True, slots=True)
class CardDrawn:
    """`refilled`: the pile was empty and the discards became the pile first."""

    seat: int
    refilled: bool
    card: str | None = private("seat")


@dataclass(frozen=True, slots=True)
class CardsTurned:
    """The sun cards of this phase are turned up, each in its sector."""

    sectors: tuple[str, ...]
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoadsDestroyed:
    seat: int
    roads: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class SupportGained:
    seat: int
    labour: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    """A People turn, with so many roads free."""

    seat: int
    roads: int


@dataclass(frozen=True, slots=True)
class RoadBuilt:
    """`names` are those of the two sites."""

    seat: int
    pair: tuple[str, str]
    names: tuple[str, str]
    wild: bool
    bought: bool
    cost: int


@dataclass(frozen=True, slots=True)
class CityFounded:
    seat: int
    at: str
    name: str
    cost: int
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class TempleBuilt:
    """`bonus` is the part of the points that a renowned site gives."""

    seat: int
    at: str
    name: str
    cost: int
    points: int
    bonus: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class GarrisonBuilt:
    seat: int
    at: str
    name: str
    cost: int
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class GarrisonUpgraded:
    """The garrison is a city now."""

    seat: int
    at: str
    name: str
    cost: int
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class TerraceBuilt:
    seat: int
    region: str
    cost: int
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class RegionConquered:
    """`extra`: by Rapid Expansion, besides the development action."""

    seat: int
    region: str
    type: str
    cost: int
    points: int
    extra: bool
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class PilgrimageMade:
    seat: int
    kind: str
    instead: str
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class TurnEnded:
    seat: int


@dataclass(frozen=True, slots=True)
class PizarroCame:
    """The People phase that just ended was the last."""

    phase: int


@dataclass(frozen=True, slots=True)
class SunCleared:
    """All sun cards went to the discards."""

    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EmpireScored:
    """What the Sapa Inca gives one player: how many of each count, and the points of all together."""

    seat: int
    terraces: int
    garrisons: int
    cities: int
    temples: int
    points: int
    standing: Standing = later(None)


@dataclass(frozen=True, slots=True)
class LabourReturned:
    seat: int
    labour: int


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """`standing` are the seats from first to last."""

    standing: tuple[int, ...]
    scores: tuple[int, ...]


EVENTS: tuple[type, ...] = (
    SetUp,
    PositionSet,
    MarkersDealt,
    MarkersTurned,
    PizarroSetOut,
    HandDealt,
    PhaseBegan,
    LabourReceived,
    AidGiven,
    OrderSet,
    CardAsked,
    CardLaid,
    CardDrawn,
    CardsTurned,
    RoadsDestroyed,
    SupportGained,
    TurnBegan,
    RoadBuilt,
    CityFounded,
    TempleBuilt,
    GarrisonBuilt,
    GarrisonUpgraded,
    TerraceBuilt,
    RegionConquered,
    PilgrimageMade,
    TurnEnded,
    PizarroCame,
    SunCleared,
    EmpireScored,
    LabourReturned,
    MatchEnded,
)
