"""Positions in the referee's form: what is filled in, what is shown, and what could not stand on a table."""

from __future__ import annotations

import re
from collections import Counter
from itertools import islice
from random import Random
from typing import Any

import pytest

from engine.core.match import start_at
from engine.core.refusal import Refusal, Unknown
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.printed_board import board
from tests.engine.matches import walk
from tests.games.table import Table
from tests.games.tahuantinsuyu.tables import FOUR, TO_XAUXA, marker, owned, people, sun, table

EXAMPLE: dict[str, Any] = {  # that of the rules
    "seats": 4,
    "options": {"pizarro": True},
    "colours": ["orange", "green", "brown", "blue"],
    "order": [2, 0, 1, 3],
    "scores": [3, 0, 3, 7],
    "standing": [3, 0, 2, 1],
    "labour": [4, 0, 2, 1],
    "period": 1,
    "step": 2,
    "hands": [["el_nino"], [], [], []],
    "pile": [],
    "discard": [],
    "sun": {"orange-blue": ["epidemic"]},
    "markers": {"huanca": {"type": "farmers", "up": True, "owner": 0, "terrace": True}},
    "spare": ["allies", "allies", "herders"],
    "roads": [[["s001", "s011"]], [], [["s003", "s070"]], []],
    "buildings": {"s104": {"kind": "city", "temple": False}},
    "turn": {"seat": 2, "done": []},
    "pizarro": 4,
    "over": False,
}


def test_the_example_of_the_rules_is_read_and_printed_again() -> None:
    state = table(**EXAMPLE).state
    for key, value in EXAMPLE.items():
        if key not in ("markers", "options"):
            assert state[key] == value, key
    assert state["markers"]["huanca"] == EXAMPLE["markers"]["huanca"]
    assert state["options"]["pizarro"] is True


def test_cards_of_a_running_sun_phase_lie_face_down() -> None:
    laid = {"brown-green": {"seat": 2, "card": "resistance"}}
    match = sun(order=[2, 0, 1, 3], laid=laid, hands=[["el_nino"]])
    assert match.state["laid"] == laid
    assert match.to_act == "A"


def test_everything_but_the_seats_may_be_left_out() -> None:
    state = Table(start_at(GAME, {"seats": 4}, "seed")).state
    expected = {
        "seats": 4,
        "options": {
            "pizarro": False,
            "early_decline": False,
            "gift_of_the_gods": False,
            "rules": 2,
            "board": 2,
        },
        "colours": ["orange", "green", "brown", "blue"],
        "order": [0, 1, 2, 3],
        "scores": [0, 0, 0, 0],
        "standing": [0, 1, 2, 3],
        "labour": [0, 0, 0, 0],
        "period": 0,
        "step": 1,
        "hands": [[], [], [], []],
        "discard": [],
        "sun": {},
        "laid": {},
        "roads": [[], [], [], []],
        "buildings": {},
        "turn": {"seat": 0, "done": []},
        "pizarro": None,
        "over": False,
    }
    assert {key: state[key] for key in expected} == expected
    assert state.keys() == {*expected, "pile", "markers", "spare"}
    assert Counter(state["pile"]) == Counter(FOUR.cards)
    assert len(table(3).state["pile"]) == 27


def test_standing_follows_the_scores_and_then_the_tiles() -> None:
    assert table(scores=[3, 5, 3, 0], order=[3, 2, 1, 0]).state["standing"] == [1, 2, 0, 3]


def test_the_pile_is_the_rest_of_this_games_cards() -> None:
    match = sun(
        hands=[["wild_road"], ["wild_road"]],
        sun={"orange-blue": ["epidemic"]},
        discard=["wild_road"],
        laid={"blue-brown": {"seat": 0, "card": "epidemic"}},
    )
    pile = match.state["pile"]
    assert pile.count("wild_road") == 1
    assert "epidemic" not in pile
    assert len(pile) == 32 - 5
    assert len(table(options={"early_decline": True}).state["pile"]) == 29


def test_types_left_out_are_dealt_in_the_order_of_the_data() -> None:
    match = table(markers={"pasto": {"type": "warriors"}})
    lands = [region.id for region in FOUR.regions if not region.colour]
    assert lands[:2] == ["pasto", "quijos"]
    assert [marker(match, name)["type"] for name in lands[:11]] == [
        "warriors",
        *["allies"] * 9,
        "herders",
    ]
    assert match.state["spare"] == ["warriors"] * 3
    given = table(spare=["allies", "allies", "herders"])
    types = [marker(given, name)["type"] for name in lands]
    assert types.count("allies") == 7
    assert types[-1] == "warriors"


