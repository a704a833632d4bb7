"""The engine against a second reading of the rules that knows nothing of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.core.chance import Chance
from engine.core.match import advance, start
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.bots import steady
from engine.tahuantinsuyu.state import State
from tests.engine.matches import orders
from tests.games.tahuantinsuyu.oracle import Oracle


def deal_cards(form: dict[str, Any], rng: Random) -> dict[str, Any]:
    """The same table with other cards on the sun board, so that every card meets every other."""
    cards = [*form["pile"], *form["discard"]]
    rng.shuffle(cards)
    sun = {
        sector: cards[7 * n : 7 * n + rng.randrange(8)]
        for n, sector in enumerate(SECTORS[form["seats"]])
    }
    laid_out = [card for some in sun.values() for card in some]
    rest = list(cards)
    for card in laid_out:
        rest.remove(card)
    labour = [rng.randrange(20) for _ in range(form["seats"])]
    return {**form, "sun": sun, "pile": rest, "discard": [], "labour": labour}


SECTORS = {
    3: ("orange-brown", "brown-green", "green-orange"),
    4: ("orange-blue", "blue-brown", "brown-green", "green-orange"),
}


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_both_find_the_same_orders_in_a_match_of_steady_and_random_players(
    seats: int, seed: int
) -> None:
    rng, draws = Random(seed), Chance(f"oracle {seed}", "match", 1)
    state: State = start(GAME, seats, {}, f"oracle {seed}").state
    compared = 0
    while asked := GAME.to_act(state):
        (seat,) = asked
        if rng.random() < 0.15:
            assert set(orders(GAME, state)) == Oracle(GAME.dump(state)).legal()
            compared += 1
        legal = list(GAME.legal(state, seat))
        view = GAME.view(state, seat)
        action = rng.choice(legal) if rng.random() < 0.3 else steady(GAME, view, legal, draws)
        state = advance(GAME, state, GAME.decide(state, action, draws))
    assert compared > 20


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(4))
def test_both_find_the_same_orders_under_any_sun(seats: int, seed: int) -> None:
    """Turns played at random to their end under many cards at once, from states of a match."""
    rng, draws = Random(seed), Chance(f"sun {seed}", "match", 1)
    state: State = start(GAME, seats, {}, f"sun {seed}").state
    used: set[str] = set()
    while asked := GAME.to_act(state):
        (seat,) = asked
        if state.phase == "people" and not state.turn.done and rng.random() < 0.5:
            used |= play_out(
                GAME.evolve(None, GAME.load(deal_cards(GAME.dump(state), rng))), rng, draws
            )
        legal = list(GAME.legal(state, seat))
        action = steady(GAME, GAME.view(state, seat), legal, draws)
        state = advance(GAME, state, GAME.decide(state, action, draws))
    assert {"road", "wild", "buy", "conquer", "terrace"} <= used


def play_out(state: State, rng: Random, draws: Chance) -> set[str]:
    """Plays one turn at random, comparing after every order; the verbs that were used."""
    seat, used = state.turn.seat, set[str]()
    while state.turn.seat == seat:
        told = orders(GAME, state)
        assert set(told) == Oracle(GAME.dump(state)).legal()
        verbs = sorted({order.split()[0] for order in told} - {"end"}) or ["end"]
        verb = rng.choice(verbs)
        order = rng.choice([order for order in told if order.split()[0] == verb])
        used.add(order.split()[0])
        action = GAME.parse(seat or 0, order)
        state = advance(GAME, state, GAME.decide(state, action, draws))
    return used
