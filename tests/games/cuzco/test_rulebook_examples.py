"""The worked examples of the French and the Portuguese rule book of Cuzco."""

import pytest

from engine.cuzco.events import BidMade, FestivalEnded, FestivalProposed, PondClosed
from tests.games.table import Table, cuzco, who_may

# Laying tiles and moving Incas


def test_a_tile_that_overhangs_by_two_hexes_costs_three() -> None:  # C-P7
    table = cuzco("").play("place triple k6 k4 l5")
    assert table.ap == 6 - 3
    assert table.play("place double l5 k6").ap == 2  # "il ne doit plus payer de PA supplémentaire"


def test_the_forest_costs_one_and_the_mountain_two() -> None:  # C-M1
    table = cuzco("turn A ap 3 laid; crops k6; villages e2")
    assert table.play("enter k6").ap == 2
    assert table.play("enter e2").ap == 0


def test_steps_on_one_kind_are_free_whatever_the_terraces_and_a_change_costs_one() -> None:  # C-M3
    table = cuzco("turn A ap 1 laid; crops k6 k8^3 k10 k12^2; villages k14; A at k6")
    for step in ("move k6 k8", "move k8 k10", "move k10 k12"):
        assert table.play(step).ap == 1
    assert table.play("move k12 k14").ap == 0


# Temples


def test_the_highest_inca_expands_the_temple_against_three_lower_ones() -> None:  # C-T2
    city = "villages j9 k8^4 k10^3 k12^2 l11; temple j9 2; A at k8; B at k10 k12 l11"
    assert who_may("expand j9 4", city, cuzco) == "A"


def test_with_both_at_level_three_the_second_incas_decide() -> None:  # C-T2
    village = "villages j9 k8^3 k10^3 k12^2 l9 l11^2; A at k8 l9; B at k10 k12; C at l11"
    assert who_may("build j9 4", village, cuzco) == "B"


@pytest.mark.parametrize(("size", "value"), [(2, 2), (3, 2), (4, 4), (5, 4), (6, 6), (7, 6)])
def test_the_size_of_the_village_bounds_the_temple(size: int, value: int) -> None:  # C-T4
    line = " ".join(f"k{column}" for column in range(8, 8 + 2 * size, 2))
    village = f"turn A ap 1 laid; villages {line}; A at k8"
    values = [int(order.split()[2]) for order in cuzco(village).legal("build k10")]
    assert max(values) == value
    # The French sentence, read to the letter, is an option.
    assert cuzco(f"seats 2 exact_temples; {village}").legal("build k10") == [f"build k10 {value}"]


def test_a_village_of_four_takes_a_temple_of_four_at_once() -> None:  # C-T5
    table = cuzco("turn A ap 1 laid; villages k8 k10 k12 k14; A at k8").play("build k10 4")
    assert table.ap == 0
    assert table.state["supply"]["floors"] == {"2": 11, "4": 10, "6": 10, "8": 8, "10": 6}


def test_from_two_to_eight_scores_four() -> None:  # C-T7
    city = "villages k8 k10 k12 k14 k16 k18 k20 k22; temple k10 2; A at k8"
    assert cuzco(f"turn A ap 1 laid; {city}").play("expand k10 8").scores == (4, 0)


def test_a_village_joined_to_the_city_lifts_the_temple_from_four_to_eight() -> None:  # C-P6
    table = cuzco("turn A ap 2; villages k8 k10 j9 j11 k14 k16 l15; temple j9 4; A at k8")
    table.play("place triple k12 l11 l13").play("expand j9 8")
    assert (table.ap, table.scores) == (0, (4, 0))
    assert table.state["supply"]["floors"] == {"2": 12, "4": 11, "6": 9, "8": 7, "10": 6}


def test_a_city_that_is_cut_gives_a_village_that_gets_its_own_temple() -> None:  # C-T8
    west, east = "k6 k8 k10 j9", "k14 k16 k18 j15"
    table = cuzco(f"turn A ap 2; villages {west} {east}; double k12 l13; temple k8 8; A at k14")
    table.play("place crop k12", "build k16 4")
    values = {at: temple["value"] for at, temple in table.state["temples"].items()}
    assert values == {"k8": 8, "k16": 4}
    assert (table.ap, table.scores) == (0, (2, 0))


# Ponds


def test_a_basin_completes_a_pond_of_two_and_the_one_on_level_three_scores_six() -> None:  # C-B2
    shores = "crops e14^3 e16^2 e18 f13 f19 g14 g16 g18; A at e14; B at e16 e18"
    table = cuzco(f"turn B ap 1 laid; {shores}").play("basin f17")
    assert table.event(PondClosed) == PondClosed(("f15", "f17"), seat=0, points=6)
    assert table.scores == (6, 0)


