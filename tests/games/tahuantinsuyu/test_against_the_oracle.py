"""The engine against a second reading of the rules that knows nothing of it.

The engine is spoken to by the referee protocol alone. `campaign` is what `make soak` plays.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from engine.core.chance import Chance
from engine.core.match import advance, start
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.bots.players import steady
from tests.engine.matches import orders
from tests.games.tahuantinsuyu import oracle_after
from tests.games.tahuantinsuyu.odd_positions import odd_position
from tests.games.tahuantinsuyu.oracle import Oracle
from tests.games.witness import Witness, disagreements


class Table(Witness):
    """One match held by the engine's referee and by the oracle at once."""

    def __init__(self) -> None:
        super().__init__("tahuantinsuyu")
        self.form: dict[str, Any] = {}

    def sit_down(self, form: dict[str, Any]) -> None:
        self.begun, self.orders = form, []
        answer = self.ask("position", game=self.game, position=form)
        self.check("position", True, answer["ok"] or answer)
        self.form = oracle_after.fill(form)
        self.check_state(self.state())

    def begin(self, seats: int, seed: str) -> None:
        """A new match of the engine's; the oracle checks that it is a start (N-S, N-I1)."""
        self.ask("new", game=self.game, seats=seats, seed=seed, options={})
        self.begun, self.orders = {"seed": seed, "seats": seats}, []
        state = self.state()
        dealt = {key: state[key] for key in ("seats", "options", "colours", "order", "hands")}
        markers = {name: {"type": marker["type"]} for name, marker in state["markers"].items()}
        self.form = oracle_after.fill({**dealt, "markers": markers, "labour": [6] * seats})
        self.check("hands", [3] * seats, [len(hand) for hand in state["hands"]])
        self.check_state(state)

    def check_state(self, state: dict[str, Any]) -> None:
        expected = {
            **self.form,
            "sun": {k: cards for k, cards in self.form["sun"].items() if cards},
        }
        self.check("keys", sorted(expected), sorted(state))
        for key, value in expected.items():
            self.check(f"state, {key}", value, state[key])

    def compare(self) -> list[str]:
        """Everything that is known of this moment; the legal orders."""
        seat, over = self.form["turn"]["seat"], self.form["over"]
        self.check("to_act", [] if over else [seat], self.ask("to_act")["seats"])
        answer = self.ask("scores")
        self.check("scores", (self.form["scores"], over), (answer["scores"], answer["over"]))
        self.check("winners", oracle_after.winners(self.form), answer.get("winners", []))
        legal = [] if over else sorted(Oracle(self.form).legal())
        for other in range(self.form["seats"]):
            got = self.ask("legal", seat=other)["orders"]
            expected = legal if other == seat else []
            missing, wrong = set(expected) - set(got), set(got) - set(expected)
            self.check("legal, missing and wrong", (set(), set()), (missing, wrong))
            self.check("legal, sorted", expected, got)
        return legal

    def play(self, order: str) -> None:
        answer = self.ask("order", seat=self.form["turn"]["seat"], order=order)
        self.orders.append(order)
        self.check(f"{order} accepted", True, answer["ok"] or answer)
        state = self.state()
        drawn = oracle_after.drawn_card(self.form, order, state)
        if order.startswith("sun"):
            pile = self.form["pile"] or self.form["discard"]
            self.check("a card of the pile was drawn", True, drawn in pile or not pile)
        self.form = oracle_after.after(self.form, order, drawn)
        self.check_state(state)

    def refuse(self, orders: list[str]) -> None:
        before = self.state()
        for order in orders:
            answer = self.ask("order", seat=self.form["turn"]["seat"], order=order)
            self.check(f"{order} refused", "illegal", answer.get("error", {}).get("code"))
        self.check("state after refusals", before, self.state())


LIKING = {"end": 0.25, "conquer": 2, "temple": 2, "pilgrimage": 3, "upgrade": 2, "wild": 2}


def some_order(rng: Random, legal: list[str]) -> str:
    """A random order, first by its verb: the roads are many."""
    by_verb: dict[str, list[str]] = {}
    for order in legal:
        by_verb.setdefault(order.split()[0], []).append(order)
    weights = [LIKING.get(verb, 1) for verb in by_verb]
    return rng.choice(rng.choices(list(by_verb.values()), weights)[0])