def test_markers_are_up_as_the_rules_would_have_it() -> None:
    match = table(roads=[[["s001", "s061"], ["s012", "s061"]]], markers=owned(3, "collagua"))
    up = {name for name, found in match.state["markers"].items() if found["up"]}
    joined_to = {"ichma"}
    beside = set(FOUR.named_regions(FOUR.beside_suyus))
    around = FOUR.regions[FOUR.region_index["collagua"]].neighbours
    assert up == beside | joined_to | {"collagua"} | set(FOUR.named_regions(around & ~FOUR.suyus))


def test_the_gifts_of_the_gods_are_up() -> None:
    match = table(options={"gift_of_the_gods": True})
    assert all(marker(match, name)["up"] for name in FOUR.named_regions(FOUR.hands_of_gods))


def test_up_may_be_given() -> None:
    match = table(markers={"huanca": {"up": False}, "pasto": {"up": True}})
    assert not marker(match, "huanca")["up"]
    assert marker(match, "pasto")["up"]


def test_layings_that_only_r3_would_have_refused_are_accepted() -> None:
    match = table(roads=[[["s041", "s086"]], [["s041", "s086"]]])
    assert match.state["roads"][0] == match.state["roads"][1] == [["s041", "s086"]]


def test_pairs_may_be_written_either_way_and_are_printed_sorted() -> None:
    match = table(roads=[[["s061", "s001"], ["s005", "s001"]]])
    assert match.state["roads"][0] == [["s001", "s005"], ["s001", "s061"]]


def test_progress_follows_from_the_orders_of_the_turn() -> None:
    done = ["road s001 s005", "conquer huanca"]
    match = people(roads=[["s001", "s005"]], markers=owned(0, "huanca"), turn={"done": done})
    match.refuses("road s001 s061", "N-R1", "The road action is finished")
    match.refuses("terrace huanca", "N-R1", "no card lets another")
    assert match.legal() == ["end"]


def test_a_position_that_is_over_asks_nobody() -> None:
    match = table(over=True, scores=[5, 9, 1, 2])
    assert match.match.over
    assert (match.state["period"], match.state["step"]) == (6, 9)
    assert GAME.winners(match.match.state) == (1,)


def test_a_view_has_the_keys_of_a_position_and_numbers_for_what_is_hidden() -> None:
    laid = {"brown-green": {"seat": 2, "card": "resistance"}}
    match = sun(order=[2, 0, 1, 3], laid=laid, options={"pizarro": True})
    state, view = match.state, match.view("A")
    assert view.keys() == state.keys()
    assert view["hands"] == [["el_nino"], 1, 1, 1]
    assert view["pile"] == len(state["pile"])
    assert view["spare"] == 3
    assert view["laid"] == {"brown-green": {"seat": 2, "card": None}}
    assert view["pizarro"] is None
    hidden = {name for name, found in view["markers"].items() if found["type"] is None}
    assert hidden == {name for name, found in state["markers"].items() if not found["up"]}
    assert match.view("C")["laid"] == laid
    assert match.view(None)["hands"] == [1, 1, 1, 1]


def test_a_half_played_turn_is_read_back() -> None:
    seen = 0
    for match in islice(walk("tahuantinsuyu", 4, 31), 0, 250):
        if match.state.turn.done:
            seen += 1
            assert GAME.evolve(None, GAME.load(GAME.dump(match.state))) == match.state
    assert seen > 40


