"""The orders: their table, and every spelling that the referee protocol allows or forbids."""

import pytest

from engine.core.match import play
from engine.core.refusal import NotAsked, NotUnderstood
from engine.core.registry import games
from tests.games.table import Table, cuzco, java

ORDERS = [
    "place triple k8 k10 l9",
    "place double k8 k10",
    "place village k8",
    "place crop k8",
    "enter k6",
    "leave k6",
    "move k6 k8",
    "build e14 2",
    "expand e14 10",
    "basin g18",
    "draw open",
    "draw pile",
    "token",
    "festival g16 tumi tumi+kero",
    "bid kero kero quipu+kero",
    "hold",
    "pass",
    "end",
]


def canonical(text: str, game: str = "cuzco") -> str:
    """The order as the list of legal orders would spell it."""
    found = games()[game]
    return found.format(found.parse(0, text))


def not_understood(text: str, sentence: str | None = None) -> None:
    with pytest.raises(NotUnderstood, match=sentence):
        games()["cuzco"].parse(0, text)


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_of_the_table_is_read_and_written(order: str) -> None:
    assert canonical(order) == order


@pytest.mark.parametrize("order", ORDERS)
def test_case_and_repeated_spaces_do_not_matter(order: str) -> None:
    assert canonical(f"  {order.upper().replace(' ', '   ')} ") == order
    assert canonical(order.title()) == order


@pytest.mark.parametrize("space", ["\t", "\n", "\r", "\x0b", "\x0c", "\xa0", "\u2003", "_", ","])
def test_words_are_separated_by_spaces_only(space: str) -> None:
    not_understood(f"enter{space}k6")
    not_understood(f"end{space}")


@pytest.mark.parametrize("order", ["", " ", "    "])
def test_an_empty_order_is_refused(order: str) -> None:
    not_understood(order, "The order is empty")


@pytest.mark.parametrize("order", ["énd", "end\u200b", "ｅｎｄ", "enter k６", "to\u212aen"])
def test_an_order_is_plain_ascii(order: str) -> None:
    not_understood(order, "plain letters")


@pytest.mark.parametrize("order", ORDERS)
def test_an_order_has_neither_a_word_too_many_nor_one_too_few(order: str) -> None:
    not_understood(f"{order} k8")
    shorter = order.rpartition(" ")[0]
    if not shorter.startswith(("festival g16 tumi", "bid kero")):
        not_understood(shorter)


@pytest.mark.parametrize(
    "order",
    [
        "lay crop k8",
        "place",
        "place k8",
        "place crop",
        "place quadruple k8 k10 l9 l11",
        "place triple k8 k10",
        "place double k8 k10 l9",
        "place village k8 k10",
        "place rice k8",
        "draw",
        "draw card",
        "draw open open",
        "festival g16",
        "bid",
        "token token",
        "end turn",
    ],
)
def test_words_that_fit_no_order_are_refused(order: str) -> None:
    not_understood(order)


@pytest.mark.parametrize("name", ["z9", "k9", "k34", "k", "8", "k-8", "k+8", "kk8", "8k", "k8.0"])
def test_a_hex_that_does_not_exist_is_not_understood(name: str) -> None:
    for order in (f"enter {name}", f"place crop {name}", f"move k8 {name}", f"build {name} 2"):
        not_understood(order, "There is no hex")


def test_a_hex_name_has_no_leading_zeros() -> None:
    not_understood("enter k06", "There is no hex 'k06'")
    not_understood("place triple k8 k10 l09", "There is no hex 'l09'")


@pytest.mark.parametrize("word", ["two", "2.0", "-2", "+2", "02", "002", "0x2", "2e0", "1_0", "k8"])
def test_a_value_is_a_whole_number_without_leading_zeros(word: str) -> None:
    not_understood(f"build k10 {word}", "is no whole number")
    not_understood(f"expand k10 {word}", "is no whole number")


@pytest.mark.parametrize("word", ["0", "1", "3", "7", "12", "100", "99999999999999999999"])
def test_any_other_whole_number_is_illegal_not_misspelled(word: str) -> None:
    table = cuzco("turn A laid; villages k8 k10 k12; A at k8")
    table.refuses(f"build k10 {word}", "C-T4", "2, 4, 6, 8 or 10")


@pytest.mark.parametrize(
    "card", ["sun", "mask", "kero+tumi", "kero+quipu", "tumi+tumi", "tumi+", "?"]
)
def test_a_card_that_does_not_exist_is_not_understood(card: str) -> None:
    not_understood(f"bid {card}", "There is no card")
    not_understood(f"festival g16 tumi {card}", "There is no card")


def test_a_triple_may_name_its_crops_in_either_order() -> None:
    assert canonical("place triple k8 l9 k10") == "place triple k8 k10 l9"
    assert canonical("place triple d9 e8 e10") == "place triple d9 e10 e8"


def test_the_village_of_a_tile_comes_first() -> None:
    assert canonical("place triple l9 k10 k8") == "place triple l9 k10 k8"
    assert canonical("place double k10 k8") == "place double k10 k8"


def test_cards_may_be_named_in_any_order() -> None:
    assert canonical("bid tumi+kero kero tumi") == "bid kero tumi tumi+kero"
    assert canonical("festival g16 tumi kero") == "festival g16 kero tumi"


def legal_lists() -> list[Table]:
    hands = "A hand tumi tumi+kero tumi+quipu; open tumi+kero"
    city = "villages e8 e10 d9 d7 k8 k10 k12; temple e8 2; A at d9 e10 k8 k10"
    return [cuzco("open tumi"), cuzco(f"turn A laid; {city}; {hands}"), java("rices k6; A at k6")]


@pytest.mark.parametrize("table", legal_lists())
def test_legal_orders_are_canonical_and_each_is_listed_once(table: Table) -> None:
    orders = table.legal()
    assert orders == [canonical(order, table.match.game.key) for order in orders]
    assert len(set(orders)) == len(orders)


def test_crops_are_sorted_as_plain_text() -> None:
    tiles = cuzco("").legal("place triple d9 e")
    assert tiles == ["place triple d9 e10 e8"]


@pytest.mark.parametrize(
    ("order", "same"), [("PLACE  Crop K8 ", "place crop k8"), ("ToKeN", "token")]
)
def test_any_spelling_has_the_same_effect(order: str, same: str) -> None:
    assert cuzco("").play(order).state == cuzco("").play(same).state


def test_a_seat_that_is_not_asked_hears_so_before_the_rules_are_asked() -> None:
    table = cuzco("turn A laid")
    for order in ("end", "build k8 3", "place crop f15"):
        with pytest.raises(NotAsked, match="B is not asked now; A is"):
            play(table.match, 1, order)


def test_a_seat_that_is_not_asked_has_no_legal_orders() -> None:
    match = cuzco("turn A laid").match
    assert list(match.game.legal(match.state, 1)) == []


def test_what_is_not_understood_is_said_to_any_seat() -> None:
    with pytest.raises(NotUnderstood):
        play(cuzco("").match, 1, "enter z9")


def test_during_a_festival_only_the_seat_that_is_asked_may_speak() -> None:
    table = cuzco(
        "turn A laid; villages k8 k10 k12; temple k10 2; A at k8; B at k12; open tumi;"
        "A hand tumi tumi; B hand tumi"
    )
    table.play("festival k10 tumi")
    with pytest.raises(NotAsked, match="A is not asked now; B is"):
        play(table.match, 0, "bid tumi")
