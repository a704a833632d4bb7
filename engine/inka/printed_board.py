"""The halls as they are printed: cells, lozenges, and every way a lozenge can slide or turn, worked out once.

A cell and a place (an ordered pair of neighbouring cells, h0 first) are numbers here; sets of cells are masks.
All halls have the same cells and the same lozenges; they differ in what is floor and where the signs are.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import compress
from typing import Any

from engine.kit import masks

Vertex = tuple[int, int]
Corners = frozenset[Vertex]
BOARDS = range(1, 3)  # the editions of the hall


def board_data(number: int) -> dict[str, Any]:
    """What is written in the file of a hall."""
    text = files("engine.inka").joinpath(f"board_{number}.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


DATA = board_data(BOARDS[0])
CELLS: list[dict[str, Any]] = DATA["cells"]
NAMES: tuple[str, ...] = tuple(cell["id"] for cell in CELLS)
INDEX: dict[str, int] = {name: number for number, name in enumerate(NAMES)}
COLOURS: tuple[str, ...] = tuple(DATA["colours"])


def mask(names: Any) -> int:
    """The set of these cells."""
    return sum(1 << INDEX[name] for name in names)


MANY = 24  # from here on reading all digits is quicker than picking single bits


def bits(cells: int) -> list[int]:
    """The numbers of the cells in a set, lowest first."""
    if cells.bit_count() > MANY:
        return list(compress(range(len(NAMES)), flags(cells)))
    return masks.bits(cells)


def flags(cells: int) -> bytes:
    """A set as one truth value per cell, the lowest first: what `compress` wants to pick by."""
    return f"{cells:b}"[::-1].encode().translate(TRUTH)


TRUTH = bytes.maketrans(b"01", b"\x00\x01")
ALL = (1 << len(NAMES)) - 1


# Sides: every pair of neighbouring cells has a number, so that the walls that stand are a mask too.


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(
    tuple(INDEX[name] for name in cell["neighbours"]) for cell in CELLS
)
SIDES: dict[tuple[int, int], int] = {}
for here, around in enumerate(NEIGHBOURS):
    for there in around:
        SIDES[here, there] = SIDES[there, here] = SIDES.get((there, here), len(SIDES) // 2)
SIDE_BITS: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple((there, 1 << SIDES[here, there]) for there in around)
    for here, around in enumerate(NEIGHBOURS)
)


# The lattice


def triangle(kind: str, a: int, b: int) -> Corners:
    """The corners of an upward or downward cell."""
    if kind == "U":
        return frozenset({(a, b), (a + 1, b), (a, b + 1)})
    return frozenset({(a + 1, b), (a + 1, b + 1), (a, b + 1)})


AT: dict[Corners, int] = {triangle(*cell["tri"]): n for n, cell in enumerate(CELLS)}


@dataclass(frozen=True, slots=True)
class Pose:
    """Where the corner A0 of a lozenge lies, and how often it is turned by 60° counter-clockwise."""

    anchor: Vertex
    rot: int

    def vertex(self, v: Vertex) -> Vertex:
        """Where a vertex of the lozenge's own frame comes to lie."""
        a, b = v
        for _ in range(self.rot):
            a, b = -b, a + b
        return self.anchor[0] + a, self.anchor[1] + b

    def cell(self, corners: Corners) -> int | None:
        """The cell of the hall on a triangle of the frame, if it is inside."""
        return AT.get(frozenset(map(self.vertex, corners)))

    def stepped(self, anchor: Vertex, turns: int) -> Pose:
        return Pose(self.vertex(anchor), (self.rot + turns) % 6)


CORNERS: dict[str, Vertex] = {
    name: (a, b) for name, (a, b) in DATA["lozengeFrame"]["corners"].items()
}
HALVES = (
    frozenset(CORNERS[name] for name in ("A0", "O1", "O3")),
    frozenset(CORNERS[name] for name in ("O1", "A2", "O3")),
)
EDGES: dict[str, tuple[int, Corners]] = {  # a side, the half it belongs to and the cell beyond it
    "e0": (0, triangle("D", 0, -1)),
    "e1": (1, triangle("U", 1, 0)),
    "e2": (1, triangle("U", 0, 1)),
    "e3": (0, triangle("D", -1, 0)),
}
SLIDES: tuple[Vertex, ...] = ((1, 0), (0, 1), (-1, 0), (0, -1))
MOST_TURNS = 5  # the sixth step of 60° would end where the turn began


# Places


def halves(pose: Pose) -> tuple[int, int] | None:
    """The two cells that a lozenge in this pose covers, unless one is outside."""
    h0, h1 = (pose.cell(half) for half in HALVES)
    return None if h0 is None or h1 is None else (h0, h1)


def poses() -> dict[tuple[int, int], Pose]:
    """The pose of every ordered pair of neighbouring cells."""
    reach = range(-DATA["side"], DATA["side"] + 1)
    found = {}
    for anchor in ((a, b) for a in reach for b in reach):
        for rot in range(6):
            pose = Pose(anchor, rot)
            if pair := halves(pose):
                found[pair] = pose
    return dict(sorted(found.items()))