def test_a_tile_completes_a_pond_with_a_tie_at_level_two_and_nobody_scores() -> None:  # C-B2
    shores = "crops e14^2 e16^2 f13 g14; A at e14; B at e16; C at f13"
    table = cuzco(f"seats 3; {shores}").play("place double f17 g16")
    assert table.event(PondClosed) == PondClosed(("f15",), seat=None, points=0)
    assert table.scores == (0, 0, 0)


def test_a_gap_between_tiles_may_be_filled_with_a_basin_at_any_time() -> None:  # C-B2
    gap = "turn A ap 1 laid; crops k8 k12 j9 j11 l9 l11; A at k8"
    assert cuzco(gap).play("basin k10").scores == (3, 0)


# The festival among A, B, C and D

FESTIVAL = (
    "seats 4; turn A ap 0 laid; villages k8 k10 k12 j9 j11; temple k10 8; A at k8; B at k12;"
    "C at j9; D at j11; open tumi+quipu; B hand quipu tumi+kero; C hand tumi+quipu tumi tumi+kero;"
    "D hand tumi+quipu; A hand tumi quipu"
)


def test_the_festival_in_eight_steps() -> None:  # C-F3
    table = cuzco(f"{FESTIVAL} quipu+kero kero").play("festival k10 tumi")  # 1
    assert table.event(FestivalProposed).total == 1
    assert table.play("bid quipu").event(BidMade).total == 1  # 2: B does the same,
    assert table.play("bid tumi+quipu").event(BidMade).total == 2  # C plays two relics,
    assert table.to_act == "D"
    table.play("pass")  # and D passes
    assert table.to_act == "A"
    assert table.play("bid quipu").event(BidMade).total == 2  # 3
    assert table.to_act == "B"
    table.play("pass")  # 4: B loses his card
    assert table.to_act == "C"
    assert table.offers("hold")
    assert table.play("bid tumi").event(BidMade).total == 3  # 5: C does not want to share
    assert table.play("bid quipu+kero").event(BidMade).total == 3  # 6
    assert table.to_act == "C"
    table.play("hold")  # 7: C plays no new card,
    assert table.to_act == "A"
    table.play("hold")  # 8: nor does A
    assert table.event(FestivalEnded).hosts == (0, 2)
    assert table.scores == (2, 0, 2, 0)
    assert table.state["hands"] == [["kero"], ["tumi+kero"], ["tumi+kero"], ["tumi+quipu"]]


def test_had_a_not_been_able_to_reach_c_would_have_been_alone() -> None:  # C-F4
    table = cuzco(FESTIVAL).play("festival k10 tumi", "bid quipu", "bid tumi+quipu", "pass")
    table.play("bid quipu", "pass", "bid tumi", "pass")
    assert table.event(FestivalEnded).hosts == (2,)
    assert table.scores == (0, 0, 4, 0)


def test_for_speed_the_agreement_of_who_has_no_cards_is_automatic() -> None:  # C-F4
    facts = "seats 4 ask_everyone off; A hand tumi; B hand quipu; C hand; D hand"
    table = cuzco(f"{FESTIVAL}; {facts}").play("festival k10 tumi", "bid quipu")
    assert table.scores == (2, 2, 0, 0)


# The example turn, a to h


def around_the_turn() -> Table:
    """A village of three above a bare hex k10, a crop beside it, and A with a matching card."""
    return cuzco("villages i10 j9 j11; crops k12; open tumi; A hand tumi+kero")


def test_the_example_turn_costs_six_and_scores_seven() -> None:  # C-A2
    table = around_the_turn()
    steps = [
        ("place triple k8 k6 l7", 5, 0),  # a
        ("enter k6", 4, 0),  # b, through the forest
        ("move k6 k8", 3, 0),  # c, into the village
        ("build i10 4", 2, 2),  # d
        ("move k8 j11", 2, 2),  # e
        ("basin k10", 1, 2),  # f
        ("place double l9 l11", 0, 5),  # g surrounds the basin
    ]
    for order, ap, score in steps:
        table.play(order)
        assert (order, table.ap, table.scores) == (order, ap, (score, 0))
    table.play("festival i10 tumi+kero")  # h: nobody else is in the city
    assert table.scores == (2 + 3 + 2, 0)
    assert table.to_act == "B"


# The final scoring around a temple of 10

TEN = (
    "seats 3; turn A ap 0; last A; villages j9 j11^3 k8^3 k10^3 k12^3 l9^2 l11^2 l13^2 k14;"
    "temple j9 10; A at k8 l9; B at k10 l11 k14; C at k12 l13"
)


def test_b_is_first_by_the_third_inca_and_a_and_c_tie_for_second() -> None:  # C-E3
    assert cuzco(TEN).play("end", "end", "end").scores == (5, 10, 5)


def test_c_may_climb_before_his_own_scoring_and_be_first_too() -> None:  # C-E3
    assert cuzco(TEN).play("end", "end", "move l13 j11", "end").scores == (5, 10, 10)
