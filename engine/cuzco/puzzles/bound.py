"""The most points that a turn could still bring, never too few: so that a search may leave out what cannot matter.

Points come from temples and ponds alone. A temple takes 1 AP, once a turn each; a tile adds one village hex, which
enlarges one village or joins some, and may cut a city in two; a basin takes 1 AP; what one tile does for a
village it may at the same time do for a pond.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

from engine.cuzco.bots.worth import reachable
from engine.cuzco.hexes import bits, flood, pieces, spread
from engine.cuzco.scoring import POND_POINTS
from engine.cuzco.state import State

LARGEST = 3  # hexes of a tile
Table = list[list[int]]  # points by temple orders and by village hexes added


def most_points(state: State, seat: int) -> int:
    """No turn of the seat brings more than this with the AP that it has."""
    ap, board = state.turn.ap, state.board
    near = tuple(bool(group & state.incas[seat]) for group in village_groups(board.villages))
    temples = tuple(sorted((at, temple.value) for at, temple in board.temples.items()))
    floors = state.supply.floors
    dry = temple_points(
        board.villages,
        temples,
        state.turn.changed,
        near,
        floors,
        state.edition.stacked,
        board.layout.hexes,
        ap,
    )
    layout = board.layout
    wet = pond_points(board.terrain, board.basins, layout.site & ~layout.border, layout.hexes, ap)
    basins = min(ap, state.supply.basins)
    return max(
        dry[tiles][ap - tiles - new] + wet[tiles][new]
        for tiles in range(ap + 1)
        for new in range(min(basins, ap - tiles) + 1)
    )


# Temples


@lru_cache(maxsize=4096)
def village_groups(villages: int) -> tuple[int, ...]:
    return tuple(pieces(villages))


@lru_cache(maxsize=50_000)
def temple_points(
    villages: int,
    temples: tuple[tuple[int, int], ...],
    changed: int,
    near: tuple[bool, ...],
    floors: tuple[int, ...],
    stacked: bool,
    land: int,
    ap: int,
) -> list[list[int]]:
    """By tiles laid and AP besides, the points of the best temples of all villages together."""
    values = dict(temples)
    groups = village_groups(villages)
    offers, others = list[list[tuple[int, ...]]](), list[tuple[int, ...]]()
    for group, here in zip(groups, near, strict=True):
        sizes = village_sizes(villages, group, land, ap)
        at = next((hex_ for hex_ in values if group >> hex_ & 1), None)
        was = values[at] if at is not None else 0
        done = at is not None and bool(changed >> at & 1)
        first = tuple(0 if done else reachable(floors, stacked, was, size) // 2 for size in sizes)
        offers.append([first if here else (0,) * len(first), first])
        others.append(tuple(reachable(floors, stacked, 0, size) // 2 for size in sizes))
    cut = tuple(max(column, default=0) for column in zip(*others, strict=True)) or (0,) * (ap + 1)
    return [best_with(tiles, offers, cut, ap, floors, stacked) for tiles in range(ap + 1)]


def best_with(
    tiles: int,
    offers: list[list[tuple[int, ...]]],
    cut: tuple[int, ...],
    ap: int,
    floors: tuple[int, ...],
    stacked: bool,
) -> list[int]:
    """By AP besides, the points of temples if so many tiles are laid."""
    left = ap - tiles
    table: Table = [[0] * (tiles + 1) for _ in range(left + 1)]
    for here, anywhere in offers:
        # Where no Inca stands, a tile that joins it to another village or an AP for the way comes first.
        one = [max(here[k], anywhere[k] if k else 0) for k in range(tiles + 1)]
        table = with_offer(table, one, anywhere[: tiles + 1])
    for _ in range(min(tiles, left)):  # each tile may cut one city more in two
        table = with_offer(table, list(cut[: tiles + 1]), cut[: tiles + 1])
    new = [reachable(floors, stacked, 0, k) // 2 if k > 1 else 0 for k in range(tiles + 1)]
    for _ in range(tiles // 2):  # villages all of new hexes
        table = with_offer(table, new, new)
    return [max(row) for row in table]


def with_offer(table: Table, one: Sequence[int], two: Sequence[int]) -> Table:
    """The table with one temple more: for 1 AP or for 2, by the hexes that its village gets."""
    if not any(two):
        return table
    found = [list(row) for row in table]
    for spent, row in enumerate(table):
        for used, points in enumerate(row):
            for k in range(len(row) - used):
                if spent + 1 < len(table):
                    better(found, spent + 1, used + k, points + one[k])
                if spent + 2 < len(table):
                    better(found, spent + 2, used + k, points + two[k])
    return found


def better(table: Table, spent: int, used: int, points: int) -> None:
    table[spent][used] = max(table[spent][used], points)


@lru_cache(maxsize=50_000)
def village_sizes(villages: int, group: int, land: int, ap: int) -> tuple[int, ...]:
    """How large a village can become by 0, 1, 2 … village hexes."""
    groups = village_groups(villages)
    return tuple(grown(group, groups, villages, land, tiles) for tiles in range(ap + 1))


def grown(group: int, groups: Iterable[int], villages: int, land: int, tiles: int) -> int:
    if not tiles:
        return group.bit_count()
    if tiles == 1:
        return max(joined_sizes(group, villages, land), default=group.bit_count())
    wide = group
    for _ in range(tiles + 1):
        wide |= spread(wide)
    return tiles + sum(other.bit_count() for other in groups if other & wide)


def joined_sizes(group: int, villages: int, land: int) -> Iterable[int]:
    """The sizes of a village with each of the hexes beside it."""
    beside = spread(group) & ~villages & land
    return (flood(group, villages | 1 << hex_).bit_count() for hex_ in bits(beside))


# Water


@lru_cache(maxsize=50_000)
def pond_points(terrain: int, basins: int, room: int, land: int, ap: int) -> list[list[int]]:
    """By tiles laid and new basins, the points of all ponds that could be closed by them."""
    lacking = [
        (pond.bit_count(), (spread(pond) & ~pond & ~terrain).bit_count()) for pond in pieces(basins)
    ]
    fresh = fewest_banks(terrain, basins, room, land)
    return [
        [
            POND_POINTS
            * (
                sum(size for size, banks in lacking if 0 < banks <= LARGEST * tiles + new)
                + (new if new and fresh <= LARGEST * tiles + new - 1 else 0)
            )
            for new in range(ap - tiles + 1)
        ]
        for tiles in range(ap + 1)
    ]


def fewest_banks(terrain: int, basins: int, room: int, land: int) -> int:
    """How many hexes must be covered, at the least, beside a new basin: those of its own that are bare."""
    bare = room & ~terrain & ~basins
    return min(
        ((spread(1 << hex_) & ~terrain & ~basins).bit_count() for hex_ in bits(bare)),
        default=len(bits(land)),
    )
