"""C-A: the turn, its action points and the duty to lay a tile."""

import pytest

from engine.cuzco.events import TurnEnded
from tests.games.table import cuzco, paved

SETTLED = "villages k8 k10 e14 e16 d15 d17; temple e14 2; crops j5 k6; A at k6 k8 e16; open tumi"
BEFORE = "villages k8 k10 k12; crops k6 j7; temple k12 2; A at k6 k8; open tumi; A hand tumi"


def test_a_turn_has_six_action_points() -> None:  # C-A1
    table = cuzco("").play("place crop k8", "end")
    assert (table.to_act, table.ap) == ("B", 6)


def test_a_token_makes_it_seven_and_leaves_the_game() -> None:  # C-A1
    table = cuzco("").play("token")
    assert table.ap == 7
    assert table.state["stock"][0]["tokens"] == 2


def test_there_is_one_token_a_turn_at_most() -> None:  # C-A1
    cuzco("").play("token", "place crop k8").refuses("token", "C-A1", "1 token")


def test_the_next_turn_may_have_its_token_again() -> None:  # C-A1
    table = cuzco("").play("token", "place crop k8", "end", "place crop k10", "end")
    assert table.play("token").state["stock"][0]["tokens"] == 1


def test_a_token_must_be_owned() -> None:  # C-A1
    cuzco("A stock tokens 0").refuses("token", "C-A1", "0 tokens")


def test_a_token_may_be_used_when_all_else_is_spent() -> None:  # C-A1
    table = cuzco("turn A ap 0 laid").play("token", "draw pile")
    assert table.ap == 0


def test_unused_action_points_are_lost() -> None:  # C-A1
    table = cuzco("").play("place crop k8", "end")
    assert table.event(TurnEnded).unused == 5
    table.play("place crop k10", "end")
    assert (table.to_act, table.ap) == ("A", 6)


@pytest.mark.parametrize(
    "order",
    [
        "enter j5",
        "leave k6",
        "move k6 k10",
        "build k10 2",
        "expand e14 4",
        "basin l11",
        "draw open",
        "draw pile",
    ],
)
def test_a_turn_begins_with_a_tile(order: str) -> None:  # C-A2
    table = cuzco(f"seats 2; {SETTLED}")
    table.refuses(order, "C-A2", "A turn begins with a tile")
    table.play("place crop g10", order)
    first = cuzco(f"seats 2 rules 1; {SETTLED}")
    first.refuses(order, "C-A2", "first action that costs AP must be laying a tile")


def test_a_free_move_may_not_come_before_the_tile() -> None:  # C-A2
    table = cuzco(BEFORE)
    table.refuses("move k8 k10", "C-A2", "A turn begins with a tile")
    assert table.play("place crop l11").offers("move k8 k10")


def test_a_token_alone_may_come_before_the_tile() -> None:  # C-A2
    table = cuzco(BEFORE)
    assert [order for order in table.legal() if not order.startswith("place")] == ["token"]
    table.play("token").refuses("move k8 k10", "C-A2", "only a token may be used before it")
    assert table.play("place crop l11").ap == 6


def test_by_the_first_rules_free_moves_came_before_the_tile_too() -> None:  # C-A2
    table = cuzco(f"seats 2 rules 1; {BEFORE}")
    assert table.play("move k8 k10", "token", "move k6 j7", "place crop l11").ap == 6


def test_after_the_tile_actions_come_in_any_order_and_number() -> None:  # C-A2
    table = cuzco("crops j5 k6")
    table.play("place crop g10", "enter j5", "basin g12", "enter k6", "draw pile", "place crop g8")
    assert table.ap == 0


def test_the_last_turn_has_no_duty() -> None:  # C-A3
    table = cuzco("turn B; last A; scored A; crops k6")
    assert "enter k6" in table.legal()
    assert "end" in table.legal()


def test_the_duty_falls_away_when_no_tile_can_be_laid_anywhere() -> None:  # C-A3
    table = cuzco(paved())
    assert table.legal("place") == []
    assert {"end", "draw pile", "enter k6"} <= set(table.legal())


def test_one_place_for_a_tile_is_enough_for_the_duty() -> None:  # C-A3
    table = cuzco(paved("k10"))
    table.refuses("end", "C-A4", "at least 1 is due")
    table.refuses("draw pile", "C-A2", "A turn begins with a tile")
    assert table.legal("place") == ["place crop k10", "place village k10"]


def test_tiles_that_nobody_here_has_are_not_due() -> None:  # C-A3
    cuzco(f"{paved('k10')}; A stock crops 0 villages 0").play("end")


def test_a_tile_is_due_only_if_the_action_points_reach_for_it() -> None:  # C-A3
    singles_gone = f"{paved('j5')}; A stock crops 0 villages 0; turn A ap"
    cuzco(f"{singles_gone} 1").play("end")
    cuzco(f"{singles_gone} 2").refuses("end", "C-A4", "due")
    cuzco("turn A ap 0").play("end")


def test_an_unused_token_is_not_counted_but_a_used_one_is() -> None:  # C-A3
    table = cuzco(f"{paved('j5')}; A stock crops 0 villages 0; turn A ap 1")
    assert {"end", "enter k6"} <= set(table.legal())
    table.play("token").refuses("end", "C-A4", "due")


# One crop tile is left, and one hex for it: k10, whose top tile is half of a double.
ONE_PLACE = (
    f"{paved('k10', 'k12')}; double k12 k10; crop k12; A stock doubles 0 villages 0 crops 1;"
    "supply triples 0; A at"
)


def test_by_the_first_rules_a_free_move_could_not_take_the_last_place() -> None:  # C-A3
    table = cuzco(f"seats 2 rules 1; {ONE_PLACE} k8")
    table.refuses("move k8 k10", "C-A3", "after this none could be laid")
    table.play("move k8 k6", "place crop k10", "end")


def test_a_token_that_is_still_unused_makes_no_such_move_legal() -> None:  # C-A3
    doubles = f"{paved('j5', 'k10', 'k12')}; crops k10^4 k12^4; A stock crops 0 villages 0"
    table = cuzco(f"seats 2 rules 1; {doubles}; A at k8; turn A ap 1")
    assert table.legal("place") == ["place double k10 k12", "place double k12 k10"]
    table.refuses("move k8 k10", "C-A3", "with the 1 AP then left")
    table.play("token", "move k8 k10", "place double j5 j3")


def test_the_duty_is_judged_by_the_board_of_the_moment() -> None:  # C-A3
    table = cuzco(f"{ONE_PLACE} k10")
    assert {"end", "draw pile"} <= set(table.legal())
    table.play("move k10 k8").refuses("end", "C-A4", "due")


def test_a_turn_may_not_end_before_the_due_tile() -> None:  # C-A4
    cuzco("").refuses("end", "C-A4", "You have laid 0 tiles this turn")


def test_a_festival_may_not_be_proposed_before_the_due_tile() -> None:  # C-A4
    table = cuzco(BEFORE)
    table.refuses("festival k12 tumi", "C-A4", "You have laid 0 tiles this turn")
    table.play("place crop l11", "festival k12 tumi")


def test_a_turn_ends_by_end_or_by_a_festival() -> None:  # C-A4
    assert cuzco(f"{BEFORE}; turn A laid").play("end").to_act == "B"
    assert cuzco(f"{BEFORE}; turn A laid").play("festival k12 tumi").to_act == "B"
