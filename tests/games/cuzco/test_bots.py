"""The bots of Cuzco and Java: legal, tireless, discreet, the same twice, and better than chance."""

from __future__ import annotations

import sys
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.core import arena
from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance, start_at
from engine.core.registry import bots, games
from engine.cuzco.bots import BOTS, bidding, ideas, plan
from engine.cuzco.bots.imagine import imagine
from engine.cuzco.bots.worth import KEPT, Judge, hollows, opening, ponds, ranked
from engine.cuzco.edition import CUZCO
from engine.cuzco.position.notation import read
from engine.cuzco.scoring import rank
from engine.cuzco.state import State
from tests.engine.matches import walk
from tests.games.cuzco.test_invariants import TABLES, other_world

every_table = pytest.mark.parametrize(("key", "seats"), TABLES)
every_bot = pytest.mark.parametrize("bot", BOTS.values(), ids=BOTS)
KEEN = sys.modules["engine.cuzco.bots.keen"]
STEADY = sys.modules["engine.cuzco.bots.steady"]
MASTER = sys.modules["engine.cuzco.bots.master"]


def dice(number: int = 1) -> Chance:
    return Chance("dice", "bots", number)


def asked(game: Game, state: State, bot: Bot, number: int = 1) -> Any:
    """What the bot answers for the seat that is asked."""
    seat = game.to_act(state)[0]
    return bot(game, game.view(state, seat), list(game.legal(state, seat)), dice(number))


def position(text: str) -> State:
    state: State = start_at(games()["cuzco"], read(CUZCO, text), "seed").state
    return state


def answer(text: str, bot: str = "keen") -> str:
    """The order that a bot of Cuzco gives in a position."""
    game = games()["cuzco"]
    return game.format(asked(game, position(text), BOTS[bot]))


BARE = "stock doubles 0 crops 0 villages 0"


@pytest.mark.parametrize(
    ("facts", "opener"),
    [
        ("supply triples 0; last A", [1, 0]),
        (f"supply triples 1; A {BARE}; B {BARE}", [0, 1]),  # B has nothing else to lay
        (f"supply triples 1; A {BARE}; B stock doubles 1 crops 0 villages 0", [1, 0]),
        (f"supply triples 4; A {BARE}; B {BARE}", [1, 0]),  # B leaves one to A
    ],
)
def test_whoever_finds_the_last_triple_and_has_no_tile_opens_the_last_round(
    facts: str, opener: list[int]
) -> None:  # C-E1
    chances = opening(position(f"turn A laid; {facts}"))
    assert max(range(2), key=lambda seat: chances[seat]) == opener.index(1)


def test_anybody_may_open_the_last_round_as_long_as_it_is_far() -> None:
    assert opening(position("supply triples 40")) == (0.5, 0.5)


def test_keen_leaves_the_last_triple_to_the_next() -> None:
    """With two left B would leave one in its turn, and A would have to open the last round."""
    game = games()["cuzco"]
    state = position(f"{CITY}; A at d13; B at e12; supply triples 3; A {BARE}; B {BARE}; turn A")
    for number in range(20):
        if state.turn.seat:
            break
        order = asked(game, state, BOTS["keen"], number)
        state = advance(game, state, game.decide(state, order, dice(number)))
    assert state.supply.triples == 1


def test_keen_lays_a_tile_of_its_own_rather_than_the_last_triple() -> None:
    order = answer(
        f"{CITY}; A at d13; B at e12; supply triples 1; B {BARE}; turn A ap 1; A stock tokens 0"
    )
    assert order.startswith("place ")
    assert not order.startswith("place triple ")


def test_a_few_tiles_are_kept_for_the_last_turn_in_which_no_triple_is_left() -> None:  # C-E2
    def worth(doubles: int) -> float:
        stock = f"A stock doubles {doubles} crops 0 villages 0"
        return Judge(0, KEEN.TASTE).worth(position(f"supply triples 0; {stock}; last B; turn B"))

    assert worth(KEPT) - worth(KEPT - 1) > 1.5
    assert worth(KEPT + 1) - worth(KEPT) == pytest.approx(0)


def test_where_no_triple_has_room_beside_ones_own_room_is_looked_for_elsewhere() -> None:  # C-A2
    """One bare hex is left beside A's Inca: a tile of A's own would fit."""
    state = position("crop h17; A at h17; basins g16 g18 h15 h19; turn A")
    found = list(ideas.ideas(state, Judge(0, KEEN.TASTE), 8))
    assert {"triple", "double"} <= {action.tile for action in found}


