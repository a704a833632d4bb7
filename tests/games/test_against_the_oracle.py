"""The engine and the oracle, two readings of one rule text, must agree wherever chance leads them.

The engine is spoken to only as other programs do, by the referee protocol. `campaign` is what `make soak` plays.
"""

import json
import random
from typing import Any

import pytest

from engine.core.referee import Referee
from tests.games.oracle import oracle
from tests.games.oracle.oracle import HEXES, World
from tests.games.oracle.positions import impossible_positions, random_position
from tests.games.witness import Disagreement, disagreements

GAMES = ("cuzco", "java")


class Table:
    """One match held by the engine's referee and by the oracle at once."""

    def __init__(self, game: str) -> None:
        self.referee = Referee(entropy=lambda: "seed")
        self.game = game
        self.position: dict[str, Any] = {}
        self.orders: list[str] = []
        self.world: World

    def ask(self, do: str, **more: Any) -> dict[str, Any]:
        return json.loads(self.referee.answer(json.dumps({"do": do, **more})))

    def sit_down(self, position: dict[str, Any]) -> None:
        self.position, self.orders = position, []
        answer = self.ask("position", game=self.game, position=position)
        self.check("position", True, answer["ok"], answer)
        self.world = oracle.load(self.game, position)
        self.compare()

    def begin(self, seats: int, seed: str) -> None:
        """A new match of the engine's; the oracle checks that it is a start (C-S)."""
        self.ask("new", game=self.game, seats=seats, seed=seed, options={})
        self.position, self.orders = self.ask("state")["position"], []
        dealt = {key: self.position[key] for key in ("seats", "hands", "open")}
        self.world = oracle.load(self.game, dealt)
        self.check("hands", [3] * seats, [len(hand) for hand in self.position["hands"]])
        self.compare()

    def check(self, what: str, expected: Any, got: Any, more: Any = "") -> None:
        if expected != got:
            raise Disagreement(
                f"{self.game}: {what}\n expected {expected}\n got      {got} {more}\n"
                f" after {self.orders}\n from {json.dumps(self.position)}"
            )

    def state(self) -> dict[str, Any]:
        """The engine's state in the oracle's spelling."""
        return oracle.dump(oracle.load(self.game, self.ask("state")["position"]))

    def compare(self) -> list[str]:
        """Everything that is known of this moment; the legal orders."""
        self.check_state(oracle.dump(self.world), self.state())
        asked = oracle.to_act(self.world)
        self.check("to_act", asked, self.ask("to_act")["seats"])
        answer = self.ask("scores")
        self.check("scores", oracle.scores(self.world), answer["scores"])
        self.check("over", not asked, answer["over"])
        self.check("winners", oracle.winners(self.world), answer.get("winners", []))
        legal = oracle.legal(self.world)
        for seat in range(self.world.seats):
            self.check_legal(legal if seat in asked else [], self.ask("legal", seat=seat)["orders"])
        return legal

    def check_state(self, expected: dict[str, Any], got: dict[str, Any]) -> None:
        for key, value in expected.items():
            self.check(f"state, {key}", value, got[key])

    def check_legal(self, expected: list[str], got: list[str]) -> None:
        missing = sorted(set(expected) - set(got))
        wrong = [f"{o} ({oracle.why_not(self.world, o)})" for o in sorted(set(got) - set(expected))]
        self.check("legal orders, missing and wrong", ([], []), (missing[:9], wrong[:9]))
        self.check("legal orders, sorted, each once", expected, got)

    def play(self, order: str) -> None:
        """The order on both sides, the oracle drawing what the engine drew."""
        seat = oracle.to_act(self.world)[0]
        answer = self.ask("order", seat=seat, order=order)
        self.orders.append(order)
        self.check(f"{order} accepted", True, answer["ok"], answer)
        state = self.state()
        self.world = min(outcomes(self.world, order), key=lambda world: differences(world, state))
        self.check_state(oracle.dump(self.world), state)

    def refuse(self, orders: list[str], codes: tuple[str, ...] = ("illegal",)) -> None:
        before = self.ask("state")
        seat = (oracle.to_act(self.world) or [0])[0]
        for order in orders:
            answer = self.ask("order", seat=seat, order=order)
            clause = oracle.why_not(self.world, order)
            self.check(f"{order} refused by {clause}", False, answer["ok"])
            self.check(f"code for {order}", True, answer["error"]["code"] in codes, answer)
        self.check("state after refusals", before, self.ask("state"))

    def refuse_other_seats(self, order: str) -> None:
        for seat in set(range(self.world.seats)) - set(oracle.to_act(self.world)):
            answer = self.ask("order", seat=seat, order=order)
            self.check(f"{order} by seat {seat}", (False, "turn"), _refusal(answer), answer)

    def count(self, legal: list[str]) -> None:
        """Perft to depth 2 where that is small and nothing is drawn."""
        self.check("perft 1", len(legal), self.ask("perft", depth=1)["nodes"])
        if len(legal) <= 12 and not any(draws(self.world, order) for order in legal):
            nodes = sum(len(oracle.legal(outcomes(self.world, order)[0])) for order in legal)
            self.check("perft 2", nodes, self.ask("perft", depth=2)["nodes"])

    def feed_back(self) -> None:
        """A state sent back as a position is the same state, and play goes on from it."""
        state = self.ask("state")["position"]
        answer = self.ask("position", game=self.game, position=state)
        self.check("state fed back", True, answer["ok"], answer)
        self.check("state fed back", state, self.ask("state")["position"])


