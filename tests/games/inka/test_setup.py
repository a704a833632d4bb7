"""K-S: starts, laying and who begins."""

from __future__ import annotations

import pytest

from engine.inka.events import BlockadeLifted, LozengeDrawn, LozengeLaid, TurnBegan
from engine.inka.printed_board import CELLS, PATHS
from tests.games.inka.table import inka, new

STARTS = ["start r0c0", "start r0c12", "start r11c0", "start r11c12"]


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_everybody_chooses_a_free_start_in_turn(seats: int) -> None:  # K-S1
    table = new(seats)
    for seat in range(seats):
        assert table.to_act == "ABCD"[seat]
        assert len(table.legal()) == 4 - seat
        table.play(table.legal("start")[-1])
    assert table.state["phase"] == "lay"
    assert len(set(table.state["pawns"])) == seats


def test_all_four_starts_are_offered_to_the_first() -> None:  # K-S1
    assert new().legal() == sorted(STARTS)


def test_a_start_is_neither_taken_nor_anywhere_else() -> None:  # K-S1
    table = new().play("start r11c0")
    table.refuses("start r11c0", "K-S1", "The start cell r11c0 is not free.")
    table.refuses("start r0c1", "K-S1", "r0c1 is no start cell.")
    table.refuses("end", "K-S1", "First everybody chooses a start cell")


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_seat_has_a_statue_on_each_destination_lozenge(seats: int) -> None:  # K-S2
    table = new(seats)
    assert table.state["taken"] == [[]] * seats
    assert table.state["blockades"] == [None] * seats
    assert table.view("A")["lozenges"] == {
        "D1": ["r5c10", "r5c11"],
        "D2": ["r6c11", "r6c10"],
        "D3": ["r5c12", "r6c12"],
    }


def test_with_two_players_all_four_exits_stay() -> None:  # K-S2
    for cell in ("r0c0", "r0c12", "r11c0", "r11c12"):
        table = inka(f"A {cell} with D1 D2 D3; B r1c7")
        assert table.match.over


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_lozenges_are_drawn_and_laid_in_turn_until_all_lie(seats: int) -> None:  # K-S3
    table = new(seats)
    for _ in range(seats):
        table.play(table.legal()[0])
    drawn = []
    for number in range(13):
        assert table.to_act == "ABCD"[number % seats]
        drawn.append(table.state["drawn"])
        assert table.view(None)["drawn"] == drawn[-1]
        table.play(table.legal("lay")[5 * number])
        assert table.event(LozengeLaid).lozenge == drawn[-1]
    assert sorted(drawn) == list(PATHS)
    assert table.state["phase"] == "turn"


def test_the_lozenge_in_hand_comes_by_chance() -> None:  # K-S3
    hands = {
        new(2, f"seed {n}").play("start r0c0", "start r0c12").event(LozengeDrawn).lozenge
        for n in range(40)
    }
    assert len(hands) > 8


def test_a_lozenge_goes_on_two_free_neighbouring_cells() -> None:  # K-S3
    table = inka("phase lay; hand L01; L02 r2c4 r2c5")
    for order in ("lay r3c4 r3c5", "lay r3c5 r3c4", "lay r1c7 r1c8", "lay r11c0 r11c1"):
        assert table.offers(order)  # chasm, floor, a symbol, a free start; both ways round
    table.refuses("lay r3c4 r3c6", "K-S3", "r3c4 and r3c6 do not")
    table.refuses("lay r2c5 r2c6", "K-S3", "L02 lies on r2c5.")
    table.refuses("lay r5c10 r5c9", "K-S3", "D1 lies on r5c10.")
    table.refuses("lay r0c0 r0c1", "K-S3", "A pawn stands on r0c0.")


def test_every_free_pair_is_offered_both_ways_round() -> None:  # K-S3
    table = inka("phase lay; hand L01")
    closed = {c["id"] for c in CELLS if c["centre"]} | {"r0c0", "r0c12"}
    free = {c["id"]: set(c["neighbours"]) - closed for c in CELLS if c["id"] not in closed}
    assert len(table.legal("lay")) == sum(map(len, free.values()))


def test_no_laying_may_wall_a_pawn_in() -> None:  # K-S4
    # The corner r0c0 is open to r0c1 and r1c1. L06 with h0 on r0c1 closes the one, L10 with h0 on r1c1 the other.
    table = inka("phase lay; hand L06")
    assert table.offers("lay r0c1 r0c2")
    shut = inka("phase lay; hand L06; L10 r1c1 r1c0")
    assert not shut.offers("lay r0c1 r0c2")
    shut.refuses("lay r0c1 r0c2", "K-S4", "leave the pawn on r0c0 0 sides without a wall")
    assert shut.offers("lay r0c2 r0c1")  # the wall at the other end


def test_a_wall_at_a_free_start_harms_nobody() -> None:  # K-S4
    table = inka("A r11c0; phase lay; hand L06; L10 r1c1 r1c0")
    assert table.offers("lay r0c1 r0c2")


def test_a_pawn_may_be_walled_in_later() -> None:  # K-S4
    table = inka("L06 r0c3 r0c4; L10 r1c1 r1c0; turn B")
    table.play("slide L06 r0c1 r0c2", "end")
    assert table.legal("walk") == []


@pytest.mark.parametrize(("seats", "first"), [(2, "B"), (3, "B"), (4, "B")])
def test_the_seat_after_the_thirteenth_laying_begins(seats: int, first: str) -> None:  # K-S5
    table = new(seats)
    while table.state["phase"] != "turn":
        table.play(table.legal()[-1])
    assert table.to_act == first
    assert table.event(TurnBegan).ap == 3
    assert BlockadeLifted not in map(type, table.events)


def test_with_the_option_the_first_seat_begins() -> None:  # K-S5
    table = new(3, start_seat_first=True)
    while table.state["phase"] != "turn":
        table.play(table.legal()[-1])
    assert table.to_act == "A"
