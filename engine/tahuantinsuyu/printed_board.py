"""The printed boards: sites, regions, road slots, wild segments, periods and cards, read from the data beside."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from engine.kit.masks import bits

Point = tuple[float, float]
SEATS = range(3, 5)
SECTORS = {  # N-U3: around the sun board, each between two colours
    3: ("orange-brown", "brown-green", "green-orange"),
    4: ("orange-blue", "blue-brown", "brown-green", "green-orange"),
}
PILGRIMAGES = ("local", "annual", "great")
WITHOUT_PILGRIMAGES = "early_decline"
DATA = {1: "tahuantinsuyu_{players}p.json", 2: "tahuantinsuyu_{players}p_2.json"}  # by edition


@dataclass(frozen=True, slots=True)
class Site:
    """A place that roads lead to; `regions` is the mask of those it touches."""

    id: str
    name: str
    kind: str
    bonus: int
    pilgrimage: str | None
    at: Point
    regions: int


@dataclass(frozen=True, slots=True)
class Region:
    id: str
    name: str
    colour: str | None  # of a suyu
    hand: bool  # marked for the gift of the gods
    polygon: tuple[Point, ...]
    marker: Point
    neighbours: int


@dataclass(frozen=True, slots=True)
class Edge:
    """Two sites that a road can join: a printed slot, or (`wild`) a segment for wild roads."""

    pair: tuple[str, str]
    ends: tuple[int, int]
    regions: int
    touched: int  # regions that its ends touch
    wild: bool
    along: bool  # runs along the border of its region
    colour: str | None  # whose starting road it is
    path: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Marker:
    """One type of culture marker."""

    type: str
    labour: int
    resistance: int
    points: int
    count: int


@dataclass(frozen=True, slots=True)
class Price:
    """What something costs, what it scores at once and what in each Sapa Inca phase."""

    labour: int
    points: int = 0
    sapa: int = 0
    income: int = 0


@dataclass(frozen=True, slots=True)
class Period:
    """One column of the period table. `aid`: what the first gives the last, and the second the third."""

    era: str
    name: str
    resources: int
    aid: tuple[int, int]
    phases: tuple[str, ...]
    skipped: bool  # in an early decline


@dataclass(frozen=True, eq=False)
class Board:
    """Everything printed for one number of players, with an index for each id. Masks have one bit an index."""

    players: int
    edition: int
    canvas: tuple[int, int]
    land: tuple[Point, ...]
    colours: tuple[str, ...]
    suyu_names: dict[str, str]
    exits: dict[str, int]  # the starting road of each colour
    sites: tuple[Site, ...]
    regions: tuple[Region, ...]
    edges: tuple[Edge, ...]  # the slots, then the wild segments
    markers: dict[str, Marker]
    periods: tuple[Period, ...]
    cards: dict[str, int]
    pilgrim_points: dict[str, int]
    prices: dict[str, Price]
    free_roads: int

    @cached_property
    def site_index(self) -> dict[str, int]:
        return {site.id: number for number, site in enumerate(self.sites)}

    @cached_property
    def region_index(self) -> dict[str, int]:
        return {region.id: number for number, region in enumerate(self.regions)}

    @cached_property
    def edge_index(self) -> dict[tuple[str, str], int]:
        return {edge.pair: number for number, edge in enumerate(self.edges)}

    @cached_property
    def sectors(self) -> tuple[str, ...]:
        return SECTORS[self.players]

    @cached_property
    def sectors_of(self) -> dict[str, tuple[int, ...]]:
        """The sectors beside each colour."""
        return {
            colour: tuple(n for n, sector in enumerate(self.sectors) if colour in sector.split("-"))
            for colour in self.colours
        }

    @cached_property
    def suyus(self) -> int:
        return mask(n for n, region in enumerate(self.regions) if region.colour)

    @cached_property
    def beside_suyus(self) -> int:
        return self.beside(self.suyus) & ~self.suyus

    @cached_property
    def hands_of_gods(self) -> int:
        return mask(n for n, region in enumerate(self.regions) if region.hand)

    @cached_property
    def slots(self) -> int:
        return mask(n for n, edge in enumerate(self.edges) if not edge.wild)

    @cached_property
    def borders(self) -> int:
        """The slots that run along the border of their region."""
        return mask(n for n, edge in enumerate(self.edges) if edge.along)

    @cached_property
    def segments(self) -> int:
        return mask(n for n, edge in enumerate(self.edges) if edge.wild)

    @cached_property
    def kinds(self) -> dict[str, int]:
        """The sites of each kind."""
        return {
            kind: mask(n for n, site in enumerate(self.sites) if site.kind == kind)
            for kind in ("cuzco", "huaca", "city", "garrison")
        }

    @cached_property
    def shrines(self) -> dict[str, int]:
        """The sites that each pilgrimage leads to (N-D9)."""
        return {
            kind: mask(n for n, site in enumerate(self.sites) if site.pilgrimage == kind)
            for kind in PILGRIMAGES
        }

    @cached_property
    def at_site(self) -> tuple[int, ...]:
        """The edges at each site."""
        found = [0] * len(self.sites)
        for number, edge in enumerate(self.edges):
            for end in edge.ends:
                found[end] |= 1 << number
        return tuple(found)

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The two sites of each edge, as a mask."""
        return tuple(mask(edge.ends) for edge in self.edges)

    @cached_property
    def crossing(self) -> dict[int, int]:
        """For each wild segment those that cross it (N-R6)."""
        wild = [(n, *self.line(n)) for n in bits(self.segments)]
        return {n: mask(m for m, c, d in wild if m != n and cross(a, b, c, d)) for n, a, b in wild}

    def line(self, edge: int) -> tuple[Point, Point]:
        a, b = self.edges[edge].ends
        return self.sites[a].at, self.sites[b].at

    def beside(self, regions: int) -> int:
        """The neighbours of these regions."""
        found = 0
        for region in bits(regions):
            found |= self.regions[region].neighbours
        return found

    def touched(self, sites: int) -> int:
        """The regions that these sites touch."""
        found = 0
        for site in bits(sites):
            found |= self.sites[site].regions
        return found

    def named_regions(self, regions: int) -> tuple[str, ...]:
        return tuple(self.regions[region].id for region in bits(regions))

    def pairs(self, edges: int) -> tuple[tuple[str, str], ...]:
        return tuple(sorted(self.edges[edge].pair for edge in bits(edges)))

    def deck(self, options: Mapping[str, Any]) -> tuple[str, ...]:
        """The sun cards of a game with these options, sorted (N-S4)."""
        left_out = {f"{kind}_pilgrimage" for kind in PILGRIMAGES}
        gone = left_out if options.get(WITHOUT_PILGRIMAGES) else set()
        cards = Counter({card: n for card, n in self.cards.items() if card not in gone})
        return tuple(sorted(cards.elements()))

    @cached_property
    def all_markers(self) -> tuple[str, ...]:
        """The types of all markers in the game, in the data's order (N-S2)."""
        fewer = self.players == SEATS[0]
        counts = Counter({m.type: m.count - fewer for m in self.markers.values()})
        return tuple(counts.elements())

    @cached_property
    def spare_markers(self) -> int:
        """How many are left over when every region but the suyus has one."""
        return len(self.all_markers) - len(self.regions) + self.players


