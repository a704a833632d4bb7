"""C-M: Incas enter, leave and move."""

import pytest

from tests.games.table import cuzco, paved

PASSAGES = pytest.mark.parametrize(
    ("tiles", "at", "cost"),
    [
        ("crops j5", "j5", 1),
        ("villages j5", "j5", 1),
        ("crops e2", "e2", 2),
        ("villages b9", "b9", 2),
        ("crops g2", "g2", 1),
        ("crops g34", "g34", 1),
        ("double k6 k4", "k4", 1),
        ("double e2 e0", "e0", 2),
        ("double g2 h1", "h1", 2),  # mountain, though it touches forest
        ("double g2 h3", "h3", 1),
        ("triple j5 i4 j3; double k6 k4", "j5", 1),  # all the forest around it is covered
        ("crops g2; double h5 h3", "g2", 1),  # the one forest hex that it touches is covered
        ("triple e2 e0 d1; triple f3 f1 g2; double d5 d3", "e2", 2),
    ],
)


@PASSAGES
def test_entering_costs_by_the_cheapest_ring_hex(tiles: str, at: str, cost: int) -> None:  # C-M1
    table = cuzco(f"turn A ap {cost} laid; {tiles}").play(f"enter {at}")
    assert table.ap == 0
    assert table.state["incas"] == [[at], []]
    too_poor = cuzco(f"turn A ap {cost - 1} laid; {tiles}")
    too_poor.refuses(f"enter {at}", "C-M1", f"costs {cost} AP; you have {cost - 1}")


def test_fifty_seven_border_hexes_let_incas_in_and_twenty_nine_for_one() -> None:  # C-M1
    assert len(cuzco(f"turn A ap 2; {paved()}").legal("enter")) == 57
    assert len(cuzco(f"turn A ap 1; {paved()}").legal("enter")) == 29


@pytest.mark.parametrize(
    ("at", "rule", "sentence"),
    [
        ("k8", "C-M1", "k8 lies inside"),
        ("j5", "C-M1", "j5 has level 0"),
        ("k4", "C-M1", "k4 has level 0"),
        ("k6", "C-M4", "k6 is taken"),
        ("l7", "C-M4", "l7 is taken"),
        ("l9", "C-T8", "l9 bears a temple"),
    ],
)
def test_an_inca_enters_on_free_terrain_at_the_edge(
    at: str, rule: str, sentence: str
) -> None:  # C-M1
    table = cuzco("turn A laid; crops k6 k8 l7; villages l9; temple l9 2; A at k6; B at l7")
    table.refuses(f"enter {at}", rule, sentence)


@PASSAGES
def test_leaving_costs_what_entering_costs(tiles: str, at: str, cost: int) -> None:  # C-M2
    table = cuzco(f"turn A ap {cost} laid; {tiles}; A at {at}").play(f"leave {at}")
    assert table.ap == 0
    assert table.state["incas"] == [[], []]
    too_poor = cuzco(f"turn A ap {cost - 1} laid; {tiles}; A at {at}")
    too_poor.refuses(f"leave {at}", "C-M2", f"costs {cost} AP")


def test_an_inca_that_left_may_enter_again() -> None:  # C-M2
    twelve = "j5 k6 k8 k10 k12 k14 k16 k18 k20 k22 k24 k26"
    table = cuzco(f"turn A ap 2 laid; crops {twelve}; A at {twelve}")
    table.play("leave j5", "enter j5")


def test_an_inca_leaves_only_at_the_edge_and_only_its_owners() -> None:  # C-M2
    table = cuzco("turn A laid; crops k6 k8 l7; A at k8; B at k6")
    table.refuses("leave k8", "C-M1", "k8 lies inside")
    table.refuses("leave k6", "C-M2", "no Inca on k6")
    table.refuses("leave l7", "C-M2", "no Inca on l7")


@pytest.mark.parametrize(
    ("tiles", "cost"),
    [
        ("crops k8 k10 k12", 0),
        ("villages k8 k10 k12", 0),
        ("crops k8 k10^3 k12^2", 0),
        ("crops k8 k10; villages k12", 1),
        ("villages k8; crops k10 k12", 1),
        ("crops k8 k12; villages k10", 2),
        ("crops k8 k12 j9 j11; villages k10", 0),
        ("crops k8 k12 j9; villages k10 j11", 2),
    ],
)
def test_moving_costs_one_for_each_change_of_kind(tiles: str, cost: int) -> None:  # C-M3
    table = cuzco(f"turn A ap {cost} laid; {tiles}; A at k8").play("move k8 k12")
    assert table.ap == 0
    assert table.state["incas"] == [["k12"], []]


def test_a_way_may_be_of_any_length() -> None:  # C-M3
    row = " ".join(f"k{column}" for column in range(6, 31, 2))
    cuzco(f"turn A ap 0 laid; crops {row}; A at k6").play("move k6 k30")


def test_a_move_that_costs_more_than_is_left_is_refused() -> None:  # C-M3
    table = cuzco("turn A ap 1 laid; crops k8 k12; villages k10; A at k8")
    table.refuses("move k8 k12", "C-M3", "costs 2 AP; you have 1")


def test_incas_never_cross_bare_hexes() -> None:  # C-M4
    cuzco("turn A laid; crops k8 k12; A at k8").refuses("move k8 k12", "C-M4", "No way leads")


@pytest.mark.parametrize(
    "between", ["basins k10", "villages k10; temple k10 2", "crops k10; B at k10"]
)
def test_incas_cross_no_basin_no_temple_and_no_other_inca(between: str) -> None:  # C-M4
    table = cuzco(f"turn A laid; crops k8 k12; A at k8; {between}")
    table.refuses("move k8 k12", "C-M4", "No way leads from k8 to k12")


def test_incas_pass_over_their_own() -> None:  # C-M4
    cuzco("turn A ap 0 laid; crops k8 k10 k12; A at k8 k10").play("move k8 k12")


@pytest.mark.parametrize(
    ("to", "rule", "sentence"),
    [
        ("k10", "C-M4", "k10 is taken: 1 Inca a hex"),
        ("k6", "C-M4", "k6 is taken: 1 Inca a hex"),
        ("k8", "C-M4", "stands on k8 already"),
        ("l7", "C-M4", "l7 has level 0"),
        ("j7", "C-M4", "j7 has level 0"),
        ("j9", "C-T8", "j9 bears a temple"),
    ],
)
def test_incas_stop_only_on_free_terrain(to: str, rule: str, sentence: str) -> None:  # C-M4
    table = cuzco(
        "turn A laid; crops k6 k8 k10; villages j9; temple j9 2; basins j7; A at k8 k10; B at k6"
    )
    table.refuses(f"move k8 {to}", rule, sentence)


def test_only_ones_own_incas_move() -> None:  # C-M4
    table = cuzco("turn A laid; crops k8 k10; B at k8")
    table.refuses("move k8 k10", "C-M4", "You have no Inca on k8")
