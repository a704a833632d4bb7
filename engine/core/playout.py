"""Random matches and perft: how often, how fast and how many."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, act, advance, start


def random_acts(match: Match, rng: Random) -> Iterator[Match]:
    """The match after each of its orders, all chosen at random, until it is over."""
    game = match.game
    while seats := game.to_act(match.state):
        seat = rng.choice(seats)
        match = act(match, rng.choice(list(game.legal(match.state, seat))))
        yield match


def random_match(game: Game, seats: int, seed: int, **options: bool) -> Match:
    """A whole random match with its log."""
    match = start(game, seats, options, f"random {seed}")
    for later in random_acts(match, Random(seed)):
        match = later
    return match


def random_state(game: Game, seats: int, seed: int) -> tuple[Any, int]:
    """The end of a random match played without a log, and its number of orders: for speed alone."""
    rng, orders = Random(seed), 0
    draws = Chance(f"random {seed}", "playout", 1)
    state = advance(
        game, None, game.setup(seats, {n: o.default for n, o in game.options.items()}, draws)
    )
    while asked := game.to_act(state):
        action = rng.choice(list(game.legal(state, asked[0])))
        state = advance(game, state, game.decide(state, action, draws))
        orders += 1
    return state, orders


def perft(match: Match, depth: int) -> int:
    """The number of legal order sequences of that length, each draw as it would fall if it were played."""
    return count(match, match.state, match.head, depth)


def count(match: Match, state: Any, head: int, depth: int) -> int:
    """`perft` from a state whose last event stands at `head`; the log itself need not be kept."""
    game = match.game
    if depth == 0:
        return 1
    actions = [x for seat in game.to_act(state) for x in game.legal(state, seat)]
    if depth == 1:
        return len(actions)
    nodes = 0
    for action in actions:
        events = game.decide(state, action, match.draws(head + 1))
        nodes += count(match, advance(game, state, events), head + len(events), depth - 1)
    return nodes
