"""Who stands highest, and what it brings (C-T2, C-B2, C-E3)."""

from __future__ import annotations

from engine.cuzco.board import Board
from engine.cuzco.events import CityScore, FinalScored, PondClosed
from engine.cuzco.hexes import spread
from engine.cuzco.state import State

POND_POINTS = 3  # for each basin


def leader(board: Board, incas: tuple[int, ...], area: int) -> int | None:
    """The seat in the highest position in `area`; a tie for the best is nobody's."""
    heights = [board.heights(mask & area) for mask in incas]
    best = max(heights)
    return heights.index(best) if any(best) and heights.count(best) == 1 else None


def rank(state: State, seat: int, area: int) -> int:
    """The dense rank of `seat` in `area`: 1 for the best, also when tied; 0 without an Inca there."""
    if not state.incas[seat] & area:
        return 0
    heights = [state.board.heights(incas & area) for incas in state.incas]
    return 1 + len({height for height in heights if height > heights[seat]})


def closed_ponds(state: State, board: Board) -> list[PondClosed]:
    """The ponds that `board` surrounds and the state's board did not yet, each scored by itself."""
    new = board.surrounded - state.board.surrounded
    return [pond_closed(state, board, pond) for pond in sorted(new)]


def pond_closed(state: State, board: Board, pond: int) -> PondClosed:
    seat = leader(board, state.incas, spread(pond) & ~pond)
    points = 0 if seat is None else POND_POINTS * pond.bit_count()
    return PondClosed(state.edition.layout.named(pond), seat, points)


def final(state: State, seat: int) -> FinalScored:
    """The final scoring of one player, city by city (C-E3)."""
    cities = []
    for hex_, city in state.board.cities.items():
        place, value = rank(state, seat, city), state.board.temples[hex_].value
        if place in (1, 2):
            name = state.edition.layout.names[hex_]
            cities.append(CityScore(name, value, place, value if place == 1 else value // 2))
    cities.sort(key=lambda city: city.at)
    return FinalScored(seat, tuple(cities), sum(city.points for city in cities))
