"""All that a turn can still do for its points: orders, each with the free steps that it needs before it.

Within one piece of land an Inca steps about for nothing (C-M3), so where it stands there is left open until
something hangs on it: a temple, a pond that closes, a tile or a newcomer on its hex. Cards and festivals draw or
reveal, and are no part of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from engine.core.game import amend
from engine.cuzco import actions as a
from engine.cuzco.board import Board
from engine.cuzco.edition import INCAS
from engine.cuzco.hexes import bit, bits, pieces, spread
from engine.cuzco.printed_board import Placement
from engine.cuzco.rules import duty, temples, tiles
from engine.cuzco.rules.incas import reach
from engine.cuzco.scoring import leader
from engine.cuzco.state import State
from engine.kit.masks import union

Step = tuple[int, Any]  # where one's own Incas stand before an order, and the order


class Options:
    """What one seat can do in one position."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.board = state, seat, state.board
        self.own, self.layout = state.incas[seat], state.edition.layout
        self.others = state.all_incas & ~self.own
        walkable = self.board.terrain & ~self.board.temple_hexes & ~self.others
        self.lands = [*pieces(walkable & self.board.villages), *pieces(walkable & self.board.crops)]
        self.held = [land for land in self.lands if land & self.own]
        self.last = state.turn.ap == 1  # nothing follows: what brings no points is nothing
        self.near_water = spread(self.board.basins)

    def steps(self) -> Iterator[Step]:
        """Every order with the arrangements of Incas that could matter to it."""
        if duty.owed(self.state):
            yield from self.due_tiles()
            return
        yield from self.temples()
        yield from self.basins()
        yield from self.tiles()
        if not self.last:
            yield from self.walks()
            yield from self.doors()

    # Where Incas stand

    def standing(self, avoid: int = 0, prefer: int = 0) -> int | None:
        """The highest stand of all Incas in their lands, off some hexes and first of all on others."""
        found = 0
        for land in self.held:
            count, room = (land & self.own).bit_count(), land & ~avoid
            if room.bit_count() < count:
                return None
            chosen = highest(self.board, room & prefer, count) if prefer else 0
            chosen |= highest(self.board, room & ~prefer, count - chosen.bit_count())
            found |= chosen
        return found

    def spread_out(self, avoid: int, prefer: int) -> Iterator[int]:
        """The same for every way to share the Incas of a land among the pieces that a tile leaves of it."""
        cut = [land for land in self.held if len(pieces(land & ~avoid)) > 1 and land & avoid]
        if not cut:
            stand = self.standing(avoid, prefer)
            if stand is not None:
                yield stand
            return
        ways = [list(self.shared(land, avoid, prefer)) for land in cut]
        rest = Options.standing(self.without(cut), avoid, prefer)
        if rest is not None:
            yield from (rest | union(chosen) for chosen in product(*ways))

    def without(self, cut: list[int]) -> Options:
        left = object.__new__(Options)
        left.__dict__.update(self.__dict__, held=[land for land in self.held if land not in cut])
        return left

    def shared(self, land: int, avoid: int, prefer: int) -> Iterator[int]:
        parts = pieces(land & ~avoid)
        count = (land & self.own).bit_count()
        for counts in product(*(range(min(count, part.bit_count()) + 1) for part in parts)):
            if sum(counts) == count:
                yield union(
                    highest(self.board, part & prefer, n)
                    | highest(
                        self.board,
                        part & ~prefer,
                        n - min(n, (part & prefer).bit_count()),
                    )
                    for part, n in zip(parts, counts, strict=True)
                )

    # Orders

    def temples(self) -> Iterator[Step]:
        state, board, seat = self.state, self.board, self.seat
        for group in pieces(board.villages):
            if not group & self.own:
                continue
            temple, size = board.temple_in(group), group.bit_count()
            if temple is None:
                for site in bits(group & ~self.others):
                    stand = self.leading(group, bit(site))
                    for value in temples.values(state, 0, size)[::-1] if stand is not None else ():
                        yield stand or 0, a.BuildTemple(seat, self.layout.names[site], value)
            elif not state.turn.changed >> temple & 1:
                stand = self.leading(group, 0)
                was = board.temples[temple].value
                for value in temples.values(state, was, size)[::-1] if stand is not None else ():
                    yield stand or 0, a.ExpandTemple(seat, self.layout.names[temple], value)

    def leading(self, group: int, site: int) -> int | None:
        """A stand off a building site in which the seat is highest in a village."""
        stand = self.standing(site)
        if stand is None or leader(self.board, self.incas(stand), group) != self.seat:
            return None
        return stand

    def incas(self, stand: int) -> tuple[int, ...]:
        return tuple(
            stand if seat == self.seat else mask for seat, mask in enumerate(self.state.incas)
        )

    def basins(self) -> Iterator[Step]:
        if not self.state.supply.basins:
            return
        for hex_ in bits(self.board.basin_room):
            action = a.LayBasin(self.seat, self.layout.names[hex_])
            closing = self.closing(self.board.with_basin(hex_))
            for banks in closing:
                stand = self.standing(prefer=banks)
                if stand is not None:
                    yield stand, action
            if not closing and not self.last:
                yield self.own, action

    def closing(self, after: Board) -> list[int]:
        """The banks of ponds that would be closed, each for itself."""
        return [spread(pond) & ~pond for pond in after.surrounded - self.board.surrounded]

    def tiles(self) -> Iterator[Step]:
        closed = self.state.closed & ~self.own
        for way in tiles.placements(self.state, self.state.turn.ap, closed):
            yield from self.laid(way)

    def laid(self, way: Placement) -> Iterator[Step]:
        action = way.actions[self.seat]
        closing = self.closing(self.board.with_tile(way)) if self.near_water & way.mask else []
        if self.last and not closing:
            return
        if not closing and not any(land & way.mask for land in self.held):
            yield self.own, action
            return
        for banks in (0, *closing):
            yield from ((stand, action) for stand in self.spread_out(way.mask, banks))

    def due_tiles(self) -> Iterator[Step]:
        """A turn that begins with its tile takes the Incas as they stand."""
        for way in tiles.placements(self.state, self.state.turn.ap):
            yield self.own, way.actions[self.seat]

    def walks(self) -> Iterator[Step]:
        """One Inca from each land to each other land in reach, wherever there."""
        names, ap = self.layout.names, self.state.turn.ap
        for land in self.held:
            origin = (land & self.own).bit_length() - 1
            for cost, area in enumerate(reach(self.state, self.seat, origin)):
                if cost > ap:
                    break
                for there in pieces(area) if cost else ():
                    room = there & ~self.own
                    if room:
                        to = names[room.bit_length() - 1]
                        yield self.own, a.MoveInca(self.seat, names[origin], to)

    def doors(self) -> Iterator[Step]:
        seat, names, ap = self.seat, self.layout.names, self.state.turn.ap
        for cost, gates in self.layout.doors.items():
            for land in self.lands if cost <= ap else ():
                count = (land & self.own).bit_count()
                if not land & gates:
                    continue
                door = (land & gates).bit_length() - 1
                if self.own.bit_count() < INCAS and land.bit_count() > count:
                    stand = self.standing(avoid=bit(door))
                    if stand is not None:
                        yield stand, a.EnterInca(seat, names[door])
                if count:
                    stand = self.standing(prefer=bit(door))
                    if stand is not None:
                        yield stand, a.LeaveInca(seat, names[door])


def highest(board: Board, area: int, count: int) -> int:
    """So many of the highest hexes of an area; all of them if it has fewer."""
    found = 0
    for plane in reversed(board.planes):
        for hex_ in bits(plane & area):
            if found.bit_count() >= count:
                return found
            found |= bit(hex_)
    return found


def free_moves(state: State, seat: int, stand: int) -> list[a.MoveInca]:
    """The steps, which cost nothing, that bring a seat's Incas to where they are to stand."""
    options, names, found = Options(state, seat), state.edition.layout.names, []
    for land in options.held:
        leave, come = bits(land & options.own & ~stand), bits(land & stand & ~options.own)
        found += [a.MoveInca(seat, names[o], names[t]) for o, t in zip(leave, come, strict=True)]
    return found


def stood(state: State, seat: int, stand: int) -> State:
    """The position with a seat's Incas elsewhere in their lands."""
    if stand == state.incas[seat]:
        return state
    incas = tuple(stand if one == seat else mask for one, mask in enumerate(state.incas))
    return amend(state, incas=incas)
