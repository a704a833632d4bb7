"""The oracle by itself: what a judge must know before he judges the engine."""

import random
from collections import Counter

import pytest

from tests.games.oracle import oracle
from tests.games.oracle.oracle import BORDER, PRINT, RING, SITE, apply, legal, load, why_not
from tests.games.oracle.positions import Board, random_position


def first(cards):
    return cards[0]


def world(game="cuzco", **position):
    return load(game, {"seats": 2, "open": "tumi" if game == "cuzco" else "mask", **position})


def laid(**turn):
    return {"laid": True, **turn}


def test_the_board_has_the_counts_of_the_book():
    kinds = [{PRINT[n] for n in oracle.NEIGHBOURS[h] if n in RING} for h in sorted(BORDER)]
    assert (len(SITE), len(RING), len(BORDER)) == (153, 63, 57)
    assert (kinds.count({"H"}), kinds.count({"L"}), kinds.count({"H", "L"})) == (28, 27, 2)


def test_a_due_tile_comes_before_all_that_costs():  # C-A2
    w = world(tiles=[["crop", "e2"]])
    assert why_not(w, "enter e2") == "C-A2"
    assert why_not(w, "token") is None
    assert why_not(w, "end") == "C-A4"
    w = apply(w, "place triple k12 k14 j13", first)
    assert why_not(w, "enter e2") is None


def test_java_lays_its_tile_when_it_likes():  # J-A2
    w = world("java", tiles=[["rice", "e2"]], turn={"ap": 3})
    w = apply(w, "enter e2", first)
    assert why_not(w, "draw pile") == "C-A3"
    assert why_not(w, "place rice k12") is None


def test_no_tile_to_lay_no_duty():  # C-A3
    nothing = [{"doubles": 0, "crops": 0, "villages": 0}] * 2
    w = world(tiles=[["crop", "e2"]], stock=nothing, supply={"triples": 0})
    assert {"end", "enter e2", "token", "draw pile"} <= set(legal(w))


def test_no_tile_exactly_on_its_like():  # C-P5
    w = world(tiles=[["triple", "k12", "k14", "j13"], ["crop", "g10"]])
    assert why_not(w, "place triple j13 k12 k14") == "C-P5"
    assert why_not(w, "place village g10") == "C-P5"
    assert why_not(w, "place double k12 k14") is None
    w = apply(w, "place double k12 k14", first)
    assert why_not(w, "place double k14 k12") == "C-P5"
    assert why_not(w, "place village k14") is None


def test_ring_hexes_cost_until_they_are_built():  # C-P7, C-P8
    w = world(turn={"ap": 2})
    assert why_not(w, "place double e2 e0") is None
    assert why_not(w, "place triple e2 d1 e0") == "C-A1 action points"
    assert why_not(w, "place double e0 f1") == "C-P8"
    w = apply(w, "place double e2 e0", first)
    assert w.turn["ap"] == 0


def test_a_tile_may_cut_and_join_at_once():  # C-P6
    temples = {"k8": {"value": 2}, "k12": {"value": 2}}
    w = world(tiles=[["village", h] for h in ("k8", "k12")], temples=temples)
    assert why_not(w, "place village k10") == "C-P6"
    assert why_not(w, "place double k10 j9") == "C-P6"
    assert why_not(w, "place double j9 k10") is None


@pytest.mark.parametrize(
    ("h", "cost"), [("g2", 1), ("g34", 1), ("e2", 2), ("i6", 1), ("h1", 2), ("h3", 1)]
)
def test_the_way_in_costs_by_what_it_touches(h, cost):  # C-M1
    assert oracle.gate_cost(h) == cost


def test_walking_is_free_on_one_kind_over_own_incas_only():  # C-M3, C-M4
    tiles = [["crop", h] for h in ("k8", "k10", "k12")] + [["village", "k14"]]
    w = world(tiles=tiles, incas=[["k8", "k10"], []], turn=laid(ap=1))
    assert {"move k8 k12", "move k8 k14"} <= set(legal(w))
    w = world(tiles=tiles, incas=[["k8"], ["k10"]], turn=laid())
    assert not [order for order in legal(w) if order.startswith("move")]


