"""The bots: they play by the rules, from what their seat sees, and the better ones win more often.

How often is measured in `python -m tests.bench`; here a few matches show that they do.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest

from engine.core.bot import Bot, random
from engine.core.chance import Chance
from engine.core.match import advance
from engine.core.registry import bots
from engine.tahuantinsuyu import BOTS, GAME
from engine.tahuantinsuyu.bots.players import imagine
from engine.tahuantinsuyu.state import State
from tests.engine.matches import walk


def arena(players: list[Bot], seed: int) -> State:
    """The end of a match between bots."""
    draws = Chance(f"arena {seed}", "match", 1)
    own = [Chance(f"bot {seed} {seat}", "match", 1) for seat in range(len(players))]
    options = {name: option.default for name, option in GAME.options.items()}
    state = advance(GAME, None, GAME.setup(len(players), options, draws))
    while asked := GAME.to_act(state):
        (seat,) = asked
        legal = list(GAME.legal(state, seat))
        action = players[seat](GAME, GAME.view(state, seat), legal, own[seat])
        assert action in legal
        state = advance(GAME, state, GAME.decide(state, action, draws))
    return state


def test_the_registry_offers_four() -> None:
    assert list(bots(GAME)) == ["random", "steady", "keen", "master"]


@pytest.mark.parametrize("seed", range(3))
def test_steady_beats_two_random_ones_from_any_seat(seed: int) -> None:
    players: list[Bot] = [random] * 3
    players[seed] = BOTS["steady"]
    assert arena(players, seed).standing[0] == seed


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("seats", [3, 4])
def test_a_bot_always_chooses_a_legal_order(name: str, seats: int) -> None:
    for match in islice(walk("tahuantinsuyu", seats, 21, pizarro=True), 0, None, 31):
        for seat in GAME.to_act(match.state):
            legal = list(GAME.legal(match.state, seat))
            view = GAME.view(match.state, seat)
            assert BOTS[name](GAME, view, legal, Chance("x", "y", 1)) in legal


@pytest.mark.parametrize("name", BOTS)
def test_a_bot_does_the_same_whatever_it_cannot_see(name: str) -> None:
    rng = Random(1)
    for match in islice(walk("tahuantinsuyu", 4, 22), 5, 160, 31):
        state: State = match.state
        seat = GAME.to_act(state)[0]
        types = list(state.types)
        down = [n for n, kind in enumerate(types) if kind and not state.up >> n & 1]
        shuffled = [types[n] for n in down]
        rng.shuffle(shuffled)
        for n, kind in zip(down, shuffled, strict=True):
            types[n] = kind
        other = replace(state, types=tuple(types))
        choices = [
            BOTS[name](GAME, GAME.view(s, seat), list(GAME.legal(s, seat)), Chance("x", "y", 1))
            for s in (state, other)
        ]
        assert choices[0] == choices[1]


@pytest.mark.parametrize("seats", [3, 4])
def test_what_a_bot_imagines_looks_like_what_it_sees(seats: int) -> None:
    for match in islice(walk("tahuantinsuyu", seats, 23, pizarro=True), 0, None, 17):
        for seat in GAME.to_act(match.state):
            view = GAME.view(match.state, seat)
            assert GAME.show(GAME.view(imagine(view, Chance("x", "y", 1)), seat)) == GAME.show(view)
