"""Searches for puzzles: they find what an unhurried look at everything finds."""

from __future__ import annotations

from typing import Any

import pytest

from engine.core.arena import play
from engine.core.game import Game, amend
from engine.core.match import advance
from engine.core.puzzle import Puzzle, TooWide
from engine.core.puzzles import begin_puzzle, prove, puzzles, value_of
from engine.core.registry import find, find_bot, games, puzzling
from engine.cuzco.puzzles.bound import most_points
from tests.engine.matches import Rigid

MOST = 4000


def positions(game: Game) -> list[Any]:
    """Positions of a bots' match with the last AP of a turn, in which no tile is due and no token left."""
    found: list[Any] = []
    play(
        game,
        [find_bot(game, "steady")] * 2,
        "puzzles",
        watch=lambda _scores, state, _events: found.append(state),
    )
    return [without_token(state) for state in found if game.to_act(state) and last_point(state)][
        ::8
    ]


def last_point(state: Any) -> bool:
    return bool(state.turn.ap == 1 and state.turn.laid and state.festival is None)


def without_token(state: Any) -> Any:
    return amend(state, turn=amend(state.turn, token=True))


def points_at_once(game: Game, state: Any, seat: int) -> int:
    """The most that any one legal order brings."""
    best = 0
    for action in game.legal(state, seat):
        if not game.commits(state, action) and game.format(action) != "end":
            after = advance(game, state, game.decide(state, action, Rigid()))
            best = max(best, after.scores[seat] - state.scores[seat])
    return best


@pytest.mark.parametrize("key", ["cuzco", "java"])
def test_a_search_finds_no_less_than_any_order_brings_and_its_orders_bring_what_it_claims(
    key: str,
) -> None:
    game, asked = find(key), puzzling(key)
    assert asked
    looked = 0
    for state in positions(game):
        seat = state.turn.seat
        solution = asked.solve(game, state, seat, MOST, -1)
        puzzle = Puzzle("", key, game.dump(state), seat, solution.best, solution.orders, 0, "")
        assert value_of(puzzle, solution.orders) == solution.best
        assert points_at_once(game, state, seat) <= solution.best <= most_points(state, seat)
        looked += 1
    assert looked


def test_a_search_says_when_it_gives_up() -> None:
    game, asked = find("cuzco"), puzzling("cuzco")
    assert asked
    states: list[Any] = []
    play(
        game,
        [find_bot(game, "steady")] * 2,
        "wide",
        watch=lambda _scores, state, _events: states.append(state),
    )
    with pytest.raises(TooWide):
        asked.solve(game, states[0], states[0].turn.seat, 10, -1)


# Those that are stored

FEWEST = {"cuzco": 12, "java": 6, "tahuantinsuyu": 6, "inka": 6}
STORED = [puzzle for key in games() for puzzle in puzzles(key)]
every_puzzle = pytest.mark.parametrize(
    "puzzle", STORED, ids=[f"{one.game}-{one.key}" for one in STORED]
)


def test_every_game_has_puzzles() -> None:
    for key, fewest in FEWEST.items():
        assert len(puzzles(key)) >= fewest
        assert len({puzzle.key for puzzle in puzzles(key)}) == len(puzzles(key))


@every_puzzle
def test_the_solution_of_a_puzzle_brings_what_is_claimed(puzzle: Puzzle) -> None:
    game, state = find(puzzle.game), begin_puzzle(puzzle).state
    assert game.to_act(state) == (puzzle.seat,)
    assert value_of(puzzle, puzzle.solution) == puzzle.best > value_of(puzzle, [])


@every_puzzle
def test_no_turn_is_better_than_the_solution_of_a_puzzle(puzzle: Puzzle) -> None:
    assert prove(puzzle) == puzzle.nodes