# What holds for every bot


def test_java_has_the_bots_of_its_parent() -> None:
    assert bots(games()["java"]) == bots(games()["cuzco"])


@every_table
def test_an_imagined_state_shows_what_the_seat_sees(key: str, seats: int) -> None:
    for match in islice(walk(key, seats, 21), 0, None, 90):
        for seat in range(seats):
            view = match.game.view(match.state, seat)
            imagined = imagine(match.game, view, dice())
            assert match.game.view(imagined, seat) == view
            if seat in match.game.to_act(match.state):
                legal = list(match.game.legal(match.state, seat))
                assert list(match.game.legal(imagined, seat)) == legal


@every_bot
@every_table
def test_a_bot_is_legal_wherever_chance_has_led(key: str, seats: int, bot: Bot) -> None:
    for match in islice(walk(key, seats, 22), 5, None, 90):
        if not match.over:
            seat = match.game.to_act(match.state)[0]
            assert asked(match.game, match.state, bot) in list(match.game.legal(match.state, seat))


@every_bot
@every_table
def test_a_bot_gives_the_same_answer_in_two_worlds(key: str, seats: int, bot: Bot) -> None:
    """Worlds that differ only in what others hold, and the same question asked twice."""
    rng = Random(seats)
    for match in islice(walk(key, seats, 23), 30, None, 150):
        if not match.over:
            seat = match.game.to_act(match.state)[0]
            other = other_world(match.state, seat, rng)
            assert asked(match.game, other, bot) == asked(match.game, match.state, bot)


@pytest.mark.parametrize(("key", "seats"), [("cuzco", 4), ("java", 3)])
def test_bots_play_whole_matches(key: str, seats: int) -> None:
    names = ["steady", "steady", "random", "steady"][:seats]
    game = games()[key]
    result = arena.play(game, [bots(game)[name] for name in names], "whole")
    assert (result.loser, result.why) == (None, "")


