"""The hall as the lozenges lie in it: where one can walk, at what price, and what may be moved where."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from engine.inka.printed_board import (
    COVER,
    MOVES,
    PAIRS,
    SIDE_BITS,
    PrintedBoard,
    bits,
    snakes,
    walls,
)
from engine.kit.masks import union


@dataclass(frozen=True)
class Ground:
    """`lying`: the place of every lozenge in the hall, by id."""

    lying: Mapping[str, int]
    board: PrintedBoard

    @cached_property
    def covered(self) -> int:
        """The cells under lozenges."""
        return sum(COVER[place] for place in self.lying.values())

    @cached_property
    def walkable(self) -> int:
        return self.board.floor | self.covered

    @cached_property
    def walls(self) -> int:
        """The sides that are closed, as a mask of sides."""
        closed = 0
        for id_, place in self.lying.items():
            closed |= walls(id_, place)
        return closed

    @cached_property
    def snakes(self) -> int:
        return sum(snakes(id_, place) for id_, place in self.lying.items())

    @cached_property
    def halves(self) -> dict[int, str]:
        """Which lozenge covers a cell."""
        return {cell: id_ for id_, place in self.lying.items() for cell in PAIRS[place]}

    def open_sides(self, cell: int) -> int:
        """The sides of a cell, towards cells of the hall, on which no wall stands: a mask of sides."""
        return sum(side for _, side in SIDE_BITS[cell]) & ~self.walls

    def around(self, cells: int) -> int:
        """The walkable cells one step from `cells`."""
        found = 0
        for cell in bits(cells):
            for there, side in SIDE_BITS[cell]:
                if not self.walls & side:
                    found |= 1 << there
        return found & self.walkable

    def reach(self, origin: int, ap: int) -> list[int]:
        """The cells that a pawn can walk to for exactly 0, 1 … `ap` AP, by the cheapest way (W2)."""
        seen, entered, areas = 1 << origin, 1 << origin, []
        for _ in range(ap + 1):
            area, bitten = self._flood(entered, seen)
            seen |= area
            areas.append(area)
            entered = bitten & ~seen
            if not entered:
                break
        return areas

    def _flood(self, entered: int, seen: int) -> tuple[int, int]:
        """All that can be reached for nothing from cells just entered, and the snakes beside it."""
        area = fresh = entered
        bitten = 0
        while fresh:
            beside = self.around(fresh)
            bitten |= beside & self.snakes
            fresh = beside & ~self.snakes & ~area & ~seen
            area |= fresh
        return area, bitten

    def steps_to_exit(self, origin: int) -> int | None:
        """How many steps the nearest exit is away, whatever stands in between (E2)."""
        area, steps = 1 << origin, 0
        while not area & self.board.exits:
            wider = area | self.around(area)
            if wider == area:
                return None
            area, steps = wider, steps + 1
        return steps

    def obstacles(self, id_: str, standing: int) -> int:
        """The cells that a moving lozenge may not touch: other lozenges and what stands off it (L1)."""
        return (self.covered | standing) & ~COVER[self.lying[id_]]

    def sweep(self, how: str, id_: str, place: int, standing: int) -> int:
        """All cells that a lozenge touches on its shortest free way to a place, the place itself too."""
        blocked, ways = self.obstacles(id_, standing), list[tuple[int, int]]()
        for chain in MOVES[how](self.lying[id_]):
            touched = 0
            for number, (needed, there) in enumerate(chain):
                if needed & blocked:
                    break
                touched |= needed
                if there == place:
                    ways.append((number, touched))
        return min(ways)[1] if ways else 0

    def destinations(self, how: str, id_: str, standing: int) -> Set[int]:
        """Where a lozenge can go by one slide or turn; `standing` are all pawns and blockades (L1, L2)."""
        place = self.lying[id_]
        return free_places(how, place, self.obstacles(id_, standing) & swept_from(how, place))


@cache
def swept_from(how: str, place: int) -> int:
    """All cells that any slide or turn from a place touches."""
    return union(needed for chain in MOVES[how](place) for needed, _ in chain)


@lru_cache(maxsize=4096)  # most orders change nothing around most lozenges
def free_places(how: str, place: int, blocked: int) -> Set[int]:
    """Where a slide or turn from a place leads, with these cells in its way."""
    found: set[int] = set()
    for chain in MOVES[how](place):
        for needed, there in chain:
            if needed & blocked:
                break
            found.add(there)
    return found
