"""What random matches of Inka must never break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import pytest

from engine.core.match import Match, play
from engine.core.secrecy import owners
from engine.inka.events import (
    BlockadeLifted,
    BlockadeSet,
    LozengeDrawn,
    LozengeLaid,
    MatchEnded,
    StatueTaken,
    TurnBegan,
    TurnEnded,
)
from engine.inka.printed_board import COVER, DESTINATIONS, LOZENGES, PAIRS, PATHS
from engine.inka.state import State
from tests.engine.matches import orders, walk
from tests.games.inka.table import GAME

SEATS = [2, 3, 4]
every_table = pytest.mark.parametrize("seats", SEATS)


def steps(seats: int, seed: int, **options: Any) -> Iterator[Match]:
    """A random match, order by order; short ones, for a random pawn seldom finds the way out."""
    return walk("inka", seats, seed, **{"round_limit": 8, **options})


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_lozenges_never_overlap_leave_or_get_lost(seats: int, seed: int) -> None:
    for match in steps(seats, seed):
        state: State = match.state
        lying = state.ground.lying
        covers = [COVER[place] for place in lying.values()]
        assert sum(map(int.bit_count, covers)) == state.ground.covered.bit_count() == 2 * len(lying)
        hand = [state.drawn] if state.drawn else []
        assert sorted([*lying, *hand, *state.undrawn]) == sorted(LOZENGES)


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_everybody_stands_where_one_can_stand(seats: int, seed: int) -> None:
    for match in steps(seats, seed):
        state: State = match.state
        there = [cell for cell in (*state.pawns, *state.blockades) if cell is not None]
        assert len(set(there)) == len(there)
        assert not state.pawn_cells & ~state.ground.walkable
        assert 0 <= state.turn.ap <= 3


@every_table
@pytest.mark.parametrize("seed", range(3))
def test_blockades_keep_their_rules(seats: int, seed: int) -> None:
    for match in steps(seats, seed):
        state: State = match.state
        bearing = [state.ground.halves.get(cell) for cell in state.blockades if cell is not None]
        assert not set(DESTINATIONS) & set(bearing)
        on_paths = [id_ for id_ in bearing if id_]
        assert len(set(on_paths)) == len(on_paths)
        if not state.over:
            assert state.blockades[state.turn.seat] is None
        if state.phase != "turn":
            assert not state.blockade_cells


@every_table
def test_a_lozenge_under_a_blockade_lies_still(seats: int) -> None:
    for before, now in pairwise(match.state for match in steps(seats, 5)):
        for id_ in before.fixed & now.fixed:
            assert before.ground.lying[id_] == now.ground.lying[id_]


@every_table
def test_statues_are_conserved(seats: int) -> None:
    match = last(steps(seats, 6))
    events = [entry.event for entry in match.log]
    taken = [(e.seat, e.lozenge) for e in events if isinstance(e, StatueTaken)]
    assert len(set(taken)) == len(taken)
    assert sorted(taken) == sorted((s, d) for s, row in enumerate(match.state.taken) for d in row)
    assert sum(GAME.scores(match.state)) == len(taken)


@every_table
@pytest.mark.parametrize("seed", range(2))
def test_events_add_up(seats: int, seed: int) -> None:
    events = [entry.event for entry in last(steps(seats, seed, round_limit=5)).log]
    kinds = [type(event) for event in events]
    assert kinds.count(LozengeDrawn) == kinds.count(LozengeLaid) == len(PATHS)
    assert kinds.count(MatchEnded) == 1
    ends = [event.ended for event in events if isinstance(event, TurnEnded)]
    assert ends == list(range(1, len(ends) + 1))
    assert len(ends) == 5 * seats or next(e for e in events if isinstance(e, MatchEnded)).escaped
    assert kinds.count(BlockadeSet) >= kinds.count(BlockadeLifted)


@every_table
def test_no_turn_costs_more_than_three_points(seats: int) -> None:
    spent = 0
    for entry in last(steps(seats, 7)).log:
        spent = 0 if isinstance(entry.event, TurnBegan) else spent + getattr(entry.event, "cost", 0)
        assert spent <= 3


@every_table
def test_pawns_only_move_by_their_own_order_or_on_a_lozenge(seats: int) -> None:
    for before, now in pairwise(steps(seats, 8)):
        for seat, (was, is_) in enumerate(zip(before.state.pawns, now.state.pawns, strict=True)):
            if was == is_ or now.log[-1].seat == seat or was is None:
                continue
            lozenge = before.state.ground.halves[was]
            half = PAIRS[before.state.ground.lying[lozenge]].index(was)
            assert PAIRS[now.state.ground.lying[lozenge]][half] == is_


def last(matches: Iterator[Match]) -> Match:
    for match in matches:
        kept = match
    return kept


# Two worlds: the only thing that nobody knows is what will be drawn


@every_table
def test_two_worlds_that_differ_in_their_seed_look_alike_until_something_is_drawn(
    seats: int,
) -> None:
    for match in islice(steps(seats, 9), 0, None, 4):
        other = replace(match, seeds=((1, "another seed"),))
        for seat in (None, *range(seats)):
            view, twin = (GAME.view(m.state, seat) for m in (match, other))
            assert view == twin
            assert GAME.render(view, str) == GAME.render(twin, str)
        assert orders(GAME, match.state) == orders(GAME, other.state)


def test_nobody_sees_the_next_draw_and_everybody_sees_the_same() -> None:
    (match,) = islice(steps(3, 10), 6, 7)
    assert match.state.phase == "lay"
    views = [replace(GAME.view(match.state, seat), seat=None) for seat in (None, 0, 1, 2)]
    assert views == [views[0]] * 4
    (seat,) = GAME.to_act(match.state)
    order = orders(GAME, match.state)[0]
    draws = {
        play(replace(match, seeds=((1, f"seed {n}"),)), seat, order).state.drawn for n in range(60)
    }
    assert draws == set(
        match.state.undrawn
    )  # each may come, and the view tells no more than this set


def test_no_event_of_inka_has_a_secret_part() -> None:
    assert all(not owners(kind) for kind in (*GAME.events, *GAME.actions))


def test_whoever_lays_commits_before_the_next_draw() -> None:
    for order, draws in {"start r0c0": True, "lay r4c4 r4c5": True, "walk r0c1": False}.items():
        assert GAME.commits(None, GAME.parse(0, order)) is draws
