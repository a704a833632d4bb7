"""K-L: slides and turns, what is swept, and who is carried.

Most tests use a lozenge on r2c4 r2c5, which lies flat in the upper left of the hall, its corner A0 at the lower left.
"""

from __future__ import annotations

import pytest

from engine.inka.events import Carried, LozengeMoved
from tests.games.inka.table import GAME, inka

FLAT = "L01 r2c4 r2c5"


def cells(orders: list[str]) -> set[str]:
    return {" ".join(order.split()[2:]) for order in orders}


def test_a_slide_follows_one_of_four_directions_up_to_the_rim() -> None:  # K-L1
    right = {f"r2c{n} r2c{n + 1}" for n in range(6, 16, 2)}
    left = {"r2c2 r2c3", "r2c0 r2c1"}
    up = {"r1c4 r1c5", "r0c4 r0c5"}
    down = {"r3c4 r3c5", "r4c4 r4c5", "r5c4 r5c5", "r6c3 r6c4", "r7c1 r7c2"}
    assert cells(inka(FLAT).legal("slide L01")) == right | left | up | down


def test_a_slide_may_stop_early_and_ends_before_another_lozenge() -> None:  # K-L1
    table = inka(f"{FLAT}; L02 r2c9 r2c10")
    assert table.offers("slide L01 r2c6 r2c7")
    table.refuses("slide L01 r2c8 r2c9", "K-L1", "L01 would touch r2c9, where L02 is in the way.")
    table.refuses("slide L01 r2c12 r2c13", "K-L1", "where L02 is in the way")


def test_pawns_and_blockades_stop_a_slide() -> None:  # K-L1
    table = inka(f"{FLAT}; A r1c6; L05 r2c8 r2c9; B r2c8; block B r2c2")
    table.refuses("slide L01 r2c2 r2c3", "K-L1", "r2c2, where a blockade is in the way")
    table.refuses("slide L01 r2c8 r2c9", "K-L1", "r2c8, where a pawn is in the way")
    under = inka("L01 r0c4 r0c5; A r0c2; B r11c0")
    under.refuses("slide L01 r0c2 r0c3", "K-L1", "r0c2, where a pawn is in the way")


def test_a_slide_is_straight() -> None:  # K-L1
    table = inka(FLAT)
    table.refuses("slide L01 r3c6 r3c7", "K-L1", "No slide takes L01 to r3c6 r3c7")
    table.refuses("slide L01 r2c5 r2c4", "K-L1", "No slide takes L01")
    table.refuses("slide L01 r2c4 r2c5", "K-L1", "L01 lies there already.")
    table.refuses("slide L01 r2c4 r2c6", "K-L1", "r2c4 and r2c6 do not")


def test_an_order_must_name_the_halves_in_their_order() -> None:  # K-L1
    table = inka(FLAT)
    assert table.offers("slide L01 r2c6 r2c7")
    assert not table.offers("slide L01 r2c7 r2c6")


A0 = ["r2c3 r1c2", "r2c2 r2c1", "r3c3 r3c2", "r3c4 r4c5", "r3c5 r3c6"]
O1 = ["r3c5 r2c4", "r3c6 r3c5", "r3c7 r3c6", "r2c6 r3c7", "r2c5 r2c6"]
A2 = ["r3c7 r2c6", "r2c8 r2c7", "r1c7 r1c6", "r0c4 r1c5", "r1c3 r1c4"]
O3 = ["r2c5 r1c4", "r1c4 r1c3", "r1c3 r1c2", "r1c2 r2c3", "r2c3 r2c4"]


def test_in_an_open_hall_a_lozenge_turns_to_five_places_about_each_corner() -> None:  # K-L2
    assert cells(inka(FLAT).legal("turn L01")) == {*A0, *O1, *A2, *O3}


def test_about_a_blunt_corner_the_halves_can_change_places() -> None:  # K-L2
    table = inka(FLAT)
    assert table.offers("turn L01 r2c5 r2c6")
    assert {"r2c5 r1c4", "r3c5 r2c4"} <= cells(table.legal("turn L01"))
    # three steps of 60° about O1 turn it head to tail beside itself
    assert table.offers("turn L01 r3c7 r3c6")


def test_one_free_way_round_is_enough() -> None:  # K-L2
    # L02 on r1c2 r1c3 stops the left turns about A0; to the right all of them stay, by the long way the last too.
    table = inka(f"{FLAT}; L02 r1c2 r1c3; A r11c0; B r0c12")
    open_ = cells(table.legal("turn L01"))
    assert {"r3c5 r3c6", "r3c4 r4c5", "r3c3 r3c2", "r2c2 r2c1"} <= open_
    assert "r2c3 r1c2" not in open_
    both = inka(f"{FLAT}; L02 r1c3 r0c2; L03 r3c6 r3c7; A r11c0; B r0c12")
    assert not {*A0} & cells(both.legal("turn L01"))


