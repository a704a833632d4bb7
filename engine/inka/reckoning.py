"""How far everybody is from winning, as bots reckon it: in half action points over the hall as a grid of bits.

Cells lie on 12 rows of 24 slots, so that left and right are one bit away and up and down one row. A gap costs a
point and for each further cell a half (a lozenge bridges two), a snake, a passage or a wall in the way a point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from functools import cache, reduce
from math import dist
from operator import or_

from engine.inka.board import (
    ALL,
    CELLS,
    DESTINATIONS,
    EDGES,
    EXITS,
    FLOOR,
    LOZENGES,
    PAIRS,
    PASSAGES,
    POSES,
    STARTS,
    bits,
)
from engine.inka.state import State

ROW = 24
LONGEST = 23  # cells in the longest row
FAR = 40  # half points: further than any way through an open hall
STATUE = 4  # half points: what a statue costs, and as much again for that nobody takes it away
HASTE = 0.2  # by how much each statue to be fetched yet makes the way out matter less


def slot(cell: int) -> int:
    """Where a cell lies on the grid."""
    row, col = CELLS[cell]["row"], CELLS[cell]["col"]
    width = LONGEST - 2 * (5 - row if row < 6 else row - 6)
    return int(row * ROW + col + (LONGEST - width) // 2)


BIT: tuple[int, ...] = tuple(1 << slot(cell) for cell in range(len(CELLS)))


def grid(cells: int) -> int:
    """A set of cells on the grid."""
    return sum(BIT[cell] for cell in bits(cells))


HALL, G_FLOOR, G_EXITS, G_PASSAGES = (grid(some) for some in (ALL, FLOOR, EXITS, PASSAGES))
UP = sum(BIT[n] for n, cell in enumerate(CELLS) if cell["tri"][0] == "U")  # these have a cell below
DOWN = HALL & ~UP


@cache
def piece(id_: str, place: int) -> tuple[int, int, int, int]:
    """A lozenge on the grid: its cells, its snakes, and the cells closed to the right and downwards."""
    pair, lozenge = PAIRS[place], LOZENGES[id_]
    cover = BIT[pair[0]] | BIT[pair[1]]
    snakes = sum(BIT[pair[half]] for half in lozenge.snakes)
    right = below = 0
    for wall in lozenge.walls:
        half, beyond = EDGES[wall]
        outside = POSES[pair].cell(beyond)
        if outside is not None:
            one, other = sorted((BIT[pair[half]], BIT[outside]))
            if other == one << 1:
                right |= one
            else:
                below |= one
    return cover, snakes, right, below


class Hall:
    """The hall on the grid, with what lies in it; `barred`: chasm cells that no lozenge can bridge now."""

    __slots__ = (
        "below",
        "chasm",
        "covers",
        "free",
        "passages",
        "places",
        "right",
        "snakes",
        "ways_out",
    )

    def __init__(self, lying: Iterable[tuple[str, int]], barred: int = 0) -> None:
        covered = snakes = right = below = 0
        self.places, self.covers = dict(lying), dict[str, int]()
        for id_, place in self.places.items():
            cover, snake, wall_right, wall_below = piece(id_, place)
            self.covers[id_] = cover
            covered |= cover
            snakes |= snake
            right |= wall_right
            below |= wall_below
        walkable = G_FLOOR | covered
        self.snakes, self.right, self.below = snakes, ~right, ~below
        self.free = walkable & ~snakes
        self.chasm = HALL & ~walkable & ~barred
        self.passages = G_PASSAGES & ~covered
        self.ways_out: dict[str, int] | None = None

    def beside(self, area: int) -> int:
        """The cells one step away with no wall in between."""
        right, below = self.right, self.below
        return (
            (area & right) << 1
            | area >> 1 & right
            | (area & UP & below) << ROW
            | (area & DOWN) >> ROW & below
        )

    def layers(self, origin: int) -> Iterator[tuple[int, int]]:
        """The cells that can be reached for 0, 1, 2 … half points, cheapest first."""
        waiting = [0] * (FAR + 5)
        waiting[0] = origin
        seen = 0
        for cost in range(FAR):
            if area := waiting[cost] & ~seen:
                area = self.flooded(area, seen)
                seen |= area
                yield cost, area
                self._spread(area, seen, waiting, cost)

    def distances(self, origin: int, targets: list[int]) -> list[int]:
        """How many half points it takes from `origin` to each of the targets."""
        found = [FAR] * len(targets)
        for cost, area in self.layers(origin):
            for number, target in enumerate(targets):
                if found[number] == FAR and area & target:
                    found[number] = cost
            if FAR not in found:
                break
        return found

    def gaps(self, origin: int, target: int) -> int:
        """The bare cells on the cheapest ways between two places: a lozenge there would shorten them."""
        there, back = list(self.layers(origin)), dict(self.layers(target))
        least = next((cost for cost, area in there if area & target), FAR)
        on_the_way = 0
        for cost, area in there:
            for rest in range(least - cost + 3):  # a gap's first point is counted from both ends
                on_the_way |= area & back.get(rest, 0)
        return on_the_way & self.chasm

    def flooded(self, area: int, seen: int) -> int:
        """All that can be reached for nothing from an area."""
        fresh, open_, right, below = area, self.free & ~seen, self.right, self.below
        while fresh:
            fresh = (
                (
                    (fresh & right) << 1
                    | fresh >> 1 & right
                    | (fresh & UP & below) << ROW
                    | (fresh & DOWN) >> ROW & below
                )
                & open_
                & ~area
            )
            area |= fresh
        return area

    def _spread(self, area: int, seen: int, waiting: list[int], cost: int) -> None:
        """What can be entered from an area for a price: chasm, snakes, passages, and all behind walls."""
        near, bare = self.beside(area) & ~seen, area & self.chasm
        waiting[cost + 1] |= (self.beside(bare) & ~seen & self.chasm) if bare else 0
        waiting[cost + 2] |= near & self.chasm
        waiting[cost + 2] |= near & self.snakes
        walled = (area << 1 | area >> 1 | (area & UP) << ROW | (area & DOWN) >> ROW) & ~seen & ~near
        waiting[cost + 2] |= walled & self.free
        waiting[cost + 4] |= walled & self.chasm
        waiting[cost + 4] |= walled & self.snakes
        if area & self.passages:
            waiting[cost + 2] |= self.passages & ~seen

    def out(self) -> dict[str, int]:
        """How far each destination lozenge is from the exits."""
        if self.ways_out is None:
            ids = list(DESTINATIONS)
            ways = self.distances(G_EXITS, [self.covers[id_] for id_ in ids])
            self.ways_out = dict(zip(ids, ways, strict=True))
        return self.ways_out


def hall(state: State, barred: int = 0) -> Hall:
    return Hall(state.ground.lying.items(), barred)


def without(state: State, id_: str) -> Hall:
    """The hall as if a lozenge had been taken away."""
    return Hall((name, place) for name, place in state.ground.lying.items() if name != id_)


def far(state: State, seat: int, map_: Hall) -> float:
    """How far a seat is from winning."""
    cell = state.pawns[seat]
    return 0 if cell is None else way(map_, cell, state.taken[seat])


def way(map_: Hall, cell: int, taken: Collection[str]) -> float:
    """What a pawn has before it: the ways to its statues, taking them, and a part of the way out.

    Of two cells with ways equally dear, the one that lies nearer as the crow flies is better.
    """
    left = [id_ for id_ in DESTINATIONS if id_ not in taken]
    if not left:
        return map_.distances(BIT[cell], [G_EXITS])[0] + nearness(cell, STARTS)
    ways = map_.distances(BIT[cell], [map_.covers[id_] for id_ in left])
    out = min(map_.out()[id_] for id_ in left)
    rest = STATUE * len(left) + out * (1 - HASTE * (len(left) - 1))
    wanted = [other for id_ in left for other in PAIRS[map_.places[id_]]]
    return (min(ways) + max(ways)) / 2 + rest + nearness(cell, wanted)


def missing(state: State, seat: int, map_: Hall) -> int:
    """The bare cells on the grid that a seat needs bridged next."""
    cell = state.pawns[seat]
    if cell is None:
        return 0
    left = [map_.covers[id_] for id_ in DESTINATIONS if id_ not in state.taken[seat]]
    gaps = [map_.gaps(BIT[cell], target) for target in left or [G_EXITS]]
    return reduce(or_, gaps)


def nearness(cell: int, wanted: Iterable[int]) -> float:
    """How far the nearest of some cells is as the crow flies: little enough to part only equals."""
    apart = APART[cell]
    return min(apart[other] for other in wanted)


SPOTS = [
    (sum(x for x, _ in cell["poly"]) / 3, sum(y for _, y in cell["poly"]) / 3) for cell in CELLS
]
APART = [[dist(one, other) / 1000 for other in SPOTS] for one in SPOTS]