def test_keen_plays_a_whole_match(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(KEEN, "CARE", plan.Care(width=1, tiles=2, ideas=30, length=4, most=30))
    result = arena.play(games()["java"], [BOTS["keen"], BOTS["steady"]], "keen")
    assert (result.loser, result.why) == (None, "")


@pytest.mark.parametrize("key", ["cuzco", "java"])
def test_steady_beats_random(key: str) -> None:
    """A few matches of fixed deals; `make bench ARGS=bots` plays hundreds."""
    game = games()[key]
    pair = [bots(game)["steady"], bots(game)["random"]]
    results = [arena.play(game, [pair[i] for i in arena.seating(m, 2)], "short") for m in range(2)]
    assert arena.tallies(results)[0].wins == 2


@pytest.mark.parametrize("module", [KEEN, STEADY, MASTER], ids=["keen", "steady", "master"])
def test_the_time_of_an_order_is_bounded_by_what_is_weighed(module: Any) -> None:
    """One more length of plans may be begun before the bound is noticed; no clock is asked."""
    care = module.CARE
    for match in islice(walk("java", 4, 24), 20, None, 150):
        if match.over or match.state.festival:
            continue
        seat = match.game.to_act(match.state)[0]
        planner = plan.Planner(match.game, Judge(seat, module.TASTE), dice())
        planner.plans(match.state, care)
        assert planner.weighed < care.most + care.width * 150


def test_keen_answers_as_if_it_remembered_nothing() -> None:
    """It plans a turn again for every order; what it thought before saves time and changes nothing."""
    game = games()["cuzco"]
    match = next(islice(walk("cuzco", 2, 27), 60, None))
    state, seat = match.state, match.state.turn.seat
    for number in range(6):
        if state.festival or state.turn.seat != seat:
            break
        again = asked(game, state, BOTS["keen"], number)
        plan.remembered.cache_clear()
        assert asked(game, state, BOTS["keen"], number) == again
        for event in game.decide(state, again, dice(number)):
            state = game.evolve(state, event)
    assert plan.remembered.cache_info().currsize


# What they understand

VILLAGE = "triple e14 e16 d15; village d13; village e12; village f13"  # four hexes about e14
CITY = f"{VILLAGE}; temple e14 4"
LAST_AP = "turn A ap 1 laid; A stock tokens 0"


@pytest.mark.parametrize("bot", BOTS)
def test_a_temple_is_built_as_high_as_the_village_allows(bot: str) -> None:
    order = answer(f"{VILLAGE}; A at d13; {LAST_AP}", bot)
    assert order.startswith("build ")
    assert order.endswith(" 4")


@pytest.mark.parametrize("bot", BOTS)
def test_a_temple_is_expanded_by_who_stands_highest(bot: str) -> None:
    city = f"{CITY}; village g12; village h13; village f11; A at d13; B at d15"
    assert answer(f"{city}; {LAST_AP}", bot) == "expand e14 6"


@pytest.mark.parametrize("bot", BOTS)
def test_a_hollow_is_filled_by_who_stands_highest_about_it(bot: str) -> None:
    """f21 lies bare between six tiles; a basin there is a pond of its own."""
    ring = "triple d19 e20 d21; crop e22; crop f23; crop g22; crop g20; crop f19"
    assert answer(f"{ring}; A at f19; {LAST_AP}", bot) == "basin f21"


def test_in_the_last_turn_keen_walks_into_the_city() -> None:
    text = f"{CITY}; last A; turn A ap 1; A at d15; B at e12; A stock tokens 0"
    assert answer(text) == "move d15 d13"


def test_at_the_end_keen_keeps_no_token() -> None:
    text = f"{CITY}; last A; turn A ap 0; A at d15; B at e12"
    assert answer(text) == "token"


def test_a_festival_without_rivals_costs_one_card() -> None:
    text = f"{CITY}; A at f13; A hand tumi tumi kero; open tumi; turn A ap 0 laid; A stock tokens 0"
    assert answer(text) == "festival e14 tumi"


def test_keen_outbids_who_has_no_card_left() -> None:
    text = f"{CITY}; A at d13; B at e12; A hand tumi tumi; B hand; open tumi; turn B laid"
    bids = "festival e14 by B asked A; played B tumi"
    assert answer(f"{text}; {bids}") == "bid tumi tumi"


def test_keen_lets_a_small_festival_go_that_costs_too_much() -> None:
    text = f"{VILLAGE}; temple e14 2; A at d13; B at e12; A hand tumi tumi tumi+kero; open tumi; turn B laid"
    bids = "B hand kero kero; festival e14 by B asked A; played B tumi tumi+quipu tumi+quipu"
    assert answer(f"{text}; {bids}") == "pass"


def test_a_turn_always_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """Free moves must make the position better, so they cannot go to and fro."""
    game, state = games()["cuzco"], position(f"{CITY}; A at d13; {LAST_AP}")
    orders = 0
    while state.turn.seat == 0 and orders < 20:
        action = asked(game, state, BOTS["keen"], orders)
        for event in game.decide(state, action, dice(orders)):
            state = game.evolve(state, event)
        orders += 1
    assert orders < 6


# Their parts


def test_hollows_lack_basins_and_ponds_lack_banks() -> None:
    ring = "triple e20 d19 d21; village e22; village f23; village g22; village f19"
    open_ring, closed_ring = position(f"{ring}; basins f21"), position(f"{ring}; village g20")
    layout = open_ring.edition.layout
    assert [(layout.named(pond), n) for pond, n in ponds(open_ring.board)] == [(("f21",), 1)]
    assert [(layout.named(area), n) for area, n in hollows(closed_ring.board, 6)] == [(("f21",), 1)]
    assert hollows(open_ring.board, 6) == []


def test_ranks_are_those_of_the_final_scoring() -> None:
    for match in islice(walk("cuzco", 4, 25), 0, None, 50):
        state = match.state
        for city in state.board.cities.values():
            ranks = ranked(state.board, state.incas, city)
            told = {seat: place for place, seats in enumerate(ranks, 1) for seat in seats}
            assert told == {s: r for s in range(4) if (r := rank(state, s, city))}


def test_every_idea_is_legal() -> None:
    for match in islice(walk("java", 3, 26), 10, None, 25):
        state = match.state
        if match.over or state.festival:
            continue
        seat = match.game.to_act(state)[0]
        legal = list(match.game.legal(state, seat))
        found = list(ideas.ideas(state, Judge(seat, KEEN.TASTE), 10))
        assert all(idea in legal for idea in found)


def test_the_fewest_cards_make_a_total() -> None:
    state = position("A hand tumi tumi tumi+quipu kero; open tumi+quipu")
    assert bidding.cheapest(state, 0) == {
        1: ("tumi",),
        2: ("tumi+quipu",),
        3: ("tumi", "tumi+quipu"),
        4: ("tumi", "tumi", "tumi+quipu"),
    }