PEOPLE = {"period": 1, "step": 2}
IMPOSSIBLE: list[dict[str, Any]] = [
    {"seats": 2},
    {"seats": 5},
    {"seats": "4"},
    {"colour": []},
    {"options": {"nonsense": True}},
    {"options": {"pizarro": 1}},
    {"colours": ["orange", "green", "brown"]},
    {"colours": ["orange", "green", "brown", "red"]},
    {"order": [0, 1, 2, 2]},
    {"order": [0, 1, 2, True]},
    {"scores": [-1]},
    {"scores": [0, 0, 0, 0, 0]},
    {"labour": [2.5]},
    {"scores": [1, 2], "standing": [0, 1, 2, 3]},
    {"standing": [0, 1, 2]},
    {"period": 7},
    {"period": 0, "step": 0},
    {"period": 1, "step": 5},
    {"period": 1, "step": 6},
    {"period": 3, "step": 2, "options": {"early_decline": True}},
    {"period": 5, "step": 2, "options": {"early_decline": True}},
    {"over": True, "period": 6, "step": 8},
    {"over": "no"},
    {"over": True, "turn": {"seat": 0}},
    {"hands": [["nonsense"]]},
    {"hands": [["epidemic", "epidemic", "epidemic"]]},
    {"pile": ["solar_eclipse"], "discard": ["solar_eclipse"]},
    {"sun": {"orange-green": []}},
    {"seats": 3, "sun": {"orange-blue": []}},
    {"seats": 3, "hands": [["local_pilgrimage"]]},
    {"options": {"early_decline": True}, "discard": ["great_pilgrimage"]},
    {**PEOPLE, "laid": {"orange-blue": {"seat": 0, "card": "epidemic"}}},
    {"period": 1, "step": 1},  # a Sun phase in which nobody has a card
    {
        "period": 1,
        "step": 1,
        "hands": [["wild_road"], ["wild_road"]],
        "laid": {
            "orange-blue": {"seat": 2, "card": "epidemic"},
            "blue-brown": {"seat": 2, "card": "epidemic"},
        },
    },
    {"period": 1, "step": 1, "hands": [["wild_road"], ["wild_road"]], "turn": {"seat": 1}},
    {"period": 1, "step": 1, "hands": [["wild_road"]], "turn": {"done": ["road s001 s005"]}},
    {"markers": {"atlantis": {}}},
    {"markers": {"antisuyu": {}}},
    {"markers": {"huanca": {"type": "nonsense"}}},
    {"markers": {"huanca": {"owner": 4}}},
    {"markers": {"huanca": {"terrace": True}}},
    {"markers": {"huanca": {"owner": 1, "up": False}}},
    {"markers": {name: {"type": "kingdom"} for name in FOUR.named_regions(0b1111111)}},
    {"spare": ["kingdom"] * 7},
    {"spare": ["allies", "allies", "allies", "allies"]},
    {"roads": [[["s001", "s005"], ["s005", "s001"]]]},
    {"roads": [[["cuzco", "s001"]]]},  # the starting road is there already
    {"roads": [[["s001", "s999"]]]},
    {"roads": [[["s001", "s106"]]]},
    {"roads": [[["s001"]]]},
    {"roads": [[["s001", "s104"]], [["s005", "s061"]]]},  # they cross
    {"roads": [[], [], [], [], []]},
    {"buildings": {"s001": {"kind": "city"}}},
    {"buildings": {"cuzco": {"kind": "city"}}},
    {"buildings": {"s104": {"kind": "garrison"}}},
    {"buildings": {"s104": {"kind": "temple"}}},
    {"buildings": {"s104": {"temple": True}}},
    {"pizarro": 2},
    {"options": {"pizarro": True}, "pizarro": 5},
    {"options": {"pizarro": True}, "pizarro": 1, "period": 6, "step": 4},
    {"turn": {"seat": 4}},
    {"turn": {"done": ["end"]}},
    {"turn": {"done": ["sun el_nino orange-blue"]}},
    {"turn": {"done": ["road s005 s001"]}},
    {"turn": {"done": ["road s001 s005"]}},  # it does not lie there
    {"turn": {"done": [7]}},
    {"turn": {"done": ["city s104"]}},
    {"turn": {"done": ["conquer huanca"]}},
    {"turn": {"done": ["pilgrimage local for roads"]}},
]


@pytest.mark.parametrize("position", IMPOSSIBLE, ids=repr)
def test_an_impossible_position_is_refused_with_a_sentence(position: dict[str, Any]) -> None:
    with pytest.raises(Unknown, match=r"\w.*[.]$"):
        start_at(GAME, {"seats": 4, **position}, "seed")