@pytest.mark.parametrize("cell", ["r1c2", "r1c3", "r1c4", "r2c3"])
def test_every_touched_cell_must_be_free(cell: str) -> None:  # K-L2
    # The first step to the left about A0 touches these four, two of them only in part; r3c5 bars the other way.
    table = inka(f"{FLAT}; L02 r3c5 r3c6; block B {cell}")
    table.refuses("turn L01 r2c3 r1c2", "K-L2", f"L01 would touch {cell}, where a blockade is")


def test_a_cell_touched_by_a_fifth_is_enough() -> None:  # K-L2
    # About O1 to the left: r1c4, r2c3, r3c4 (a fifth each) and r3c5.
    for cell in ("r1c4", "r2c3", "r3c4"):
        table = inka(f"{FLAT}; L02 r2c6 r2c7; block B {cell}")
        assert not table.offers("turn L01 r3c5 r2c4")
    assert inka(f"{FLAT}; L02 r2c6 r2c7").offers("turn L01 r3c5 r2c4")


def test_no_part_of_a_turning_lozenge_leaves_the_hall() -> None:  # K-L2
    # On r0c4 r0c5, along the upper rim, it cannot swing up, nor about O1 at all.
    about_a0 = {"r1c5 r1c6", "r1c4 r2c5", "r1c3 r1c2", "r0c2 r0c1"}
    about_a2, about_o3 = {"r1c7 r0c6", "r0c8 r0c7"}, {"r0c3 r0c4"}
    table = inka("L01 r0c4 r0c5; A r11c0")
    assert cells(table.legal("turn L01")) == about_a0 | about_a2 | about_o3
    inka("L01 r0c0 r0c1; A r11c0; B r11c12").refuses(
        "turn L01 r0c1 r0c2", "K-L2", "No turn takes L01 to r0c1 r0c2"
    )


def test_a_turn_that_changes_nothing_is_no_move() -> None:  # K-L2
    inka(FLAT).refuses("turn L01 r2c4 r2c5", "K-L2", "L01 lies there already.")


def test_pawns_travel_with_their_half() -> None:  # K-L3
    table = inka(f"{FLAT}; A r2c4; B r2c5").play("slide L01 r2c8 r2c9")
    assert table.state["pawns"] == ["r2c8", "r2c9"]
    assert table.event(LozengeMoved).carried == (Carried(0, "r2c8"), Carried(1, "r2c9"))
    table.play("turn L01 r2c7 r1c6")
    assert table.state["pawns"] == ["r2c7", "r1c6"]


def test_being_carried_over_a_snake_of_another_costs_nothing() -> None:  # K-L3
    table = inka("L03 r2c4 r2c5; A r2c4").play("slide L03 r2c6 r2c7")
    assert table.ap == 2


def test_a_pawn_on_the_lozenge_does_not_stop_it() -> None:  # K-L3
    alone, ridden = inka(FLAT), inka(f"{FLAT}; A r2c4; B r11c0")
    assert cells(alone.legal("slide L01")) == cells(ridden.legal("slide L01"))
    assert cells(alone.legal("turn L01")) == cells(ridden.legal("turn L01"))


def test_destination_lozenges_are_no_path_lozenges() -> None:  # K-L4
    table = inka(FLAT)
    table.refuses("slide D1 r5c8 r5c9", "K-L4", "D1 is a destination lozenge")
    table.refuses("turn D1 r5c9 r5c8", "K-L4", "D1 is a destination lozenge")
    assert not [order for order in table.legal() if " D" in order]


def swept(position: str, order: str) -> set[str]:
    table = inka(position)
    return set(GAME.touched(table.match.state, GAME.parse(table.seat, order)))


def test_the_cells_that_a_move_sweeps_can_be_shown() -> None:  # K-L1, K-L2
    assert swept(FLAT, "slide L01 r2c8 r2c9") == {"r2c6", "r2c7"}
    assert swept(FLAT, "turn L01 r2c3 r1c2") == {"r1c3", "r1c4"}
    assert swept(FLAT, "walk r0c1") == set()


def test_where_the_short_way_round_is_barred_the_long_one_is_shown() -> None:  # K-L2
    around = swept(f"{FLAT}; L02 r1c4 r1c5", "turn L01 r2c3 r1c2")
    assert {"r3c5", "r4c4", "r3c2", "r2c1"} <= around
    assert "r1c4" not in around
