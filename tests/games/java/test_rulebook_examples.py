"""The worked examples of the rule book of Java."""

import pytest

from engine.cuzco.events import BidMade, FestivalEnded, FestivalProposed
from tests.games.table import java, who_may


def test_the_example_turn_costs_six_and_scores_seven() -> None:  # C-A1
    table = java("villages i10 j9 j11; rices k12; open mask; A hand mask+drum")
    table.play("place triple k8 k6 l7", "enter k6", "move k6 k8", "build i10 4")
    assert (table.ap, table.scores) == (2, (2, 0))
    table.play("basin k10", "place triple m10 l9 l11")
    assert (table.ap, table.scores) == (0, (5, 0))
    assert table.play("festival i10 mask+drum").scores == (7, 0)


def test_a_triple_with_two_hexes_outside_costs_three_and_one_more_on_them_one() -> None:  # C-P7
    table = java("").play("place triple k6 k4 l5")
    assert table.ap == 6 - 3
    assert table.play("place double k6 k4").ap == 2


def test_the_plain_costs_one_and_the_mountain_two_both_ways() -> None:  # C-M2
    table = java("turn A ap 6 laid; rices k6 e2").play("enter k6", "enter e2")
    assert table.ap == 3
    assert table.play("leave k6").ap == 2
    assert table.play("leave e2").ap == 0


def test_two_at_level_four_beat_one_at_four_and_two_at_three() -> None:  # C-T2
    city = "villages j9 k8^4 k10^4 k12^4 l11^3 l13^3; palace j9 2; A at k8 k10; B at k12 l11 l13"
    assert who_may("expand j9 4", city, java) == "A"


def test_two_and_one_beat_two_alone_and_one_alone() -> None:  # C-T2
    city = "villages j9 k8^2 k10 k12^2 l11; palace j9 2; A at k8; B at k10; C at k12 l11"
    assert who_may("expand j9 4", city, java) == "C"


def test_a_palace_may_go_from_four_to_eight_and_from_two_to_eight_for_four_points() -> None:  # J-T5
    city = "turn A ap 1 laid; villages k8 k10 k12 k14 k16 k18 k20 k22; A at k8; palace k10"
    for was in (2, 4):
        assert java(f"{city} {was}").play("expand k10 8").scores == (4, 0)


def test_a_city_joined_to_a_village_grows_its_palace() -> None:  # C-P6
    table = java("villages k8 k10 k14 k16; palace k10 2; A at k8")
    table.play("place village k12", "expand k10 4")


def test_a_city_that_is_cut_gives_a_village_that_gets_its_own_palace() -> None:  # C-T8
    table = java("villages k8 k10 k14 k16; double k12 l13; palace k8 4; A at k14")
    table.play("place rice k12", "build k16 2")
    assert {at: palace["value"] for at, palace in table.state["palaces"].items()} == {
        "k16": 2,
        "k8": 4,
    }


FESTIVAL = (
    "seats 4; turn A ap 0 laid; villages k8 k10 k12 j9 j11; palace k10 8; A at k8; B at k12;"
    "C at j9; D at j11; open mask+drum; B hand drum mask+puppet; D hand mask+drum;"
    "C hand mask+drum mask mask+puppet; A hand mask drum"
)
UNTIL_C_RAISES = ["bid drum", "bid mask+drum", "pass", "bid drum", "pass", "bid mask"]


def test_a_and_c_agree_in_the_end_and_score_two_each() -> None:  # J-F3
    table = java(f"{FESTIVAL} drum+puppet").play("festival k10 mask")
    assert table.event(FestivalProposed).total == 1
    table.play(*UNTIL_C_RAISES)
    assert table.event(BidMade) == BidMade(2, ("mask",), 3)
    table.play("bid drum+puppet", "hold")
    assert table.event(FestivalEnded).hosts == (0, 2)
    assert table.scores == (2, 0, 2, 0)


def test_had_a_not_been_able_to_reach_c_would_have_been_alone() -> None:  # C-F4
    table = java(FESTIVAL).play("festival k10 mask", *UNTIL_C_RAISES, "pass")
    assert table.scores == (0, 0, 4, 0)


@pytest.mark.parametrize(
    ("open_card", "card", "points"),
    [("mask", "mask+drum", 1), ("mask+drum", "mask+puppet", 1), ("mask+drum", "mask+drum", 2)],
)
def test_a_card_is_worth_its_common_symbols(open_card: str, card: str, points: int) -> None:  # C-F2
    table = java(f"{FESTIVAL}; open {open_card}; A hand {card}; B hand; C hand; D hand")
    assert table.play(f"festival k10 {card}").event(FestivalProposed).total == points


def test_around_a_palace_of_ten_b_scores_ten_and_a_and_c_five() -> None:  # C-E3
    city = "villages j9 j11^3 k8^3 k10^3 k12^3 l9^2 l11^2 l13^2 k14; palace j9 10"
    people = "A at k8 l9; B at k10 l11 k14; C at k12 l13"
    last_round = f"seats 3; turn A ap 0; last A; {city}; {people}"
    assert java(last_round).play("end", "end", "end").scores == (5, 10, 5)
    assert java(last_round).play("end", "end", "move l13 j11", "end").scores == (5, 10, 10)
