"""The legal moves of lozenges, compared with shapes that are really pushed and turned (`slowly`)."""

from __future__ import annotations

from itertools import islice

import pytest

from engine.inka.printed_board import INDEX, NAMES, NEIGHBOURS, PAIR_NAMES, SIDES, bits, walls
from engine.inka.printed_board import LOZENGES as PRINTED
from engine.inka.state import State
from tests.engine.matches import walk
from tests.games.inka import slowly

HOW = {"slide": slowly.slides, "turn": slowly.turns}


def blocked(state: State, id_: str) -> set[str]:
    """The names of the cells that stop a lozenge."""
    own = set(PAIR_NAMES[state.ground.lying[id_]])
    others = {NAMES[c] for c, other in state.ground.halves.items() if other != id_}
    there = {NAMES[c] for c in (*state.pawns, *state.blockades) if c is not None}
    return others | (there - own)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("how", HOW)
def test_a_lozenge_goes_where_a_real_one_could(how: str, seed: int) -> None:  # K-L1, K-L2
    match = next(islice(walk("inka", 2 + seed, seed), 40 + seed, None))
    state: State = match.state
    for id_, place in state.ground.lying.items():
        found = {PAIR_NAMES[p] for p in state.ground.destinations(how, id_, state.standing)}
        assert found == HOW[how](*PAIR_NAMES[place], blocked(state, id_))


@pytest.mark.parametrize("seed", range(4))
def test_a_walk_costs_what_the_cheapest_way_step_by_step_does(seed: int) -> None:  # K-W2
    match = next(islice(walk("inka", 2, seed), 60, None))
    ground, origin = match.state.ground, match.state.pawns[0]
    areas = ground.reach(origin, 9)
    found = {cell: cost for cost, area in enumerate(areas) for cell in bits(area)}
    prices, waiting = {origin: 0}, [origin]
    while waiting:
        here = waiting.pop()
        for there in NEIGHBOURS[here]:
            walled = ground.walls >> SIDES[here, there] & 1
            price = prices[here] + (ground.snakes >> there & 1)
            if ground.walkable >> there & 1 and not walled and price < prices.get(there, 99):
                prices[there] = price
                waiting.append(there)
    assert found == prices


def test_walls_stand_on_the_sides_that_they_are_printed_on() -> None:  # K-W1
    for place, (h0, h1) in enumerate(PAIR_NAMES):
        a0, o1, a2, o3 = slowly.corners(h0, h1)
        ends = {"e0": (a0, o1), "e1": (o1, a2), "e2": (a2, o3), "e3": (o3, a0)}
        for id_ in ("L06", "L07", "L08", "L09", "L10", "L11"):
            expected = {side_between(*ends[edge], h0, h1) for edge in PRINTED[id_].walls} - {None}
            closed = walls(id_, place)
            assert {n for n in range(closed.bit_length()) if closed >> n & 1} == expected


def side_between(one: complex, other: complex, h0: str, h1: str) -> int | None:
    """The number of the side of the lozenge on h0 and h1 that runs between two points, unless it is the rim."""
    half = (
        h0
        if sum(slowly.same(one, v) or slowly.same(other, v) for v in slowly.POLYS[h0]) == 2
        else h1
    )
    middle, inner = (one + other) / 2, slowly.CENTRES[half]
    outside = slowly.look(middle + (middle - inner) / 3)
    return None if outside is None else SIDES[INDEX[half], INDEX[outside]]