POSES = poses()
PAIRS: tuple[tuple[int, int], ...] = tuple(POSES)
PLACES: dict[tuple[int, int], int] = {pair: number for number, pair in enumerate(PAIRS)}
PAIR_NAMES: tuple[tuple[str, str], ...] = tuple((NAMES[a], NAMES[b]) for a, b in PAIRS)
COVER: tuple[int, ...] = tuple(1 << a | 1 << b for a, b in PAIRS)
Chain = tuple[tuple[int, int], ...]  # step by step: the cells that must be free, the place reached


def slide_chain(pose: Pose, step: Vertex) -> Chain:
    """Every step of a slide in one direction, up to the edge of the hall."""
    found = []
    while pair := halves(pose := pose.stepped(step, 0)):
        place = PLACES[pair]
        found.append((COVER[place], place))
    return tuple(found)


def turn_chain(pose: Pose, turn: dict[str, Any]) -> Chain:
    """Every 60° step of a turn about one corner one way round, up to the edge of the hall (L2)."""
    found: list[tuple[int, int]] = []
    while len(found) < MOST_TURNS:
        swept = [pose.cell(triangle(*cell[:3])) for cell in turn["sweptCells"]]
        pose = pose.stepped(tuple(turn["newAnchor"]), turn["rotDelta"])
        pair = halves(pose)
        if pair is None or None in swept:
            break
        found.append((sum(1 << cell for cell in swept if cell is not None), PLACES[pair]))
    return tuple(found)


@cache
def slides(place: int) -> tuple[Chain, ...]:
    """What can be reached from a place by one slide in an empty hall, direction by direction."""
    pose = POSES[PAIRS[place]]
    return tuple(chain for step in SLIDES if (chain := slide_chain(pose, step)))


@cache
def turns(place: int) -> tuple[Chain, ...]:
    """What can be reached by one turn in an empty hall, corner by corner and way by way."""
    pose = POSES[PAIRS[place]]
    return tuple(chain for turn in DATA["turnSweep"].values() if (chain := turn_chain(pose, turn)))


MOVES = {"slide": slides, "turn": turns}


# Lozenges


@dataclass(frozen=True, slots=True)
class Lozenge:
    """What is printed on a lozenge."""

    id: str
    walls: tuple[str, ...]
    snakes: tuple[int, ...]  # halves

    @property
    def destination(self) -> bool:
        return self.id in DESTINATIONS


def lozenge(data: dict[str, Any]) -> Lozenge:
    snakes = tuple(int(half[1]) for half in data["snakes"])
    return Lozenge(data["id"], tuple(data["walls"]), snakes)


DESTINATIONS: tuple[str, ...] = tuple(data["id"] for data in DATA["destinationLozenges"])
LOZENGES: dict[str, Lozenge] = {
    data["id"]: lozenge(data) for data in DATA["destinationLozenges"] + DATA["pathLozenges"]
}
PATHS: tuple[str, ...] = tuple(data["id"] for data in DATA["pathLozenges"])


@cache
def walls(id_: str, place: int) -> int:
    """The sides between two cells that the walls of a lozenge close, as a mask of sides (W1)."""
    closed, pose = 0, POSES[PAIRS[place]]
    for wall in LOZENGES[id_].walls:
        half, beyond = EDGES[wall]
        outside = pose.cell(beyond)
        if outside is not None:
            closed |= 1 << SIDES[PAIRS[place][half], outside]
    return closed


@cache
def barriers(id_: str) -> tuple[int, ...]:
    """The sides that the walls of a lozenge close, by the place where it lies."""
    return tuple(walls(id_, place) for place in range(len(PAIRS)))


@cache
def snakes(id_: str, place: int) -> int:
    """The cells on which its snakes lie."""
    return sum(1 << PAIRS[place][half] for half in LOZENGES[id_].snakes)


# Halls


@dataclass(frozen=True, slots=True, eq=False)
class PrintedBoard:
    """What one hall has of its own: its floor, its signs, and where the destination lozenges lie at first."""

    number: int
    floor: int
    starts: tuple[int, ...]
    exits: int
    passages: int
    symbols: int
    homes: Mapping[str, int]
    kinds: tuple[str, ...]  # what is printed on each cell


@cache
def printed_board(number: int) -> PrintedBoard:
    """The hall of an edition."""
    data = board_data(number)
    return PrintedBoard(
        number=number,
        floor=mask(cell["id"] for cell in data["cells"] if cell["ground"] == "floor"),
        starts=tuple(INDEX[name] for name in data["starts"]),
        exits=mask(data["exits"]),
        passages=mask(data["secretPassages"]),
        symbols=mask(data["lozengeSymbols"]),
        homes={
            one["id"]: PLACES[INDEX[one["cells"][0]], INDEX[one["cells"][1]]]
            for one in data["destinationLozenges"]
        },
        kinds=tuple(cell["special"] or cell["ground"] for cell in data["cells"]),
    )
