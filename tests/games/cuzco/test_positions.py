"""Positions in the referee's form: what is filled in, and what could not stand on a table."""

from typing import Any

import pytest

from engine.core.match import start_at
from engine.core.refusal import Unknown
from engine.core.registry import games
from tests.games.cuzco.moments import FEAST, MOMENTS
from tests.games.table import SITE, Table, cuzco

TWO_VILLAGES = [["village", "k8"], ["village", "k10"]]
INNER = cuzco("turn A laid").legal("basin")


def at(game: str = "cuzco", **facts: Any) -> Table:
    return Table(start_at(games()[game], {"seats": 2, **facts}, "seed"))


def crops(names: list[str]) -> list[list[str]]:
    return [["crop", name] for name in names]


def test_everything_but_the_seats_may_be_left_out() -> None:
    state = at().state
    assert state == {
        "seats": 2,
        "options": {"rules": 2, "exact_temples": False, "ask_everyone": True},
        "tiles": [],
        "basins": [],
        "temples": {},
        "incas": [[], []],
        "hands": [[], []],
        "open": None,
        "discard": [],
        "pile": state["pile"],
        "scores": [0, 0],
        "stock": [{"tokens": 3, "doubles": 5, "crops": 3, "villages": 2}] * 2,
        "supply": {
            "triples": 56,
            "basins": 16,
            "floors": {"2": 12, "4": 11, "6": 10, "8": 8, "10": 6},
        },
        "turn": {"seat": 0, "ap": 6, "laid": False, "drawn": 0, "token": False, "idle": 0},
        "last": {"opened_by": None, "scored": []},
        "festival": None,
    }
    assert len(state["pile"]) == 30


def test_the_pile_is_the_rest_of_the_cards() -> None:
    festival = {"at": "k10", "proposer": 0, "played": [["kero"]], "asked": 1}
    hands = [["tumi", "tumi"], ["quipu"]]
    pile = at(**FEASTING, hands=hands, discard=["tumi"], festival=festival).state["pile"]
    assert [pile.count(card) for card in ("tumi", "quipu", "kero", "tumi+kero")] == [1, 4, 4, 5]


def test_stocks_and_supplies_are_as_given_not_reduced_by_the_board() -> None:
    table = at(tiles=[["triple", "k8", "k10", "l9"], ["crop", "g8"]], basins=["g12"])
    assert table.state["supply"]["triples"] == 56
    assert table.state["supply"]["basins"] == 16
    assert table.state["stock"][0]["crops"] == 3


def test_a_key_left_out_inside_an_object_has_its_default_too() -> None:
    table = at(stock=[{"tokens": 1}], supply={"floors": {"4": 0}}, turn={"ap": 2})
    state = table.state
    full = {"tokens": 3, "doubles": 5, "crops": 3, "villages": 2}
    assert state["stock"] == [{**full, "tokens": 1}, full]
    assert state["supply"]["triples"] == 56
    assert state["supply"]["floors"] == {"2": 12, "4": 0, "6": 10, "8": 8, "10": 6}
    assert state["turn"] == {**at().state["turn"], "ap": 2}


def test_levels_and_top_tiles_follow_from_the_laying_order() -> None:
    table = at(tiles=[["double", "k8", "k10"], ["village", "k10"], ["crop", "k8"]])
    assert (table.kind("k10"), table.kind("k8")) == ("village", "crop")
    assert (table.level("k10"), table.level("k8"), table.level("k12")) == (2, 2, 0)


def test_tiles_on_ring_hexes_are_accepted() -> None:
    assert at(tiles=[["double", "k6", "k4"]]).level("k4") == 1


def test_a_temple_that_changed_this_turn_may_not_change_again() -> None:
    tiles = [["village", name] for name in ("k8", "k10", "k12", "k14")]
    facts = {"tiles": tiles, "incas": [["k8"]], "turn": {"laid": True}}
    table = at(**facts, temples={"k10": {"value": 2, "changed": True}})
    table.refuses("expand k10 4", "C-T6", "once this turn")
    at(**facts, temples={"k10": {"value": 2}}).play("expand k10 4")