def _refusal(answer: dict[str, Any]) -> tuple[bool, str | None]:
    return answer["ok"], answer.get("error", {}).get("code")


def draws(world: World, order: str) -> list[str]:
    """The cards that could come if this order is played; none if it draws none."""
    seen: list[list[str]] = []

    def peek(cards: list[str]) -> str:
        seen.append(cards)
        return cards[0]

    oracle.apply(world, order, peek)
    assert len(seen) <= 1, "no order draws twice"
    return sorted(set(seen[0])) if seen else []


def outcomes(world: World, order: str) -> list[World]:
    """The world after the order, once for each card that could be drawn."""
    cards = draws(world, order) or [""]
    return [oracle.apply(world, order, lambda _, card=card: card) for card in cards]


def differences(world: World, state: dict[str, Any]) -> int:
    """In how many keys that world differs from a state."""
    return sum(value != state[key] for key, value in oracle.dump(world).items())


def some_order(rng: random.Random, world: World, legal: list[str]) -> str:
    """A random order, first by its verb, or there would be nothing but tiles."""
    by_verb: dict[str, list[str]] = {}
    for order in legal:
        by_verb.setdefault(order.split(maxsplit=1)[0], []).append(order)
    at_ponds = [order for order in legal if touches_a_pond(world, order)]
    if at_ponds:
        by_verb["at ponds"] = at_ponds
    end = 0.5 if world.last["opened_by"] is None else 2
    liking = {"end": end, "build": 2, "expand": 3, "at ponds": 2}
    weights = [liking.get(verb, 1) for verb in by_verb]
    return rng.choice(rng.choices(list(by_verb.values()), weights)[0])


def touches_a_pond(world: World, order: str) -> bool:
    verb, *words = order.split()
    shores = {n for h in oracle.all_basins(world) for n in oracle.NEIGHBOURS[h]}
    return verb in ("place", "basin") and any(
        h in shores and not oracle.levels(world)[h] for h in words
    )


def wrong_orders(rng: random.Random, world: World, legal: list[str]) -> list[str]:
    """Well-formed orders that the rules forbid, near misses and plain nonsense."""
    pool: dict[str, list[str]] = {}
    allowed = set(legal)
    for order in [*oracle.candidates(world), *nonsense(rng, world)]:
        if order not in allowed:
            pool.setdefault(order.split()[0], []).append(order)
    return [order for some in pool.values() for order in rng.sample(some, min(3, len(some)))]