# Reading the data


@cache
def board(players: int, edition: int) -> Board:
    """The board for so many players, as one edition prints it."""
    name = DATA[edition].format(players=players)
    text = files("engine.tahuantinsuyu").joinpath(name).read_text(encoding="utf-8")
    return build(json.loads(text), edition)


def build(data: dict[str, Any], edition: int) -> Board:
    """The board that a data file describes."""
    region_index = {region["id"]: number for number, region in enumerate(data["regions"])}
    sites = tuple(read_site(site, region_index) for site in data["sites"])
    edges = read_edges(data, sites, region_index)
    exits = {edge.colour: number for number, edge in enumerate(edges) if edge.colour}
    count = "count" if data["players"] > SEATS[0] else "threePlayers"
    return Board(
        players=data["players"],
        edition=edition,
        canvas=(data["canvas"][0], data["canvas"][1]),
        land=points(data["land"]),
        colours=tuple(data["colours"]),
        suyu_names={suyu["colour"]: suyu["name"] for suyu in data["suyus"]},
        exits=exits,
        sites=sites,
        regions=tuple(read_region(region, region_index) for region in data["regions"]),
        edges=edges,
        markers={marker["type"]: Marker(**marker) for marker in data["cultureMarkers"]},
        periods=tuple(read_periods(data["eras"])),
        cards={card["id"]: card[count] for card in data["sunCards"]},
        pilgrim_points={
            card["id"].removesuffix("_pilgrimage"): card["points"]
            for card in data["sunCards"]
            if "points" in card
        },
        prices={
            what: Price(**price) for what, price in data["costs"].items() if what != "freeRoads"
        },
        free_roads=data["costs"]["freeRoads"],
    )


