"""C-B: basins and ponds."""

import pytest

from engine.cuzco.events import PondClosed
from tests.games.table import Table, cuzco

# All around k10 and k14 but k12, which lies between them; rows k, j and l from left to right.
SHORES = "k8 j9 l9 j11 l11 k16 j13 l13 j15 l15"


def ponds(table: Table) -> list[tuple[tuple[str, ...], int | None, int]]:
    """The ponds that the last order closed: their basins, the seat and its points."""
    closed = [event for event in table.events if isinstance(event, PondClosed)]
    return [(pond.basins, pond.seat, pond.points) for pond in closed]


def around_k10(*facts: str) -> Table:
    """A basin on k10 with crops around it, but for k12."""
    return cuzco("; ".join(["basins k10", "crops k8 j9 l9 j11 l11", *facts]))


def test_a_basin_comes_from_the_supply_for_one_action_point() -> None:  # C-B1
    table = cuzco("turn A ap 1 laid").play("basin k8")
    assert (table.ap, table.state["supply"]["basins"]) == (0, 15)
    assert table.state["basins"] == ["k8"]
    cuzco("turn A ap 0 laid").refuses("basin k8", "C-B1", "costs 1 AP; you have 0")
    cuzco("turn A laid; supply basins 0").refuses("basin k8", "C-B1", "0 basins left")


@pytest.mark.parametrize("at", ["k6", "e2", "g2", "k4", "e0", "k8", "k10", "k12", "f15"])
def test_a_basin_lies_on_a_bare_site_hex_off_the_border(at: str) -> None:  # C-B1
    table = cuzco("turn A laid; crops k8; villages k10; basins k12")
    table.refuses(f"basin {at}", "C-B1", f"{at} is not one")


def test_every_bare_hex_off_the_border_takes_a_basin() -> None:  # C-B1
    assert len(cuzco("turn A laid").legal("basin")) == 153 - 57 - 3


def test_several_basins_may_be_laid_in_a_turn_side_by_side_or_not() -> None:  # C-B1
    cuzco("turn A laid").play("basin k8", "basin k10", "basin g10", "basin f17")


def test_a_tile_that_surrounds_a_pond_scores_three_for_each_basin() -> None:  # C-B2
    table = around_k10("A at j9").play("place crop k12")
    assert ponds(table) == [(("k10",), 0, 3)]
    assert table.scores == (3, 0)


def test_a_basin_that_fills_the_last_gap_completes_the_whole_pond() -> None:  # C-B2
    table = cuzco(f"turn A laid; basins k10 k14; crops {SHORES}; A at j9").play("basin k12")
    assert ponds(table) == [(("k10", "k12", "k14"), 0, 9)]


def test_printed_basins_make_ponds_too() -> None:  # C-B2
    table = cuzco("crops f13 f17 e14 e16 g14; A at f13").play("place crop g16")
    assert ponds(table) == [(("f15",), 0, 3)]


def test_a_pond_with_a_bare_hex_beside_it_does_not_score() -> None:  # C-B2
    table = cuzco("basins k10; crops k8 j9 l9 j11; A at j9").play("place crop k12")
    assert ponds(table) == []


@pytest.mark.parametrize(
    ("facts", "seat"),
    [
        ("crops l9; A at j9; B at l9", 1),
        ("crops l9 j9; A at j9; B at l9", None),
        ("A at j9 j11; B at l9", 0),
        ("crops l9; A at j9 j11 k8; B at l9", 1),
        ("", None),
    ],
)
def test_the_highest_position_beside_the_pond_scores(facts: str, seat: int | None) -> None:  # C-B2
    table = around_k10(facts).play("place crop k12")
    assert ponds(table) == [(("k10",), seat, 0 if seat is None else 3)]
    assert sum(table.scores) == (0 if seat is None else 3)


def test_incas_that_do_not_touch_the_pond_do_not_count() -> None:  # C-B2
    table = around_k10("villages j7^3; B at j7; A at j9").play("place crop k12")
    assert ponds(table) == [(("k10",), 0, 3)]


def test_a_temple_on_the_shore_is_terrain() -> None:  # C-B2
    facts = "basins k10; crops k8 j9 l9 j11; villages l11; temple l11 2; A at j9"
    assert ponds(cuzco(facts).play("place crop k12")) == [(("k10",), 0, 3)]


def test_incas_in_villages_and_on_crops_compete_alike() -> None:  # C-B2
    table = around_k10("villages l9; A at l9; B at j9").play("place village k12")
    assert ponds(table) == [(("k10",), 0, 3)]


def test_a_pond_scores_once() -> None:  # C-B2
    table = around_k10("A at j9").play("place crop k12")
    assert ponds(table.play("place double k8 l9")) == []
    assert table.scores == (3, 0)


def test_a_pond_that_nobody_won_never_scores() -> None:  # C-B2
    table = around_k10("crops k6").play("place crop k12", "enter k6", "move k6 k8")
    table.play("place double j9 j11")
    assert table.scores == (0, 0)


def test_a_pond_surrounded_in_a_given_position_has_had_its_scoring() -> None:  # C-B2
    table = around_k10("crops k12; A at j9").play("place double g8 g10")
    assert ponds(table) == []
    assert table.scores == (0, 0)


def test_one_laying_may_complete_several_ponds_each_by_itself() -> None:  # C-B3
    table = cuzco(f"basins k10 k14; crops {SHORES}; A at j15; B at j9").play("place crop k12")
    assert ponds(table) == [(("k10",), 1, 3), (("k14",), 0, 3)]
    assert table.scores == (3, 3)


def test_one_of_two_ponds_may_be_nobodys() -> None:  # C-B3
    table = cuzco(f"basins k10 k14; crops {SHORES}; A at j15; B at l15").play("place crop k12")
    assert ponds(table) == [(("k10",), None, 0), (("k14",), None, 0)]


def test_an_inca_between_two_ponds_counts_for_both() -> None:  # C-B3
    shores = SHORES.replace(" l11", "").replace(" l13", "")
    tiles = f"basins k10 k14; crops {shores} k12; A at k12"
    table = cuzco(tiles).play("place double l11 l13")
    assert ponds(table) == [(("k10",), 0, 3), (("k14",), 0, 3)]


def test_whoever_is_highest_scores_also_out_of_turn() -> None:  # C-B3
    table = around_k10("B at j9; turn A").play("place crop k12")
    assert table.scores == (0, 3)