def wrong_orders(rng: Random, form: dict[str, Any], legal: list[str]) -> list[str]:
    """Well-formed orders that the rules forbid."""
    board = Oracle(form)
    pair = " ".join(sorted(rng.choice([*board.slots, *board.wild])))
    site = rng.choice([*form["buildings"], *sorted(board.joined), *board.sites])
    region = rng.choice([*form["markers"], *sorted(board.suyus)])
    kind = rng.choice(["local", "annual", "great"])
    orders = [
        f"road {pair}",
        f"wild {pair}",
        f"buy road {pair}",
        f"buy wild {pair}",
        *(f"{verb} {site}" for verb in ("city", "temple", "garrison", "upgrade")),
        *(f"{verb} {region}" for verb in ("terrace", "conquer")),
        f"pilgrimage {kind} for {rng.choice(['roads', 'development'])}",
        f"sun {rng.choice(board.data['sunCards'])['id']} {rng.choice(sorted(form['sun']))}",
        "end",
    ]
    return [order for order in orders if order not in legal]


def play_on(table: Table, rng: Random, depth: int) -> None:
    """Compare, try what is wrong, play something right; and again."""
    for _ in range(depth):
        legal = table.compare()
        if not legal:
            return
        table.refuse(wrong_orders(rng, table.form, legal))
        if rng.random() < 0.1:
            table.feed_back()
        table.play(some_order(rng, legal))
    table.compare()


def one_position(seed: str, depth: int) -> None:
    rng = Random(seed)
    table = Table()
    table.sit_down(odd_position(rng))
    play_on(table, rng, depth)


def whole_match(seed: str) -> None:
    rng = Random(seed)
    table = Table()
    table.begin(rng.choice([3, 4]), seed)
    play_on(table, rng, 1000)


@pytest.mark.parametrize("seed", range(8))
def test_they_agree_under_much_sun(seed: int) -> None:
    for number in range(2):
        one_position(f"sun {seed} {number}", depth=8)


@pytest.mark.parametrize("seats", [3, 4])
@pytest.mark.parametrize("seed", range(2))
def test_they_find_the_same_orders_in_a_match_of_steady_players(seats: int, seed: int) -> None:
    rng, draws = Random(seed), Chance(f"oracle {seed}", "match", 1)
    state = start(GAME, seats, {}, f"oracle {seed}").state
    compared = 0
    while asked := GAME.to_act(state):
        (seat,) = asked
        if rng.random() < 0.15:
            assert set(orders(GAME, state)) == Oracle(GAME.dump(state)).legal()
            compared += 1
        legal = list(GAME.legal(state, seat))
        action = steady(GAME, GAME.view(state, seat), legal, draws)
        state = advance(GAME, state, GAME.decide(state, action, draws))
    assert compared > 20


@pytest.mark.parametrize("seed", range(2))
def test_they_agree_in_a_match_from_its_start(seed: int) -> None:
    table, rng = Table(), Random(seed)
    table.begin(3 + seed, f"start {seed}")
    play_on(table, rng, 40)


LAST = {"seats": 4, "turn": {"seat": 3}, "scores": [10, 8, 6, 4]}
RARE = {
    "N-V an early decline skips the third column of the Early Empire": (
        {**LAST, "options": {"early_decline": True}, "period": 2, "step": 4},
        4,
    ),
    "N-V an early decline skips the second column of the Middle Empire": (
        {**LAST, "options": {"early_decline": True}, "period": 4, "step": 6},
        6,
    ),
    "N-I2 who has less gives what he has": ({**LAST, "period": 5, "step": 6}, 6),
}


@pytest.mark.parametrize("case", RARE)
def test_they_agree_where_chance_seldom_leads(case: str) -> None:
    form, period = RARE[case]
    table = Table()
    table.sit_down(form)
    table.play("end")
    table.compare()
    assert table.form["period"] == period


def campaign(count: int, seed: int) -> list[str]:
    """That many odd positions, and a whole match to every twenty-five; the disagreements."""
    return disagreements(count, seed, one_of_many)


def one_of_many(number: int, name: str) -> None:
    one_position(name, depth=40)
    if number % 25 == 24:
        whole_match(name)