@pytest.mark.parametrize("moment", MOMENTS)
def test_a_state_fed_back_gives_an_equal_state(moment: str) -> None:
    table = MOMENTS[moment]()
    again = Table(start_at(table.match.game, table.state, "seed"))
    assert again.match.state == table.match.state
    assert again.state == table.state
    assert again.to_act == table.to_act


def test_nobody_has_answered_where_nothing_is_said() -> None:  # C-F3
    table = cuzco(FEAST).play("festival k10 tumi", "bid tumi+kero")
    given = table.state
    assert given["festival"].pop("answered") == []
    assert Table(start_at(table.match.game, given, "seed")).state == table.state


def test_by_the_first_rules_the_nearest_before_who_is_asked_has_answered() -> None:
    table = cuzco(f"{FEAST}; seats 3 rules 1").play("festival k10 tumi", "bid tumi+kero")
    assert table.to_act == "C"
    given = table.state
    assert given["festival"].pop("answered") == [1]
    again = Table(start_at(table.match.game, given, "seed"))
    assert again.state == table.state
    given["festival"]["out"] = [1]
    assert Table(start_at(table.match.game, given, "seed")).state["festival"]["answered"] == [0]


def test_during_a_festival_the_turn_is_by_default_the_proposers() -> None:
    given = cuzco(f"{FEAST}; turn B ap 0 laid").play("festival k10 tumi+kero").state
    del given["turn"]
    assert Table(start_at(games()["cuzco"], given, "seed")).state["turn"]["seat"] == 1


def test_layings_that_only_shape_or_cities_would_forbid_are_accepted() -> None:
    tiles = [["crop", "k8"], ["crop", "k8"], ["double", "g8", "g10"], ["double", "g10", "g8"]]
    assert at(tiles=tiles).level("k8") == 2
    joined = [["village", name] for name in ("k8", "k10", "k12")]
    cut = [*joined, ["crop", "k10"]]
    at(tiles=cut, temples={"k8": {"value": 2}, "k12": {"value": 2}})


def test_tiles_and_floors_are_not_counted() -> None:
    table = at(
        tiles=crops(SITE) + [["village", "k8"]] * 60,
        temples={"k8": {"value": 10}},
        supply={"triples": 60, "floors": {"10": 9}},
        stock=[{"tokens": 9}],
    )
    assert table.level("k8") == 61


def test_twelve_incas_sixteen_basins_and_five_of_a_card_are_accepted() -> None:
    at(tiles=crops(SITE[:12]), incas=[SITE[:12]])
    at(basins=[order.split()[1] for order in INNER[:16]])
    at(hands=[["tumi"] * 5])