def test_the_highest_builds_and_a_tie_is_nobodys():  # C-T2
    tiles = [["village", h] for h in ("k8", "k10", "k12", "k14")]
    tiles += [["village", "k8"], ["village", "k10"]]
    w = world(tiles=tiles, incas=[["k8"], ["k10"]], turn=laid())
    assert why_not(w, "build k14 2") == "C-T2"
    w = world(tiles=tiles, incas=[["k8", "k12"], ["k10"]], turn=laid())
    assert why_not(w, "build k14 4") is None
    assert why_not(w, "build k14 6") == "C-T4"
    assert apply(w, "build k14 4", first).scores == [2, 0]


def test_floors_are_taken_one_of_each_and_in_java_one():  # C-T5, J-T5
    tiles = [["village", h] for h in ("k8", "k10", "k12", "k14")]
    w = world(tiles=tiles, incas=[["k8"], []], turn=laid(), supply={"floors": {"2": 0}})
    assert why_not(w, "build k14 4") == "C-T5"
    w = world(
        "java", tiles=tiles, developers=[["k8"], []], turn=laid(), supply={"palaces": {"2": 0}}
    )
    assert apply(w, "build k14 4", first).supply["floors"] == {2: 0, 4: 6, 6: 8, 8: 9, 10: 10}


def test_a_surrounded_pond_scores_once_for_the_highest():  # C-B2
    shore = ["h17", "h19", "i16", "i20", "j17"]
    w = world(tiles=[["crop", h] for h in shore], incas=[[], ["h17"]])
    w = apply(w, "place village j19", first)
    assert w.scores == [0, 3]
    w = apply(w, "place double i22 h23", first)
    assert w.scores == [0, 3]


def test_the_last_card_of_the_pile_and_the_discards():  # C-D2, C-D3
    w = world(pile=["kero"], discard=["quipu"], turn=laid())
    w = apply(w, "draw open", first)
    assert (w.hands[0], w.open, w.pile, w.discard) == (["tumi"], "kero", [], ["quipu"])
    w = apply(w, "draw pile", first)
    assert (w.hands[0], w.pile, w.discard) == (["tumi", "quipu"], [], [])
    assert why_not(world(pile=[], discard=[], turn=laid()), "draw open") == "C-D3"


CITY = [["village", h] for h in ("k8", "k10", "k12", "k14")]


def feast(game="cuzco", **more):
    word = oracle.WORDS[game]
    people = {word["incas"]: [["k8"], ["k10"]], word["temples"]: {"k14": {"value": 8}}}
    return world(game, tiles=CITY, turn=laid(), **people, **more)


def test_a_festival_shared_by_silence():  # C-F4, C-F5, C-F6
    w = feast(hands=[["tumi"], ["tumi"]], pile=["kero"], options={"ask_everyone": False})
    w = apply(w, "festival k14 tumi", first)
    assert legal(w) == ["bid tumi", "pass"]
    w = apply(w, "bid tumi", first)
    assert (w.scores, w.festival, w.turn["seat"]) == ([2, 2], None, 1)
    assert (w.open, sorted(w.discard), w.temples["k14"]["disc"]) == ("kero", ["tumi"] * 3, True)


def test_a_festival_nobody_can_join_is_held_alone():  # C-F4, J-F6
    w = feast("java", hands=[["mask"], ["drum"]], options={"ask_everyone": False})
    w = apply(w, "festival k14 mask", first)
    assert (w.scores, w.open, w.discard) == ([4, 0], "mask", ["mask"])


def test_the_last_bidder_speaks_too_after_all_others():  # C-F3
    w = feast(hands=[["tumi"], ["tumi"]])
    w = apply(apply(w, "festival k14 tumi", first), "bid tumi", first)
    assert (oracle.to_act(w), legal(w)) == ([0], ["hold"])
    w = apply(w, "hold", first)
    assert (oracle.to_act(w), legal(w)) == ([1], ["hold"])
    assert apply(w, "hold", first).scores == [2, 2]


def test_everyone_is_asked_as_a_rule():  # C-F4 ask_everyone
    w = feast(hands=[["tumi"], ["kero"]])
    w = apply(w, "festival k14 tumi", first)
    assert (oracle.to_act(w), legal(w)) == ([1], ["pass"])