def read_site(data: dict[str, Any], regions: dict[str, int]) -> Site:
    return Site(
        id=data["id"],
        name=data["name"],
        kind=data["kind"],
        bonus=data["templeBonus"],
        pilgrimage=data["pilgrimage"],
        at=(data["x"], data["y"]),
        regions=mask(regions[name] for name in data["regions"]),
    )


def read_region(data: dict[str, Any], regions: dict[str, int]) -> Region:
    return Region(
        id=data["id"],
        name=data["name"],
        colour=data["colour"],
        hand=data["divineHand"],
        polygon=points(data["polygon"]),
        marker=(data["marker"][0], data["marker"][1]),
        neighbours=mask(regions[name] for name in data["neighbours"]),
    )


def read_edges(
    data: dict[str, Any], sites: tuple[Site, ...], regions: dict[str, int]
) -> tuple[Edge, ...]:
    index = {site.id: number for number, site in enumerate(sites)}

    def edge(row: dict[str, Any], names: list[str], path: tuple[Point, ...], wild: bool) -> Edge:
        one, other = sorted((row["a"], row["b"]))
        a, b = index[one], index[other]
        return Edge(
            pair=(one, other),
            ends=(a, b),
            regions=mask(regions[name] for name in names),
            touched=sites[a].regions | sites[b].regions,
            wild=wild,
            along=row.get("alongBorder", False),
            colour=row.get("startOf"),
            path=path,
        )

    slots = [edge(row, [row["region"]], points(row["path"]), False) for row in data["roads"]]
    wild = [
        edge(row, row["regions"], (sites[index[row["a"]]].at, sites[index[row["b"]]].at), True)
        for row in data["wildSegments"]
    ]
    return (*slots, *wild)


def read_periods(eras: list[dict[str, Any]]) -> Iterator[Period]:
    for era in eras:
        aid = era["aid"] or {}
        for number, phases in enumerate(era["periods"]):
            yield Period(
                era=era["id"],
                name=era["name"],
                resources=era["resources"],
                aid=(aid.get("firstToLast", 0), aid.get("secondToThird", 0)),
                phases=tuple(phases),
                skipped=era.get("earlyDeclineSkips") == number,
            )


def points(rows: list[list[float]]) -> tuple[Point, ...]:
    return tuple((x, y) for x, y in rows)


# Masks and lines


def mask(numbers: Iterable[int]) -> int:
    found = 0
    for number in numbers:
        found |= 1 << number
    return found


def cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two straight lines meet other than in a common end."""
    turns = turn(a, b, c), turn(a, b, d), turn(c, d, a), turn(c, d, b)
    if 0 not in turns:
        return (turns[0] > 0) != (turns[1] > 0) and (turns[2] > 0) != (turns[3] > 0)
    common = {a, b} & {c, d}
    ends = ((c, a, b), (d, a, b), (a, c, d), (b, c, d))
    return any(
        not way and end not in common and between(end, one, other)
        for way, (end, one, other) in zip(turns, ends, strict=True)
    )


def turn(a: Point, b: Point, c: Point) -> float:
    """Whether the way from a over b to c turns left or right; 0 where it goes straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def between(point: Point, a: Point, b: Point) -> bool:
    return all(min(a[i], b[i]) <= point[i] <= max(a[i], b[i]) for i in (0, 1))