IMPOSSIBLE = {
    "two Incas of one player on a hex": (
        {"tiles": TWO_VILLAGES, "incas": [["k8", "k8"]]},
        "Two stand on k8",
    ),
    "two Incas of two players on a hex": (
        {"tiles": TWO_VILLAGES, "incas": [["k8"], ["k8"]]},
        "Two stand on k8",
    ),
    "an Inca on a bare hex": ({"incas": [["k8"]]}, "Nobody can stand on k8"),
    "an Inca on a basin": ({"basins": ["k8"], "incas": [["k8"]]}, "Nobody can stand on k8"),
    "an Inca on a temple": (
        {"tiles": TWO_VILLAGES, "temples": {"k8": {"value": 2}}, "incas": [["k8"]]},
        "Nobody can stand on k8",
    ),
    "a floating tile": ({"tiles": [["crop", "k8"], ["double", "k8", "k10"]]}, "floats"),
    "a tile that leans": (
        {"tiles": [["crop", "k8"], ["crop", "k8"], ["crop", "k10"], ["double", "k8", "k10"]]},
        "not level",
    ),
    "a tile off the site": ({"tiles": [["double", "k4", "l5"]]}, "No double tile can lie on"),
    "a single on the ring": ({"tiles": [["crop", "k4"]]}, "No crop tile can lie on"),
    "a broken triple": ({"tiles": [["triple", "k8", "k10", "k12"]]}, "No triple tile can lie"),
    "a tile on a printed basin": ({"tiles": [["crop", "f15"]]}, "A basin lies under the tile"),
    "a basin on a tile": ({"tiles": [["crop", "k8"]], "basins": ["k8"]}, "lies on a tile"),
    "a basin on the border": ({"basins": ["k6"]}, "No basin may lie on k6"),
    "a basin on the ring": ({"basins": ["k4"]}, "No basin may lie on k4"),
    "a basin on a basin": ({"basins": ["k8", "k8"]}, "Two basins lie on k8"),
    "a basin on a printed one": ({"basins": ["f15"]}, "Two basins lie on f15"),
    "two temples in one city": (
        {"tiles": TWO_VILLAGES, "temples": {"k8": {"value": 2}, "k10": {"value": 2}}},
        "One city holds two of them: k10 k8",
    ),
    "a temple on a bare hex": ({"temples": {"k8": {"value": 2}}}, "k8 is no village hex"),
    "a temple on a crop": (
        {"tiles": [["crop", "k8"]], "temples": {"k8": {"value": 2}}},
        "k8 is no village hex",
    ),
    "a temple of 3": ({"tiles": TWO_VILLAGES, "temples": {"k8": {"value": 3}}}, "the value 3"),
    "a temple without value": ({"tiles": TWO_VILLAGES, "temples": {"k8": {}}}, "the value null"),
    "an unknown card in a hand": ({"hands": [["sun"]]}, 'There is no card "sun"'),
    "an unknown open card": ({"open": "kero+tumi"}, 'There is no card "kero+tumi"'),
    "an unknown card in the pile": ({"pile": ["mask"]}, 'There is no card "mask"'),
    "an unknown discard": ({"discard": [7]}, "There is no card 7"),
    "an unknown hex under a tile": ({"tiles": [["crop", "k9"]]}, 'There is no hex "k9"'),
    "an unknown hex under an Inca": ({"incas": [["z1"]]}, 'There is no hex "z1"'),
    "an unknown basin": ({"basins": ["K8"]}, 'There is no hex "K8"'),
    "an unknown hex of a temple": ({"temples": {"q1": {"value": 2}}}, 'There is no hex "q1"'),
    "an unknown tile": ({"tiles": [["quadruple", "k8"]]}, 'There is no tile "quadruple"'),
    "thirteen Incas": (
        {"tiles": crops(SITE[:13]), "incas": [SITE[:13]]},
        "12 pieces at the most, not 13",
    ),
    "seventeen basins": (
        {"basins": [order.split()[1] for order in INNER[:17]]},
        "at most 16 basins",
    ),
    "six of a card in one hand": ({"hands": [["tumi"] * 6]}, "5 cards tumi, not 6"),
    "six of a card in all places": (
        {"hands": [["tumi"], ["tumi"]], "open": "tumi", "discard": ["tumi"], "pile": ["tumi"] * 2},
        "5 cards tumi, not 6",
    ),
    "temples in a list": ({"temples": ["k8"]}, "must be an object"),
    "a half-true change": (
        {"tiles": TWO_VILLAGES, "temples": {"k8": {"value": 2, "changed": 1}}},
        "changed is true or false, not 1",
    ),
    "tiles in an object": ({"tiles": {"crop": "k8"}}, "tiles must be a list"),
    "a hand that is no list": ({"hands": ["tumi"]}, "hands must be a list"),
    "a turn after the final scoring": (
        {"last": {"opened_by": 0, "scored": [0]}},
        "has made its final scoring",
    ),
    "five seats": ({"seats": 5}, "2 to 4 seats, not 5"),
    "one seat": ({"seats": 1}, "2 to 4 seats, not 1"),
    "seats as text": ({"seats": "2"}, '2 to 4 seats, not "2"'),
    "seats as truth": ({"seats": True}, "2 to 4 seats, not true"),
    "more hands than seats": ({"hands": [[], [], []]}, "hands names 3 seats; there are 2"),
    "an unknown option": ({"options": {"cheat": True}}, 'has no key "cheat"'),
    "an option that is no truth": ({"options": {"ask_everyone": 1}}, "true or false, not 1"),
    "rules that nobody wrote": ({"options": {"rules": 3}}, "whole number from 1 to 2, not 3"),
    "rules that are no number": ({"options": {"rules": True}}, "from 1 to 2, not true"),
    "an unknown key": ({"colour": "red"}, 'has no key "colour"'),
    "Java's words": ({"developers": [[]]}, 'has no key "developers"'),
    "a turn of nobody": ({"turn": {"seat": 2}}, "the seat 2; the seats are 0 to 1"),
    "less than no AP": ({"turn": {"ap": -1}}, "whole numbers from 0 to 10000, not -1"),
    "half an AP": ({"turn": {"ap": 1.5}}, "whole numbers from 0 to 10000, not 1.5"),
    "a score of truth": ({"scores": [True]}, "whole numbers from 0 to 10000, not true"),
    "a last round of nobody": ({"last": {"opened_by": 5}}, "the seat 5; the seats are 0 to 1"),
    "a festival without temple": (
        {"open": "tumi", "festival": {"at": "k8", "proposer": 0, "asked": 1}},
        "A festival needs a city",
    ),
}