def test_the_last_triple_opens_the_last_round():  # C-E1, C-E2
    w = world(supply={"triples": 1})
    w = apply(w, "place triple k12 k14 j13", first)
    w = apply(w, "end", first)
    assert (w.last, legal(w).count("end")) == ({"opened_by": 0, "scored": [0]}, 1)
    w = apply(w, "end", first)
    assert (oracle.is_over(w), legal(w), oracle.winners(w)) == (True, [], [0, 1])


def test_idle_turns_open_the_last_round():  # C-E5
    nothing = [{"doubles": 0, "crops": 0, "villages": 0}] * 2
    w = world(stock=nothing, supply={"triples": 0}, turn={"idle": 1})
    w = apply(w, "end", first)
    assert (w.last["opened_by"], w.turn["seat"], w.turn["idle"]) == (1, 1, 0)
    w = apply(apply(w, "end", first), "end", first)
    assert oracle.is_over(w)


def test_final_scoring_is_dense():  # C-E3
    tiles = [*CITY, ["village", "k6"], ["village", "k16"], ["village", "k8"], ["village", "k10"]]
    temples = {"k14": {"value": 10}}
    incas = [["k8"], ["k10"], ["k12"], ["k16"]]
    w = load("cuzco", {"seats": 4, "tiles": tiles, "temples": temples, "incas": incas})
    assert [oracle.final_scoring(w, seat) for seat in range(4)] == [10, 10, 5, 5]


@pytest.mark.parametrize("game", ["cuzco", "java"])
@pytest.mark.parametrize("seed", range(1))
def test_random_matches_end_and_keep_their_pieces(game, seed):
    rng = random.Random(seed)
    deck = [card for card in oracle.card_names(game) for _ in range(5)]
    rng.shuffle(deck)
    w = load(
        game,
        {"seats": 2, "hands": [deck[:3], deck[3:6]], "open": deck[6], "supply": {"triples": 2}},
    )
    while orders := legal(w):
        tiles = [] if w.turn["laid"] else [o for o in orders if o.startswith("place")]
        orders = tiles or orders  # the tile first: Java's duty is slow to judge
        verb = rng.choice(sorted({order.split()[0] for order in orders}))
        w = apply(w, rng.choice([o for o in orders if o.split()[0] == verb]), rng.choice)
        check_pieces(w, triples=2)


def check_pieces(w, triples):
    shapes = Counter(tile[0] for tile in w.tiles)
    cards = [*w.pile, *w.discard, w.open, *(card for hand in w.hands for card in hand)]
    cards += [card for played in (w.festival or {"played": []})["played"] for card in played]
    assert Counter(cards) == dict.fromkeys(oracle.card_names(w.game), 5)
    assert shapes["triple"] + w.supply["triples"] == triples
    assert shapes["double"] + sum(own["doubles"] for own in w.stock) == 5 * w.seats
    assert len(w.basins) + w.supply["basins"] == 16
    assert all(len(own) <= 12 for own in w.incas)
    assert sum(map(len, w.incas)) == len(oracle.occupied(w))
    assert 0 <= w.turn["ap"] <= 7
    board = Board()
    board.basins = w.basins
    assert all(board.lay(*tile) for tile in w.tiles)
    for temple in w.temples:
        assert oracle.temples_in(w, oracle.settlements(w)[temple]) == [temple]


@pytest.mark.parametrize("seed", range(30))
def test_random_positions_are_possible_and_survive_being_written_down(seed):
    rng = random.Random(seed)
    game = ("cuzco", "java")[seed % 2]
    w = load(game, random_position(rng, game))
    assert oracle.dump(load(game, oracle.dump(w))) == oracle.dump(w)
    board = Board()
    board.basins = w.basins
    assert all(board.lay(*tile) for tile in w.tiles)
    standing = oracle.occupied(w)
    assert standing <= set(oracle.kinds(w)) - set(w.temples)
    assert sum(map(len, w.incas)) == len(standing)
    for temple in w.temples:
        assert oracle.temples_in(w, oracle.settlements(w)[temple]) == [temple]
