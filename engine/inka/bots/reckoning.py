"""How far everybody is from winning, as bots reckon it: in half action points over the hall as a grid of bits.

Cells lie on 12 rows of 24 slots, so that left and right are one bit away and up and down one row. A gap costs a
point and for each further cell a half (a lozenge bridges two), a snake, a passage or a wall in the way a point.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from math import dist
from typing import NamedTuple

from engine.inka.printed_board import (
    ALL,
    CELLS,
    DESTINATIONS,
    EDGES,
    LOZENGES,
    PAIRS,
    POSES,
    PrintedBoard,
    bits,
)
from engine.inka.state import State
from engine.kit.masks import union

ROW = 24
LONGEST = 23  # cells in the longest row
FAR = 36  # half points: further than any way through an open hall
TAKING = 2  # half points: what a statue costs,
STATUE = 4  # and what it is worth, for nobody takes it away again
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


HALL = grid(ALL)
UP = sum(BIT[n] for n, cell in enumerate(CELLS) if cell["tri"][0] == "U")  # these have a cell below
DOWN = HALL & ~UP
COVERS: tuple[int, ...] = tuple(BIT[one] | BIT[other] for one, other in PAIRS)  # by place


class Printed(NamedTuple):
    """A printed hall on the grid."""

    floor: int
    exits: int
    passages: int


@cache
def printed_grid(board: PrintedBoard) -> Printed:
    return Printed(grid(board.floor), grid(board.exits), grid(board.passages))


@cache
def piece(id_: str, place: int) -> tuple[int, int, int]:
    """A lozenge on the grid: its snakes, and the cells closed to the right and downwards."""
    pair, lozenge = PAIRS[place], LOZENGES[id_]
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
    return snakes, right, below


Layers = list[tuple[int, int]]  # for each price, the cells that can be reached for no less


class Hall:
    """The hall on the grid, with what lies in it; `barred`: chasm cells that no lozenge can bridge now."""

    __slots__ = (
        "below",
        "board",
        "chasm",
        "covered",
        "free",
        "passages",
        "places",
        "right",
        "snakes",
    )

    def __init__(self, places: Mapping[str, int], board: PrintedBoard, barred: int = 0) -> None:
        covered = snakes = right = below = 0
        for id_, place in places.items():
            snake, wall_right, wall_below = piece(id_, place)
            covered |= COVERS[place]
            snakes |= snake
            right |= wall_right
            below |= wall_below
        printed = printed_grid(board)
        walkable = printed.floor | covered
        self.places, self.board, self.covered = places, board, covered
        self.snakes, self.right, self.below = snakes, ~right, ~below
        self.free = walkable & ~snakes
        self.chasm = HALL & ~walkable & ~barred
        self.passages = printed.passages & ~covered

    def beside(self, area: int) -> int:
        """The cells one step away with no wall in between."""
        right, below = self.right, self.below
        return (
            (area & right) << 1
            | area >> 1 & right
            | (area & UP & below) << ROW
            | (area & DOWN) >> ROW & below
        )

    def layers(self, origin: int, goal: int) -> Layers:
        """The cells that can be reached for 0, 1, 2 … half points, cheapest first, until all of a goal is."""
        right, below, chasm, snakes = self.right, self.below, self.chasm, self.snakes
        open_up = UP & below
        waiting, found, seen = [0] * (FAR + 5), Layers(), 0
        waiting[0] = origin
        for cost in range(FAR):
            area = waiting[cost] & ~seen
            if not area:
                continue
            fresh, open_ = area, self.free & ~seen
            while fresh:  # all that can be reached from there for nothing
                fresh = (
                    (
                        (fresh & right) << 1
                        | fresh >> 1 & right
                        | (fresh & open_up) << ROW
                        | (fresh & DOWN) >> ROW & below
                    )
                    & open_
                    & ~area
                )
                area |= fresh
            seen |= area
            found.append((cost, area))
            if not goal & ~seen:
                break
            left, above = area >> 1, (area & DOWN) >> ROW
            near = (
                (area & right) << 1 | left & right | (area & open_up) << ROW | above & below
            ) & ~seen
            bare = near & chasm
            if bare:
                waiting[cost + 2] |= bare
                if further := area & chasm:
                    waiting[cost + 1] |= self.beside(further) & bare
            waiting[cost + 2] |= near & snakes
            around = area << 1 | left | (area & UP) << ROW | above
            if walled := around & ~seen & ~near:
                waiting[cost + 2] |= walled & self.free
                waiting[cost + 4] |= walled & (chasm | snakes)
            if area & self.passages:
                waiting[cost + 2] |= self.passages & ~seen
        return found

    def route(self, origin: int, target: int) -> int:
        """The cells on the cheapest ways between two places."""
        there, back = self.layers(origin, target), dict(self.layers(target, origin))
        least = next((cost for cost, area in there if area & target), FAR)
        on_the_way = 0
        for cost, area in there:
            for rest in range(least - cost + 3):  # a gap's first point is counted from both ends
                on_the_way |= area & back.get(rest, 0)
        return on_the_way

    @property
    def at_home(self) -> bool:
        """Whether the destination lozenges still fill the middle."""
        return all(self.places[id_] == place for id_, place in self.board.homes.items())

    def goal(self, taken: Sequence[str]) -> int:
        """Where a pawn with these statues has to go next: to any of the others, or out."""
        left = [COVERS[self.places[id_]] for id_ in DESTINATIONS if id_ not in taken]
        return union(left) if left else printed_grid(self.board).exits


def price(layers: Layers, target: int) -> int:
    """What the nearest cell of a target costs."""
    for cost, area in layers:
        if area & target:
            return cost
    return FAR


def hall(state: State, barred: int = 0) -> Hall:
    return Hall(state.ground.lying, state.board, barred)


class Standing(NamedTuple):
    """How far a seat is: `far` as it is worth, `need` the half points that it takes to win from there."""

    far: float
    need: int


class Quest(NamedTuple):
    """What is before whoever has certain statues: the same for all who have those."""

    layers: Layers  # from what is wanted next
    wanted: Sequence[int]  # its cells
    between: int  # half points from the first statue left to the furthest other
    rest: float  # what all that follows is worth
    need: int  # and how many half points it takes


def standings(
    map_: Hall, pawns: Sequence[int | None], taken: Sequence[tuple[str, ...]]
) -> list[Standing]:
    """How far everybody is from winning; a flood from what many have to reach serves them all."""
    everybody = union(BIT[cell] for cell in pawns if cell is not None)
    statues = union(COVERS[map_.places[id_]] for id_ in DESTINATIONS)
    leaving = any(len(mine) == len(DESTINATIONS) for mine in taken)
    exits = printed_grid(map_.board).exits
    outside = map_.layers(exits, statues | everybody if leaving else statues)
    quests = {mine: quest(map_, mine, outside, everybody) for mine in set(taken)}
    return [standing(quests[mine], cell) for cell, mine in zip(pawns, taken, strict=True)]


def quest(map_: Hall, taken: tuple[str, ...], outside: Layers, everybody: int) -> Quest:
    """What is left to do with these statues, by the flood from the exits; and how far everybody is from it."""
    left = [id_ for id_ in DESTINATIONS if id_ not in taken]
    if not left:
        return Quest(outside, map_.board.starts, 0, 0, 0)
    covers = [COVERS[map_.places[id_]] for id_ in left]
    goal, between = union(covers), 0
    if len(left) > 1 and not map_.at_home and not joined(map_, goal):
        between = apart(map_, covers)
    out = price(outside, goal)
    return Quest(
        map_.layers(goal, everybody),
        [cell for id_ in left for cell in PAIRS[map_.places[id_]]],
        between,
        STATUE * len(left) + out * (1 - HASTE * (len(left) - 1)),
        TAKING * len(left) + out,
    )


def standing(ahead: Quest, cell: int | None) -> Standing:
    """How far one pawn is."""
    if cell is None:
        return NOT_IN_YET
    way = price(ahead.layers, BIT[cell]) + ahead.between
    return Standing(way + ahead.rest + nearness(cell, ahead.wanted), way + ahead.need)


NOT_IN_YET = Standing(FAR, FAR)  # a pawn that has no start yet


def joined(map_: Hall, goal: int) -> bool:
    """Whether one can walk for nothing between all that is left to reach."""
    area = fresh = goal & -goal
    while fresh:
        fresh = map_.beside(fresh) & map_.free & ~area
        area |= fresh
    return not goal & ~area


def apart(map_: Hall, left: Sequence[int]) -> int:
    """How far the furthest of some lozenges is from the first of them."""
    layers = map_.layers(left[0], union(left))
    return max(price(layers, cover) for cover in left)


def nearness(cell: int, wanted: Iterable[int]) -> float:
    """How far the nearest of some cells is as the crow flies: bridges come and go, where one stands is sure."""
    ways = APART[cell]
    return min([ways[other] for other in wanted])


SPOTS = [
    (sum(x for x, _ in cell["poly"]) / 3, sum(y for _, y in cell["poly"]) / 3) for cell in CELLS
]
CROW = 400  # so far on paper is half a point
APART = [[dist(one, other) / CROW for other in SPOTS] for one in SPOTS]
