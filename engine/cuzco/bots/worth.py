"""What a position is worth to a seat, in PP: points made, standing in the cities, and what may yet come."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import pow  # noqa: A004 - the built-in one has no type of its own for broken powers

from engine.cuzco.board import Board
from engine.cuzco.edition import VALUES
from engine.cuzco.hexes import SIZE, bit, flood, pieces, spread
from engine.cuzco.scoring import POND_POINTS
from engine.cuzco.state import TRIPLES, State, Stock

SMALL = 6  # basins that one turn can lay
FAR = 28  # triples with which the end comes into sight
SPENT = 3  # triples that a turn can take beside other things
MOST_KEPT = 10  # tiles of one's own, which a given position may exceed
KEPT = 4  # of them that a last turn has a use for
FEW = 3  # banks of a pond that a turn can lay beside other things


@dataclass(frozen=True, slots=True)
class Taste:
    """How many PP a bot thinks that things are worth which are no points yet."""

    early: float  # the part of a city's final points that counts at the beginning of the match
    late: float  # and when the last triple is about to be laid
    growth: float  # the part of what the next step of a temple would bring oneself
    threat: float  # and another
    water: float  # the part of a pond's points before it is closed
    inca: float
    level: float  # for each level on which an Inca stands
    card: float
    token: float
    tile: float
    rival: float = 1.0  # how often the best of the others counts among them
    turn: float = 0.0  # what a turn more than the others is worth
    last: float = 0.0  # what a tile of one's own is worth in the last turn


Water = tuple[int, int]  # a pond or hollow, and how many basins or banks it lacks


class Judge:
    """Weighs states for one seat. What many states of one turn share is worked out once."""

    def __init__(self, seat: int, taste: Taste, whims: Sequence[float] = (0.0,) * SIZE) -> None:
        self.seat, self.taste, self.whims = seat, taste, whims
        self._cities: dict[int, int] = {}
        self._waters: dict[tuple[int, int], list[Water]] = {}

    def worth(self, state: State) -> float:
        """The prospects of the seat less the mean of the others', of whom the best counts as often as `rival` says."""
        sums = self.prospects(state)
        own = sums.pop(self.seat)
        more = self.taste.rival - 1
        return own - (sum(sums) + more * max(sums)) / (len(sums) + more)

    def prospects(self, state: State) -> list[float]:
        """What each seat has and may hope for."""
        near = 1.0 if state.opened_by is not None else 1 - state.supply.triples / TRIPLES
        seats = range(state.seats)
        shares = [self.share(state, seat, near) for seat in seats]
        hopes = [self.hope(state, seat) for seat in seats]
        sums: list[float] = list(state.scores)
        self.add_cities(state, sums, shares, hopes)
        self.add_waters(state, sums, hopes)
        for seat in seats:
            if hopes[seat]:
                sums[seat] += (1 - near**4) * self.belongings(state, seat)
                sums[seat] += self.kept(state.stocks[seat], near)
        if self.taste.turn:
            self.add_turns(state, sums)
        return sums

    def add_turns(self, state: State, sums: list[float]) -> None:
        """What it is worth to sit before whoever opens the last round: a turn more than he has (C-E2)."""
        chances = opening(state)
        for seat in range(state.seats):
            sums[seat] += self.taste.turn * sum(chances[seat + 1 :])

    def share(self, state: State, seat: int, near: float) -> float:
        """The part of the final points that a seat may count on now."""
        if seat in state.scored:
            return 0.0
        if state.opened_by is not None:
            return 1.0
        return self.taste.early + (self.taste.late - self.taste.early) * near

    def hope(self, state: State, seat: int) -> float:
        """The part of a chance that a seat will have; nothing if no turn of its own is to come.

        Of a rival without hope nothing but points and standing is weighed.
        """
        if seat in state.scored or (state.opened_by is not None and seat == state.turn.seat):
            return 0.0
        return self.taste.growth if seat == self.seat else self.taste.threat

    def add_cities(
        self, state: State, sums: list[float], shares: list[float], hopes: list[float]
    ) -> None:
        """Final points by rank (C-E3), and the next step of a temple for who stands highest (C-T2)."""
        board, incas, built = state.board, state.incas, 0
        for hex_, temple in board.temples.items():
            city, value = self.city(board, hex_), temple.value
            built |= city
            ranks = ranked(board, incas, city)
            for seats, points in zip(ranks, (value, value // 2), strict=False):
                for seat in seats:
                    sums[seat] += shares[seat] * points
            if value < VALUES[-1] and (first := hopeful(ranks, hopes)) is not None:
                sums[first] += hopes[first] * step(state, value, city, shares[first])
        left = state.all_incas & board.villages & ~built
        while left:
            village = flood(left & -left, board.villages)
            left &= ~village
            first = hopeful(ranked(board, incas, village), hopes)
            if first is not None:
                sums[first] += hopes[first] * step(state, 0, village, shares[first])

    def city(self, board: Board, hex_: int) -> int:
        """The city of a temple: mostly the same as in the state before."""
        city, villages = self._cities.get(hex_, 0), board.villages
        if not city or city & villages != city or spread(city) & villages & ~city:
            city = self._cities[hex_] = flood(bit(hex_), villages)
        return city

    def add_waters(self, state: State, sums: list[float], hopes: list[float]) -> None:
        """Hollows that basins would fill, and ponds that lack a bank or two (C-B2)."""
        for area, lacking in self.waters(state) if self.taste.water else ():
            first = hopeful(ranked(state.board, state.incas, spread(area) & ~area), hopes)
            if first is not None:
                points = POND_POINTS * area.bit_count()
                sums[first] += hopes[first] * self.taste.water * points / (lacking + 1)

    def waters(self, state: State) -> list[Water]:
        board = state.board
        key = (board.terrain, board.basins)
        if key not in self._waters:
            self._waters[key] = [*hollows(board, min(SMALL, state.supply.basins)), *ponds(board)]
        return self._waters[key]

    def belongings(self, state: State, seat: int) -> float:
        """Incas, cards, tokens and tiles, which help who has turns to use them."""
        taste, stock, incas = self.taste, state.stocks[seat], state.incas[seat]
        levels = 0
        for level, plane in enumerate(state.board.planes):
            levels += level * (plane & incas).bit_count()
        return (
            taste.inca * pow(incas.bit_count(), 0.75)
            + taste.level * levels
            + taste.card * pow(len(state.hands[seat]), 0.7)
            + taste.token * stock.tokens
            + taste.tile * own_tiles(stock)
        )

    def kept(self, stock: Stock, near: float) -> float:
        """What a few own tiles are worth for the last turn, when no triple is left to lay (C-E1, C-E2)."""
        return self.taste.last * (1 + near) / 2 * min(own_tiles(stock), KEPT)


def own_tiles(stock: Stock) -> int:
    return stock.doubles + stock.crops + stock.villages


def opening(state: State) -> tuple[float, ...]:
    """How likely each seat is to open the last round if the turn ends now: anybody, as long as the end is far."""
    seats, left = state.seats, state.supply.triples
    if state.opened_by is not None:
        return alone(state.opened_by, seats)
    sure = 1 - left / FAR
    if sure <= 0:
        return (1 / seats,) * seats
    own = tuple(min(own_tiles(stock), MOST_KEPT) for stock in state.stocks)
    expected = opening_with(left, (state.turn.seat + 1) % seats, own)
    return tuple(sure * chance + (1 - sure) / seats for chance in expected)


@lru_cache(maxsize=4096)
def opening_with(left: int, seat: int, own: tuple[int, ...]) -> tuple[float, ...]:
    """The same if it is the turn of `seat`: nobody opens while he can help it.

    Who can leave one triple to the next does so. Who finds one lays a tile of his own instead, while he has any.
    """
    after = (seat + 1) % len(own)
    if left <= 1:
        if not own[seat]:
            return alone(seat, len(own))
        return opening_with(left, after, (*own[:seat], own[seat] - 1, *own[seat + 1 :]))
    if left <= 1 + SPENT:
        return opening_with(1, after, own)
    ways = [opening_with(left - spent, after, own) for spent in range(1, SPENT + 1)]
    return tuple(sum(chances) / SPENT for chances in zip(*ways, strict=True))


def alone(seat: int, seats: int) -> tuple[float, ...]:
    return tuple(float(s == seat) for s in range(seats))


def hopeful(ranks: list[list[int]], hopes: list[float]) -> int | None:
    """Who stands highest alone and has something to hope for."""
    if not ranks or len(ranks[0]) > 1 or not hopes[ranks[0][0]]:
        return None
    return ranks[0][0]


def step(state: State, was: int, group: int, share: float) -> float:
    """The PP that the highest possible value of a temple would bring, now and at the end; an odd hex is half a step."""
    size = group.bit_count()
    if size % 2 == 0 or size > VALUES[-1]:
        return step_to(state, was, size, share)
    return (step_to(state, was, size, share) + step_to(state, was, size + 1, share)) / 2


def step_to(state: State, was: int, size: int, share: float) -> float:
    """The same for exactly that many hexes."""
    value = reachable(state.supply.floors, state.edition.stacked, was, size)
    return value // 2 + share * (value - was) if value else 0.0


@lru_cache(maxsize=4096)
def reachable(floors: tuple[int, ...], stacked: bool, was: int, size: int) -> int:
    """The highest value that a temple may get with these floors in the supply (C-T4, C-T5, J-T5), or 0."""
    left = dict(zip(VALUES, floors, strict=True))
    for value in reversed(VALUES):
        needed = [v for v in VALUES if was < v <= value] if stacked else [value]
        if was < value <= size and all(left[floor] for floor in needed):
            return value
    return 0


def ranked(board: Board, incas: tuple[int, ...], area: int) -> list[list[int]]:
    """The seats with Incas in `area`, the highest first, those level with each other together."""
    present = [seat for seat, mask in enumerate(incas) if mask & area]
    if len(present) < 2:
        return [present] if present else []
    if len(present) == 2:
        return duel(board, present, incas[present[0]] & area, incas[present[1]] & area)
    heights: dict[tuple[int, ...], list[int]] = {}
    for seat in present:
        heights.setdefault(board.heights(incas[seat] & area), []).append(seat)
    return [heights[key] for key in sorted(heights, reverse=True)]


def duel(board: Board, present: list[int], one: int, other: int) -> list[list[int]]:
    """`ranked` for two: the first difference from the top decides."""
    for plane in reversed(board.planes):
        ahead = (plane & one).bit_count() - (plane & other).bit_count()
        if ahead:
            first, second = present if ahead > 0 else reversed(present)
            return [[first], [second]]
    return [present]


def hollows(board: Board, most: int) -> list[Water]:
    """Small pieces of bare hexes and basins with tiles all around, and the basins that they lack."""
    layout = board.layout
    dry = layout.hexes & ~board.terrain
    outer = flood((layout.ring | layout.border) & dry, dry)
    found = ((area, (area & ~board.basins).bit_count()) for area in pieces(dry & ~outer))
    return [(area, lacking) for area, lacking in found if 0 < lacking <= most]


def ponds(board: Board) -> list[Water]:
    """Open ponds that lack a bank or two."""
    found = ((pond, (spread(pond) & ~pond & ~board.terrain).bit_count()) for pond in board.ponds)
    return [(pond, lacking) for pond, lacking in found if 0 < lacking <= FEW]
