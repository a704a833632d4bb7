"""The engine and the oracle, two readings of the rules of Inka, must agree wherever chance leads them.

The engine is spoken to by the referee protocol alone. `campaign` is what `make soak` plays.
"""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.games.inka import oracle
from tests.games.inka.odd_positions import CELLS, changed, odd_position
from tests.games.witness import Witness, disagreements


class Table(Witness):
    """One match held by the engine's referee and by the oracle at once."""

    def __init__(self) -> None:
        super().__init__("inka")
        self.position: dict[str, Any] = {}

    def sit_down(self, position: dict[str, Any]) -> None:
        self.begun, self.orders = position, []
        answer = self.ask("position", game=self.game, position=position)
        self.check("position", True, answer["ok"] or answer)
        self.position = oracle.fill(position)
        self.check_state()

    def begin(self, seats: int, seed: str, options: dict[str, Any]) -> None:
        self.ask("new", game=self.game, seats=seats, seed=seed, options=options)
        self.begun, self.orders = {"seed": seed, "seats": seats, "options": options}, []
        self.position = oracle.fill({"seats": seats, "phase": "start", "options": options})
        self.check_state()

    def check_state(self) -> None:
        """The whole state; a lozenge drawn by chance is taken over if it could be drawn."""
        state = self.ask("state")["position"]
        if self.position["drawn"] == "?":
            undrawn = [name for name in oracle.PATHS if name not in self.position["lozenges"]]
            self.check("a lozenge was drawn", True, state["drawn"] in undrawn)
            self.position["drawn"] = state["drawn"]
        self.check("keys", sorted(self.position), sorted(state))
        for key, value in self.position.items():
            self.check(f"state, {key}", value, state[key])

    def compare(self) -> list[str]:
        """Everything that is known of this moment; the legal orders."""
        over, turn = oracle.over(self.position), self.position["turn"]
        self.check("to_act", [] if over else [turn["seat"]], self.ask("to_act")["seats"])
        answer = self.ask("scores")
        self.check("scores", oracle.scores(self.position), answer["scores"])
        self.check("over", over, answer["over"])
        winners = oracle.winners(self.position)
        self.check("winners", winners if over else "absent", answer.get("winners", "absent"))
        legal = sorted(oracle.legal(self.position))
        for seat in range(self.position["seats"]):
            expected = legal if seat == turn["seat"] else []
            got = self.ask("legal", seat=seat)["orders"]
            missing, wrong = set(expected) - set(got), set(got) - set(expected)
            self.check("legal, missing and wrong", (set(), set()), (missing, wrong))
            self.check("legal, sorted", expected, got)
        return legal

    def play(self, order: str) -> None:
        answer = self.ask("order", seat=self.position["turn"]["seat"], order=order)
        self.orders.append(order)
        self.check(f"{order} accepted", True, answer["ok"] or answer)
        self.position = oracle.after(self.position, order)
        self.check_state()

    def refuse(self, orders: list[str], code: str, seat: int) -> None:
        before = self.ask("state")
        for order in orders:
            answer = self.ask("order", seat=seat, order=order)
            self.check(f"{order} by {seat}", (False, code), refusal(answer))
        self.check("state after refusals", before, self.ask("state"))


def refusal(answer: dict[str, Any]) -> tuple[bool, str | None]:
    return answer["ok"], answer.get("error", {}).get("code")


def some_order(rng: Random, legal: list[str]) -> str:
    """A random order, first by its verb: blockades are many, and end the turn."""
    by_verb: dict[str, list[str]] = {}
    for order in legal:
        by_verb.setdefault(order.split()[0], []).append(order)
    liking = {"end": 0.3, "block": 0.5, "take": 2, "symbol": 2}
    weights = [liking.get(verb, 1) for verb in by_verb]
    return rng.choice(rng.choices(list(by_verb.values()), weights)[0])


def wrong_orders(rng: Random, position: dict[str, Any], legal: list[str]) -> list[str]:
    """Well-formed orders that the rules forbid: near misses and plain nonsense."""
    lozenge = rng.choice([*oracle.PATHS, *oracle.HOME])
    passages = oracle.printed(position, "secretPassages")
    first = rng.choice([rng.choice(CELLS), *position["lozenges"].get(lozenge, [])])
    second = rng.choice([rng.choice(CELLS), *oracle.NEIGHBOURS[first] * 2])
    cell = rng.choice([rng.choice(CELLS), *sorted(oracle.occupied(position)), *passages])
    verb = rng.choice(["slide", "turn"])
    return [
        order
        for order in (
            f"{verb} {lozenge} {first} {second}",
            f"symbol {lozenge} {verb} {first} {second}",
            f"lay {first} {second}",
            f"walk {cell}",
            f"walk {position['pawns'][position['turn']['seat']] or cell}",
            f"passage {cell}",
            f"block {cell}",
            f"start {cell}",
            "take",
            "end",
        )
        if order not in legal
    ]


def play_on(table: Table, rng: Random, depth: int) -> None:
    """Compare, try what is wrong, play something right; and again."""
    for _ in range(depth):
        legal = table.compare()
        if oracle.over(table.position):
            table.refuse(["end"], "over", rng.randrange(table.position["seats"]))
            return
        acting = table.position["turn"]["seat"]
        table.refuse(wrong_orders(rng, table.position, legal), "illegal", acting)
        table.refuse(["end"], "turn", (acting + 1) % table.position["seats"])
        if rng.random() < 0.2:
            table.feed_back()
        if not legal:
            return
        table.play(some_order(rng, legal))
    table.compare()


def one_position(seed: str, depth: int) -> None:
    rng = Random(seed)
    table = Table()
    table.sit_down(odd_position(rng))
    play_on(table, rng, depth)


def from_the_start(seed: str, depth: int) -> None:
    rng = Random(seed)
    table = Table()
    options = {
        "round_limit": rng.choice([1, 3, 60]),
        "start_seat_first": rng.random() < 0.5,
        "board": rng.choice([1, 2]),
    }
    table.begin(rng.randint(2, 4), seed, options)
    play_on(table, rng, depth)


def doubtful_position(seed: str) -> bool:
    """Both take the position, or both refuse it; whether they refuse."""
    rng = Random(seed)
    table = Table()
    table.sit_down(odd_position(rng))
    before = table.ask("state")
    table.begun = changed(rng, table.begun)
    try:
        oracle.fill(table.begun)
    except oracle.Refused as why:
        answer = table.ask("position", game=table.game, position=table.begun)
        table.check(f"refused: {why}", (False, "unknown"), refusal(answer))
        table.check("state after a refusal", before, table.ask("state"))
        return True
    table.sit_down(table.begun)
    table.compare()
    return False


@pytest.mark.parametrize("seed", range(8))
def test_they_agree_in_crowded_halls(seed: int) -> None:
    for number in range(3):
        one_position(f"crowded {seed} {number}", depth=5)


@pytest.mark.parametrize("seed", range(4))
def test_they_agree_from_the_start(seed: int) -> None:
    from_the_start(f"start {seed}", depth=40)


def test_they_refuse_the_same_positions() -> None:
    refused = sum(doubtful_position(f"doubtful {number}") for number in range(60))
    assert 30 < refused < 55


def campaign(count: int, seed: int) -> list[str]:
    """That many crowded halls and doubtful positions, and a start to every twenty; the disagreements."""
    return disagreements(count, seed, one_of_many)


def one_of_many(number: int, name: str) -> None:
    one_position(name, depth=8)
    doubtful_position(name)
    if number % 20 == 0:
        from_the_start(name, depth=120)
