"""K-T: three action points, four phases."""

from __future__ import annotations

from engine.inka.events import BlockadeLifted, TurnBegan, TurnEnded
from tests.games.inka.table import inka

BRIDGE = "L01 r2c4 r2c5; L02 r1c2 r1c3"


def test_the_own_blockade_comes_off_when_the_turn_begins() -> None:  # K-T1
    table = inka("block B r3c4; turn A").play("end")
    assert table.event(BlockadeLifted) == BlockadeLifted(1, "r3c4", None)
    assert table.state["blockades"] == [None, None]
    assert table.ap == 3


def test_it_comes_off_a_lozenge_which_can_move_again() -> None:  # K-T1
    table = inka(f"{BRIDGE}; block B r2c4; turn A")
    assert not table.legal("slide L01")
    table.play("end")
    assert table.event(BlockadeLifted).lozenge == "L01"
    assert table.legal("slide L01")


def test_the_blockades_of_others_stay() -> None:  # K-T1
    table = inka("seats 3; block B r3c4; block C r3c5; turn A").play("end")
    assert table.state["blockades"] == [None, None, "r3c5"]


def test_each_slide_or_turn_costs_one_point_whatever_the_distance() -> None:  # K-T2
    table = inka("L01 r2c4 r2c5; L02 r4c8 r4c9")
    table.play("slide L01 r2c12 r2c13", "turn L02 r4c7 r3c6")
    assert table.ap == 1
    table.play("slide L01 r2c2 r2c3")
    assert table.ap == 0
    table.refuses("slide L01 r2c4 r2c5", "K-T2", "This costs 1 AP; you have 0.")
    assert table.legal("slide") == table.legal("turn") == []


def test_a_lozenge_with_a_blockade_does_not_move() -> None:  # K-T2
    table = inka(f"{BRIDGE}; block B r2c5")
    table.refuses("slide L01 r2c6 r2c7", "K-T2", "L01 bears a blockade and does not move.")
    table.refuses("turn L01 r2c3 r1c2", "K-T2", "L01 bears a blockade and does not move.")
    assert table.legal("slide L02")


def test_a_lozenge_out_of_the_game_does_not_move() -> None:  # K-T2
    inka(BRIDGE).refuses("slide L05 r2c6 r2c7", "K-T2", "L05 is not in the hall.")


def test_once_the_pawn_has_walked_path_lozenges_rest() -> None:  # K-T3
    table = inka(BRIDGE).play("slide L01 r2c6 r2c7", "walk r0c1")
    table.refuses("slide L01 r2c4 r2c5", "K-T3", "Your pawn has acted")
    assert table.legal("slide") == table.legal("turn") == []
    assert table.legal("walk")


def test_taking_a_passage_or_a_symbol_end_the_second_phase_too() -> None:  # K-T3
    for cell, order in (
        ("r5c10", "take"),
        ("r1c7", "passage r10c7"),
        ("r3c2", "symbol D1 slide r5c8 r5c9"),
    ):
        table = inka(f"A {cell}; L01 r9c4 r9c5").play(order)
        assert table.state["turn"]["pawn"]
        assert table.ap == 2
        assert table.legal("slide") == []


def test_end_and_block_may_come_at_any_time_and_nothing_else_ends_a_turn() -> None:  # K-T4
    table = inka(f"{BRIDGE}; L03 r9c4 r9c5")
    assert table.offers("end")
    assert table.offers("block r4c4")
    table.play("slide L01 r2c6 r2c7", "slide L01 r2c4 r2c5", "slide L01 r2c6 r2c7")
    assert (table.to_act, table.ap) == ("A", 0)
    assert table.offers("walk r0c1")
    table.play("end")
    assert table.kinds() == ["TurnEnded", "TurnBegan"]
    assert table.to_act == "B"


def test_block_ends_the_turn_and_unused_points_are_lost() -> None:  # K-T4
    table = inka(BRIDGE).play("block r4c4")
    assert table.kinds() == ["BlockadeSet", "TurnEnded", "TurnBegan"]
    assert table.event(TurnEnded) == TurnEnded(0, 3, 1)
    assert table.event(TurnBegan) == TurnBegan(1, 3)


def test_turns_go_round() -> None:  # K-T4
    table, seen = inka("seats 3; turn A"), ""
    for _ in range(4):
        seen += table.to_act
        table.play("end")
    assert seen == "ABCA"