def nonsense(rng: random.Random, world: World) -> list[str]:
    crop = oracle.WORDS[world.game]["crop"]
    cards = oracle.card_names(world.game)
    some = [rng.choice(HEXES) for _ in range(6)]
    temple = rng.choice([*world.temples, some[0]])
    anyone = rng.choice([*oracle.occupied(world), some[1]])
    hand = " ".join(sorted(rng.choices(cards, k=rng.randint(1, 3))))
    crops = " ".join(sorted(some[1:3]))
    return [
        f"place triple {some[0]} {crops}",
        f"place triple {some[0]} {some[0]} {some[0]}",
        f"place double {some[0]} {some[1]}",
        f"place double {some[2]} {some[2]}",
        f"place village {temple}",
        f"place {crop} {anyone}",
        f"move {some[0]} {some[1]}",
        f"move {anyone} {anyone}",
        f"move {anyone} {rng.choice(oracle.NEIGHBOURS[anyone])}",
        f"build {some[0]} {rng.choice([0, 1, 3, 12])}",
        f"expand {temple} {rng.choice([0, 3, 7, 12, 100])}",
        f"enter {some[3]}",
        f"leave {anyone}",
        f"festival {temple} {hand}",
        f"bid {hand}",
        "hold",
        "pass",
        "end",
        "token",
    ]


def canonical_only(orders: list[str], world: World) -> list[str]:
    """Without those that only chance made legal."""
    return [order for order in orders if oracle.why_not(world, order) is not None]


def play_on(table: Table, rng: random.Random, depth: int) -> None:
    """Compare, try what is wrong, play something right; and again."""
    for _ in range(depth):
        legal = table.compare()
        if not legal:
            table.refuse(["end", "token", "pass"], ("over",))
            return
        table.refuse(canonical_only(wrong_orders(rng, table.world, legal), table.world))
        table.refuse_other_seats(rng.choice(legal))
        table.count(legal)
        if rng.random() < 0.2:
            table.feed_back()
        table.play(some_order(rng, table.world, legal))
    table.compare()


def one_position(game: str, seed: str, depth: int = 4) -> None:
    rng = random.Random(seed)
    table = Table(game)
    table.sit_down(random_position(rng, game))
    play_on(table, rng, depth)


def whole_match(game: str, seed: str) -> None:
    """A match from the deal to the end, both sides agreeing at every step."""
    rng = random.Random(seed)
    table = Table(game)
    table.begin(rng.randint(2, 4), seed)
    while legal := table.compare():
        tiles = [order for order in legal if order.startswith("place triple")]
        table.play(
            rng.choice(tiles)
            if tiles and rng.random() < 0.6
            else some_order(rng, table.world, legal)
        )


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("game", GAMES)
def test_the_engine_agrees_with_the_oracle(game: str, seed: int) -> None:
    for number in range(4):
        one_position(game, f"{game} {seed} {number}")


ROW = ["k6", "k8", "k10", "k12", "k14", "k16", "k18"]
TOWN = {
    "seats": 4,
    "tiles": [["village", h] for h in ROW] + [["village", h] for h in ROW[:3]],
    "turn": {"laid": True},
    "options": {"ask_everyone": False, "rules": 1},
}
SHORE = ["h17", "h19", "i16", "j17", "j19"]  # of the printed basin i18, but for i20
FAR_SHORE = ["h21", "h23", "i24", "j21", "j23"]  # of a basin on i22, but for i20
LAKES = {
    "tiles": [["village", h] for h in SHORE + FAR_SHORE],
    "basins": ["i22"],
    "at": "j17",
}
RARE = {
    "C-B2 a temple on the shore is covered": (
        {**LAKES, "basins": [], "incas": [[], [], ["h17"], []]},
        ["place village i20"],
    ),
    "C-B3 one tile completes two ponds, one for another's Inca, one for nobody": (
        {**LAKES, "incas": [[], ["h17"], ["h21"], ["h23"]]},
        ["place village i20"],
    ),
    "C-B2 a basin in the gap makes one pond of three": (
        {**LAKES, "incas": [["h17"], ["i16"], ["i24", "h21"], ["j19"]]},
        ["basin i20"],
    ),
    "C-E3 the third is second where two are first": (
        {"last": {"opened_by": 0}, "incas": [["k6"], ["k8"], ["k12"], ["k14"]]},
        ["end"] * 4,
    ),
    "C-E3 the third gets nothing where the first is alone": (
        {
            "turn": {"seat": 2},
            "last": {"opened_by": 2},
            "incas": [["k6", "k8"], ["k10"], ["k12"], ["k14"]],
        },
        ["end"] * 4,
    ),
    "C-F6 the played cards are the new pile, the old open card lies under the new": (
        {"incas": [["k6"], ["k8"], [], []], "hands": [["A"], ["A", "A+B"], [], []], "pile": []},
        ["festival k18 A", "bid A"],
    ),
    "C-F3 level again, and again asked": (
        {
            "incas": [["k6"], ["k8"], ["k10"], []],
            "hands": [["A", "A", "A"], ["A+B", "A+B"], ["A+B", "A+B"], []],
        },
        ["festival k18 A", "bid A+B", "bid A+B", "bid A", "bid A+B", "pass", "hold"],
    ),
    "C-F4 everyone is asked, also who has no choice": (
        {
            "incas": [["k6"], ["k8"], ["k10"], []],
            "hands": [["A"], ["B"], ["A"], []],
            "options": {"ask_everyone": True, "rules": 1},
        },
        ["festival k18 A", "pass", "bid A", "hold"],
    ),
    "C-F5 a shared festival in a temple of 2": (
        {"incas": [["k6"], ["k8"], [], []], "hands": [["A"], ["A"], [], []], "value": 2},
        ["festival k18 A", "bid A"],
    ),
    "C-E5 after four idle turns the next opens the last round": (
        {"bare": True, "turn": {"idle": 2, "seat": 1}},
        ["end"] * 6,
    ),
    "C-T4 a temple skips steps and loses its disc": (
        {"incas": [["k6"], [], [], []], "disc": True, "value": 2},
        ["expand k18 6"],
    ),
}


