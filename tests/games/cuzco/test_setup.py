"""C-S: how a match of Cuzco begins."""

from collections import Counter
from itertools import chain

import pytest

from engine.core.match import start
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.secrecy import redact
from engine.cuzco.events import CardTurned, HandDealt
from tests.games.table import SITE, Table, cuzco, new

CARDS = ["tumi", "quipu", "kero", "tumi+quipu", "tumi+kero", "quipu+kero"]

each_number_of_players = pytest.mark.parametrize("seats", [2, 3, 4])


def cards_in_play(table: Table) -> list[str]:
    state = table.state
    return [*chain(*state["hands"]), *state["pile"], state["open"]]


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_cuzco_is_for_two_to_four_players(seats: int) -> None:  # C-S1
    with pytest.raises(Unknown, match="Cuzco is for 2 to 4 seats"):
        start(games()["cuzco"], seats, {}, "seed")


@each_number_of_players
def test_the_first_seat_begins_and_play_goes_clockwise(seats: int) -> None:  # C-S1
    table = new("cuzco", seats)
    assert table.state["turn"] == cuzco("").state["turn"]
    asked = ""
    for hex_ in SITE[: seats + 1]:
        asked += table.to_act
        table.play(f"place crop {hex_}", "end")
    assert asked == "ABCD"[:seats] + "A"


@each_number_of_players
def test_each_player_has_the_same_pieces(seats: int) -> None:  # C-S2
    state = new("cuzco", seats).state
    pieces = {"tokens": 3, "doubles": 5, "crops": 3, "villages": 2}
    assert state["stock"] == [pieces] * seats
    assert state["scores"] == [0] * seats
    assert state["incas"] == [[]] * seats
    assert [len(hand) for hand in state["hands"]] == [3] * seats


def test_a_player_has_twelve_incas() -> None:  # C-S2
    eleven = "k6 k8 k10 k12 k14 k16 k18 k20 k22 k24 k26"
    table = cuzco(f"turn A ap 2 laid; crops j5 l7 {eleven}; A at {eleven}")
    table.play("enter j5").refuses("enter l7", "C-S2", "all 12 are on the board")


def test_a_hand_is_secret() -> None:  # C-S2
    facts = "open kero; B hand kero; A hand"
    one, other = cuzco(f"{facts} tumi quipu"), cuzco(f"{facts} tumi+kero tumi+kero")
    assert one.view("B") == other.view("B")
    assert one.view(None) == other.view(None)
    assert one.view("A")["hand"] == ["quipu", "tumi"]


def test_a_dealt_hand_is_told_to_its_owner_alone() -> None:  # C-S2
    dealt = [event for event in new("cuzco", 3).events if isinstance(event, HandDealt)]
    assert [len(event.cards) for event in dealt] == [3, 3, 3]
    for seat in range(3):
        seen = [redact(event, seat).cards for event in dealt]
        assert [event.seat for event, cards in zip(dealt, seen, strict=True) if cards] == [seat]


@each_number_of_players
def test_the_common_supply_does_not_depend_on_the_players(seats: int) -> None:  # C-S3, C-S5
    floors = {"2": 12, "4": 11, "6": 10, "8": 8, "10": 6}
    assert new("cuzco", seats).state["supply"] == {"triples": 56, "basins": 16, "floors": floors}


def test_three_basins_lie_on_the_printed_ones() -> None:  # C-S3
    assert new("cuzco", 2).view(None)["basins"] == ["f15", "f27", "i18"]


@each_number_of_players
def test_there_are_five_of_each_of_the_six_festival_cards(seats: int) -> None:  # C-S4, C-S5
    for seed in range(30):
        cards = cards_in_play(new("cuzco", seats, str(seed)))
        assert Counter(cards) == dict.fromkeys(CARDS, 5)


def test_one_card_is_turned_open_after_dealing() -> None:  # C-S4
    table = new("cuzco", 4)
    assert table.event(CardTurned).card == table.state["open"]
    assert table.kinds()[2:] == ["HandDealt"] * 4 + ["CardTurned", "TurnBegan"]
    assert len(table.state["pile"]) == 30 - 4 * 3 - 1


@each_number_of_players
def test_the_tiles_of_the_absent_stay_in_the_box(seats: int) -> None:  # C-S5
    assert len(new("cuzco", seats).state["stock"]) == seats


def test_the_discs_never_run_out() -> None:  # C-S6
    hexes = [
        "c8",
        "c14",
        "c20",
        "c26",
        "e4",
        "e8",
        "e12",
        "e16",
        "e20",
        "e24",
        "e28",
        "g8",
        "g12",
        "g20",
        "g24",
    ]
    discs = "; ".join(f"temple {hex_} 2 disc" for hex_ in hexes)
    table = cuzco(
        f"turn A ap 0 laid; villages {' '.join(hexes)} k8 k10; {discs}; temple k8 2;"
        "A at k10; A hand tumi; open tumi"
    )
    table.play("festival k8 tumi")
    assert sum(temple["disc"] for temple in table.state["temples"].values()) == 16


def test_nobody_sees_the_order_or_the_cards_of_the_pile() -> None:  # C-S6
    one, other = cuzco("open kero; pile tumi quipu"), cuzco("open kero; pile kero kero")
    for letter in ("A", "B", None):
        assert one.view(letter) == other.view(letter)


def test_every_unseen_card_is_drawn_with_equal_chance() -> None:  # C-S6
    position = "turn A ap 1 laid; A stock tokens 0; pile kero quipu quipu tumi; supply triples 0"
    tables = (cuzco(position, str(seed)).play("draw pile") for seed in range(400))
    drawn = Counter(table.hand("A")[0] for table in tables)
    assert 60 < drawn["kero"] < 140  # 100 would be even, 133 even among the kinds
    assert 60 < drawn["tumi"] < 140
    assert 160 < drawn["quipu"] < 240
