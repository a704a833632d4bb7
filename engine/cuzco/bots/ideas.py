"""Which orders are worth a thought: a few of each kind out of the thousand that are legal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import nlargest
from typing import Any

from engine.cuzco import actions as a
from engine.cuzco.board import Board
from engine.cuzco.bots.worth import Judge, ranked
from engine.cuzco.edition import INCAS
from engine.cuzco.hexes import SIZE, bit, bits, flood, pieces, spread
from engine.cuzco.printed_board import Placement
from engine.cuzco.rules import duty, incas, temples, tiles
from engine.cuzco.rules.legal import drawing
from engine.cuzco.state import State
from engine.kit.masks import union

MISSING = 2  # banks that a new pond may lack
SPARE = 2  # tiles thought of as well where all that promise most are one's own, or none is
GOALS = 4  # villages that one Inca thinks of walking to


def ideas(state: State, judge: Judge, tiles_kept: int) -> Iterator[Any]:
    """Some of the legal orders of the running turn besides its end; a due tile is thought of before all else."""
    seat, turn = judge.seat, state.turn
    ground = Ground(state, judge)
    laying = ground.tiles(tiles_kept) if turn.ap else []
    yield from laying
    if laying and duty.owed(state):
        return
    yield from ground.climbs()
    if turn.ap:
        yield from ground.temples()
        yield from ground.basins()
        yield from ground.entries()
        yield from ground.walks()
        yield from drawing(state, seat)
    elif state.stocks[seat].tokens and not turn.token:
        yield a.UseToken(seat)


class Ground:
    """What a seat looks at before it thinks of orders."""

    def __init__(self, state: State, judge: Judge) -> None:
        self.state, self.seat, self.whims = state, judge.seat, judge.whims
        self.board = state.board
        self.layout = state.edition.layout
        self.own = state.incas[self.seat]
        self.waters = judge.waters(state)
        self.banks = union(spread(area) & ~area for area, _ in self.waters)

    # Tiles

    def tiles(self, kept: int) -> list[Any]:
        """The tiles that seem to do most."""
        state, board = self.state, self.board
        groups = self.groups()
        zone = self.zone(groups)
        ways = list(tiles.placements(state, state.turn.ap, state.closed | ~zone))
        if not ways or (not state.turn.laid and not any(map(is_common, ways))):
            ways = list(tiles.placements(state, state.turn.ap))
        for_village, for_any = self.marks(groups)
        ring = self.layout.ring & board.planes[0]

        def promise(way: Placement) -> float:
            """How much a tile seems to do, at a glance."""
            found = for_village[way.hexes[0]] if way.village else 0.0
            for hex_ in way.hexes:
                found += for_any[hex_]
            return found - 1 if way.mask & ring else found

        best = nlargest(kept, ways, key=promise)
        # Who thinks of one kind alone cannot save the other.
        for common in {True, False} - {is_common(way) for way in best}:
            others = (way for way in ways if is_common(way) == common)
            best += nlargest(SPARE, others, key=promise)
        return [way.actions[self.seat] for way in best]

    def groups(self) -> list[tuple[int, bool]]:
        """The villages and cities with Incas of the seat, and whether it stands highest there."""
        found, left = [], self.own & self.board.villages
        while left:
            group = flood(left & -left, self.board.villages)
            left &= ~group
            first = ranked(self.board, self.state.incas, group)[0]
            found.append((group, first == [self.seat]))
        return found

    def zone(self, groups: list[tuple[int, bool]]) -> int:
        """The hexes on which a tile could matter: about Incas, their villages, and water."""
        near = self.own | self.banks | union(group for group, _ in groups)
        return near | spread(near) if near else self.layout.hexes

    def marks(self, groups: list[tuple[int, bool]]) -> tuple[list[float], list[float]]:
        """What a tile is promised for by place: for its village there, and for any hex there."""
        board, layout, near = self.board, self.layout, spread(self.layout.printed)
        for_village = [(layout.doors[1], 0.3), (near, 0.2)]
        for_any = [(near, 0.2), (spread(board.terrain), 0.1), *self.ways_in()]
        for group, leads in groups:
            odd = group.bit_count() % 2
            for_village.append((spread(group) & ~group, (1.5 if leads else 1.0) * (2 + odd / 2)))
            for_village.append((group, 1.0))
        for area, lacking in self.waters:
            bank = spread(area) & ~area
            ranks = ranked(board, self.state.incas, bank)
            mine = not ranks or self.seat in ranks[0]
            if area & board.basins == area:
                for_any.append((bank & ~board.terrain, 3.0 if mine else -1.0))
            else:
                for_any.append((bank & board.terrain, 0.8 if mine else 0.2))
                for_any.append((area & ~board.basins, 1.0 if lacking <= 2 else 0.0))
        return by_place(for_village), by_place(for_any, self.whims)

    def ways_in(self) -> list[tuple[int, float]]:
        """Without an Inca on the board nothing is won, so the first tile is one to come in by."""
        doors = self.layout.doors[1]
        if self.own or incas.standing_room(self.state) & doors:
            return []
        return [(doors & self.layout.site, 1.0)]

    # Incas

    def climbs(self) -> Iterator[Any]:
        """Free ways up: within a village, or to a bank, to the highest free hex."""
        for origin, areas in incas.walks(self.state, self.seat, 0):
            level, free = self.board.level(origin), areas[0] & ~self.own
            for target in self.targets(free, more_than=level):
                yield from self.layout.pick_moves(self.seat, origin, bit(target))

    def targets(self, area: int, more_than: int = 0) -> list[int]:
        """A highest hex of `area`, and a highest one on a bank."""
        found = []
        top = highest(self.board, area)
        if top is not None and self.board.level(top) > more_than:
            found.append(top)
        for water, _ in self.waters:
            shore = highest(self.board, area & spread(water))
            if shore is not None and shore not in found and not self.own & spread(water):
                found.append(shore)
        return found

    def entries(self) -> Iterator[Any]:
        """One or two doors for each piece of land that can be entered."""
        state, board = self.state, self.board
        if self.own.bit_count() >= INCAS:
            return
        room = incas.standing_room(state)
        for cost, gates in self.layout.doors.items():
            if cost > state.turn.ap:
                continue
            for kind in (board.villages, board.crops):
                for land in pieces(room & kind):
                    door = highest(board, land & gates)
                    if door is not None:
                        yield from self.layout.pick(a.EnterInca, self.seat, bit(door))

    def walks(self) -> Iterator[Any]:
        """For AP: to the highest hex of the best villages in reach, one Inca for each piece of land."""
        done = 0
        for origin, areas in incas.walks(self.state, self.seat, self.state.turn.ap):
            if done >> origin & 1:
                continue
            done |= areas[0]
            near = union(areas[1:3]) & ~self.own
            lands = pieces(near & self.board.villages)
            for land in nlargest(GOALS, lands, key=self.size):
                for target in self.targets(land):
                    yield from self.layout.pick_moves(self.seat, origin, bit(target))

    def size(self, land: int) -> int:
        """How large a piece of land is, a temple counting by its value."""
        temple = self.board.temple_in(self.board.village_of(land.bit_length() - 1))
        return land.bit_count() + (0 if temple is None else self.board.temples[temple].value)

    # Temples and basins

    def temples(self) -> list[Any]:
        """The highest value for each temple, built on a low hex of its village."""
        best: dict[str | int, Any] = {}
        for order in temples.orders(self.state, self.seat):
            if isinstance(order, a.ExpandTemple):
                best[order.at] = order  # values come in rising order
                continue
            hex_ = self.layout.index[order.at]
            village = self.board.village_of(hex_)
            known = best.get(village)
            if known is None or self.rank(order) > self.rank(known):
                best[village] = order
        return list(best.values())

    def rank(self, order: a.BuildTemple) -> tuple[int, int]:
        """High temples on low hexes: the high ones are for Incas."""
        hex_ = self.layout.index[order.at]
        return order.value, -self.board.level(hex_)

    def basins(self) -> Iterator[Any]:
        """Where a pond would then be closed, or lack only a bank or two; in a hollow, any hex of it."""
        if not self.state.supply.basins:
            return
        board, room = self.board, self.board.basin_room
        hollow = union(area for area, _ in self.waters)
        likely = union(area & -area for area in pieces(room & hollow))
        for hex_ in bits(room & spread(board.terrain) & ~hollow):
            pond = flood(bit(hex_), board.basins | bit(hex_))
            if (spread(pond) & ~pond & ~board.terrain).bit_count() <= MISSING:
                likely |= bit(hex_)
        yield from self.layout.pick(a.LayBasin, self.seat, likely)


def is_common(way: Placement) -> bool:
    """Whether the tile is a triple: all others are one's own, and few."""
    return way.tile == "triple"


def by_place(marks: list[tuple[int, float]], begun: Sequence[float] = (0.0,) * SIZE) -> list[float]:
    """The sum of all marks at each place, added to what is there."""
    sums = list(begun)
    for mask, much in marks:
        for place in bits(mask):
            sums[place] += much
    return sums


def highest(board: Board, mask: int) -> int | None:
    """One of the highest hexes of `mask`."""
    for plane in reversed(board.planes):
        if plane & mask:
            return (plane & mask).bit_length() - 1
    return None