# In Cuzco the last bidder speaks too; in Java he has agreed by drawing level.
LAST_WORDS = {
    "nobody raises": ["bid A+B", "bid A", "hold", "hold", "hold"],
    "the last bidder raises after all": ["bid A+B", "bid A", "hold", "hold", "bid A", "pass"],
    "the others drop out, and nobody is left to ask": ["pass", "pass"],
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("case", LAST_WORDS)
def test_they_agree_on_who_has_the_last_word(game: str, case: str) -> None:
    people = {"incas": [["k6"], ["k8"], ["k10"], []]}
    cards = {"hands": [["A", "A+B"], ["A+B"], ["A", "A"], []]}
    table = Table(game)
    table.sit_down(in_words_of(game, {**TOWN, **people, **cards, "options": {}}))
    for order in ["festival k18 A", *LAST_WORDS[case]]:
        words = in_words_of(game, order)
        if words in table.compare():
            table.play(words)
    table.compare()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("case", RARE)
def test_they_agree_where_chance_seldom_leads(game: str, case: str) -> None:
    more, orders = RARE[case]
    table = Table(game)
    table.sit_down(in_words_of(game, {**TOWN, **more}))
    for order in orders:
        table.play(in_words_of(game, order))
        table.compare()


def in_words_of(game: str, said: Any) -> Any:
    """Relics A and B, and Cuzco's words, as that game has them."""
    a, b, _ = oracle.RELICS[game]
    if isinstance(said, str):
        return " ".join(w.replace("A", a).replace("B", b) for w in said.split())
    word, said = oracle.WORDS[game], dict(said)
    temple = {"value": said.pop("value", 8), word["disc"]: said.pop("disc", False)}
    people = said.pop("incas", [[]] * 4)
    hands = [[in_words_of(game, card) for card in hand] for hand in said.pop("hands", [[]] * 4)]
    if said.pop("bare", False):
        stock = {"doubles": 0, word["crops"]: 0, "villages": 0}
        said |= {"stock": [stock] * 4, "supply": {"triples": 0}}
    at = said.pop("at", "k18")
    return {
        **said,
        word["temples"]: {at: temple},
        word["incas"]: people,
        "hands": hands,
        "open": a,
    }


@pytest.mark.parametrize("game", GAMES)
def test_impossible_positions_are_refused_and_change_nothing(game: str) -> None:
    rng = random.Random(game)
    table = Table(game)
    table.sit_down(random_position(rng, game))
    before = table.ask("state")
    for why, position in impossible_positions(rng, game).items():
        answer = table.ask("position", game=game, position=position)
        assert _refusal(answer) == (False, "unknown"), why
        assert table.ask("state") == before, why


def campaign(count: int, seed: int) -> list[str]:
    """Play that many random positions, and a whole match to every hundred; the disagreements."""
    return disagreements(count, seed, one_of_many)


def one_of_many(number: int, name: str) -> None:
    if number % 100 == 99:
        whole_match(GAMES[number // 100 % 2], name)
    else:
        one_position(GAMES[number % 2], name, depth=6)