@pytest.mark.parametrize("fault", IMPOSSIBLE)
def test_an_impossible_position_is_refused_with_a_sentence(fault: str) -> None:
    facts, sentence = IMPOSSIBLE[fault]
    with pytest.raises(Unknown) as refusal:
        at(**facts)
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("position", [None, [], "seats 2", 7, {}])
def test_a_position_is_an_object_with_seats(position: Any) -> None:
    with pytest.raises(Unknown, match=r"must be an object|2 to 4 seats"):
        start_at(games()["cuzco"], position, "seed")


FEASTING = {
    "tiles": [["village", name] for name in ("k8", "k10", "k12", "g8", "g10", "e14", "e16")],
    "temples": {"k10": {"value": 2}, "g8": {"value": 2}, "e14": {"value": 2}},
    "incas": [["k8", "g10"], ["k12", "e16"]],
    "open": "tumi",
}


@pytest.mark.parametrize(
    ("festival", "sentence"),
    [
        ({"proposer": 0, "asked": 0, "answered": [0]}, "it cannot have answered"),
        ({"proposer": 0, "asked": 1, "answered": [1]}, "it cannot have answered"),
        ({"proposer": 0, "asked": 1, "out": [1]}, "must take part"),
        ({"proposer": 0, "asked": 2}, "the seats are 0 to 1"),
        ({"at": "g8", "proposer": 0, "asked": 1}, "must take part"),
        ({"at": "e14", "proposer": 0, "asked": 1}, "must take part"),
        ({"proposer": 0, "asked": 1, "played": [["sun"]]}, 'no card "sun"'),
        ({"proposer": 0, "asked": 1, "colour": 1}, 'has no key "colour"'),
    ],
)
def test_a_festival_that_could_not_run_is_refused(festival: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Unknown, match=sentence):
        at(**FEASTING, festival={"at": "k10", **festival})


def test_the_turn_stays_the_proposers_during_a_festival() -> None:
    festival = {"at": "k10", "proposer": 0, "asked": 1}
    with pytest.raises(Unknown, match="stays its proposer's"):
        at(**FEASTING, festival=festival, turn={"seat": 1})


JAVA = {
    "seats": 2,
    "tiles": [["village", "k8"], ["village", "k10"], ["rice", "k12"]],
    "palaces": {"k10": {"value": 2, "danced": True}},
    "developers": [["k8"], ["k12"]],
    "stock": [{"rices": 1}, {}],
    "supply": {"palaces": {"2": 3}},
}


def test_java_has_its_own_words() -> None:
    state = at("java", **JAVA).state
    assert state["tiles"] == JAVA["tiles"]
    assert state["developers"] == JAVA["developers"]
    assert state["palaces"] == {"k10": {"value": 2, "danced": True, "changed": False}}
    assert [stock["rices"] for stock in state["stock"]] == [1, 3]
    assert state["supply"]["palaces"] == {"2": 3, "4": 7, "6": 8, "8": 9, "10": 10}
    assert Table(start_at(games()["java"], state, "seed")).state == state


@pytest.mark.parametrize(
    "facts",
    [
        {"tiles": [["crop", "k8"]]},
        {"incas": [[]]},
        {"temples": {}},
        {"palaces": {"k8": {"value": 2, "disc": True}}, "tiles": TWO_VILLAGES},
        {"stock": [{"crops": 1}]},
        {"supply": {"floors": {}}},
        {"options": {"exact_temples": False}},
        {"open": "tumi"},
    ],
)
def test_java_does_not_know_the_words_of_cuzco(facts: dict[str, Any]) -> None:
    with pytest.raises(Unknown):
        at("java", **facts)