@pytest.mark.parametrize(
    "done",
    [
        ["road s001 s005", "road s001 s061", "road s001 s007"],
        ["road s001 s005", "road s001 s005"],
        ["road s001 s005", "conquer huanca", "road s001 s061"],
        ["conquer huanca", "terrace huanca"],
        ["terrace huanca", "conquer huanca"],
        ["wild s001 s005"],
        ["buy road s001 s005", "buy road s001 s061"],
        ["upgrade s104"],
        ["garrison s104"],
        ["temple s104"],
    ],
)
def test_an_impossible_turn_is_refused(done: list[str]) -> None:
    with pytest.raises(Unknown, match="cannot have been given in this turn"):
        people(
            roads=[["s001", "s005"], ["s001", "s061"], ["s001", "s007"], ["s061", "s104"]],
            markers=owned(0, "huanca", terrace=True),
            buildings={"s104": {"kind": "city"}},
            turn={"done": done},
        )


# What a turn of A cannot have done, though it stands on the table: no card, no road or no conquest allows it.
GARRISON, UPGRADED = {"s111": {"kind": "garrison", "temple": True}}, {"s111": {"kind": "city"}}
TO_AYAVIRI = [["cuzco", "s003"], ["s003", "s111"]]


@pytest.mark.parametrize(
    ("done", "cards", "parts"),
    [
        ("upgrade s111", "strategic_point", {"buildings": UPGRADED, "roads": TO_AYAVIRI}),
        ("temple s111", "religious_fervour", {"buildings": GARRISON, "roads": TO_AYAVIRI}),
        ("wild cuzco s003", "wild_road", {"roads": TO_AYAVIRI}),
    ],
)
def test_a_turn_needs_the_card_that_allows_it(  # N-D2, N-D7, N-R6
    done: str, cards: str, parts: dict[str, Any]
) -> None:
    turn = {"done": [done]}
    assert people(cards, turn=turn, **parts).state["turn"] == {"seat": 0, "done": [done]}
    with pytest.raises(Unknown, match="cannot have been given in this turn"):
        people(turn=turn, **parts)


@pytest.mark.parametrize(
    ("done", "parts"),
    [
        ("city s104", {"buildings": {"s104": {"kind": "city"}}, "markers": owned(0, "huanca")}),
        ("city s104", {"buildings": {"s104": {"kind": "city"}}, "roads": TO_XAUXA}),
        ("temple s104", {"buildings": {"s104": {"kind": "city", "temple": True}}}),
        ("conquer canas", {"markers": owned(0, "canas")}),
        ("wild s001 s005", {"roads": [["s001", "s005"]]}),  # its slot would have been free
    ],
)
def test_a_turn_cannot_have_built_or_conquered_out_of_reach(  # N-D1, N-D2, N-D5, N-R6
    done: str, parts: dict[str, Any]
) -> None:
    with pytest.raises(Unknown, match="cannot have been given in this turn"):
        people("wild_road", turn={"done": [done]}, **parts)


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ({"hands": [["epidemic"] * 3]}, "There is 1 card epidemic too many."),
        ({"spare": ["kingdom"] * 8}, "There are 2 markers kingdom too many."),
        ({"labour": [10_001]}, "labour takes whole numbers from 0 to 10000, not 10001."),
        ({"turn": {"seat": 4}}, "turn names the seat 4; the seats are 0 to 3."),
        ({"period": 1, "step": 5}, "step 5 of period 1 is neither."),
        ({"over": True, "period": 6, "step": 8}, "rests at step 9 of period 6, not at step 8 of 6"),
    ],
)
def test_a_refusal_names_the_numbers(position: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Unknown, match=re.escape(sentence)):
        table(**position)


@pytest.mark.parametrize("seed", range(30))
def test_a_mutilated_position_is_refused_or_stands(seed: int) -> None:
    """Any value anywhere: a sentence, or a position that is printed as it was read."""
    rng = Random(seed)
    strange: list[Any] = [
        None,
        True,
        -1,
        3,
        10**30,
        2.5,
        "",
        "huanca",
        [],
        [[]],
        {},
        [None],
        {"seat": 1},
    ]
    for match in islice(walk("tahuantinsuyu", 3 + seed % 2, seed), 0, 120, 15):
        position = GAME.dump(match.state)
        key = rng.choice(sorted(position))
        position[key] = rng.choice(strange)
        try:
            event = GAME.load(position)
        except Refusal:
            continue
        state = GAME.evolve(None, event)
        assert GAME.dump(state) == event.position


def test_every_board_has_its_own_ids() -> None:
    with pytest.raises(Unknown, match="roads knows no"):
        table(3, roads=[[["s120", "s121"]]])
    assert "s120" in board(4, 1).site_index
