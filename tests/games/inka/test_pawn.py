"""K-W: walking, snakes, walls, statues, passages and lozenge symbols.

The corner of A: floor on r0c0, r0c1, r0c2 and r1c1. From r1c1 a lozenge on r1c2 leads out, from r0c2 one on r1c3.
"""

from __future__ import annotations

from engine.inka.events import LozengeMoved, PassageUsed, PawnWalked, StatueTaken
from tests.games.inka.table import inka


def walks(position: str) -> dict[str, int]:
    """Where the pawn can walk, and for how much."""
    table = inka(position)
    game, state = table.match.game, table.match.state
    priced = ((game.format(action), cost) for action, cost in game.priced(state, table.seat))
    return {order.split()[1]: cost for order, cost in priced if order.startswith("walk")}


def test_a_pawn_walks_over_floor_and_lozenges_but_not_over_chasm() -> None:  # K-W1
    assert walks("") == {"r0c1": 0, "r0c2": 0, "r1c1": 0}
    assert walks("L01 r1c2 r2c3").keys() == {"r0c1", "r0c2", "r1c1", "r1c2", "r2c3"}
    inka().refuses("walk r1c2", "K-W1", "r1c2 is bare chasm")
    inka().refuses("walk r1c7", "K-W1", "No way leads from r0c0 to r1c7")


def test_a_pawn_steps_over_sides_and_never_over_corners() -> None:  # K-W1
    # r2c3 and r1c1 only share a corner.
    assert "r2c3" not in walks("L01 r2c3 r2c2")


def test_the_bare_centre_is_chasm() -> None:  # K-W1
    table = inka("A r5c10; D2 r7c5 r7c6")
    assert table.offers("walk r5c11")
    table.refuses("walk r6c10", "K-W1", "r6c10 is bare chasm")


def test_a_wall_closes_a_side_both_ways() -> None:  # K-W1
    # L10 with h0 on r1c2 has walls on both outer sides of that half: towards r1c1 and r1c3 or r2c3.
    closed = "L10 r1c2 r2c3"
    assert "r1c2" not in walks(closed)
    inka(closed).refuses("walk r1c2", "K-W1", "chasm or walls lie between")
    inside = walks(f"{closed}; A r1c2; B r11c0")
    assert inside.keys() == {"r2c3"}


def test_a_wall_closes_only_its_own_side() -> None:  # K-W1
    # L06 has one wall, on side e0: with h0 on r1c2 it stands between r1c1 and r1c2.
    assert walks("L06 r1c2 r2c3").keys() == {"r0c1", "r0c2", "r1c1"}
    assert {"r1c2", "r2c3"} <= walks("L06 r2c3 r1c2").keys()
    assert {"r1c2", "r2c3"} <= walks("L06 r1c2 r2c3; L02 r1c3 r1c4").keys()  # round it by r1c3


def test_the_halves_of_a_lozenge_are_open_to_each_other() -> None:  # K-W1
    for lozenge in [f"L{n:02}" for n in range(1, 14)]:
        assert "r2c5" in walks(f"{lozenge} r2c4 r2c5; A r2c4")


def test_walking_is_free_but_for_snakes() -> None:  # K-W2
    assert walks("L03 r1c2 r2c3") == {"r0c1": 0, "r0c2": 0, "r1c1": 0, "r1c2": 1, "r2c3": 1}
    assert walks("L03 r2c3 r1c2")["r1c2"] == 0
    assert walks("L03 r2c3 r1c2")["r2c3"] == 1


def test_each_entry_into_a_snake_costs_from_the_other_half_too() -> None:  # K-W2
    assert walks("L05 r1c2 r2c3")["r2c3"] == 2
    table = inka("L05 r1c2 r2c3").play("walk r2c3")
    assert table.event(PawnWalked) == PawnWalked(0, "r0c0", "r2c3", 2)
    assert table.ap == 1


def test_leaving_and_standing_on_a_snake_cost_nothing() -> None:  # K-W2
    assert walks("L03 r1c2 r2c3; A r1c2")["r1c1"] == 0
    assert walks("L03 r1c2 r2c3; A r1c2")["r2c3"] == 0


def test_the_cheapest_way_is_taken() -> None:  # K-W2
    # From r0c2 over L01 to r1c3 is free; over the snake on r1c2 it would cost 1.
    assert walks("L03 r1c2 r2c3; L01 r1c3 r1c4")["r1c3"] == 0


def test_too_many_snakes_are_too_dear() -> None:  # K-W2
    table = inka("L05 r1c2 r2c3; turn A ap 1")
    assert table.offers("walk r1c2")
    table.refuses("walk r2c3", "K-W2", "This costs 2 AP; you have 1.")


def test_a_walk_ends_on_another_cell() -> None:  # K-W2
    inka().refuses("walk r0c0", "K-W2", "Your pawn stands on r0c0 already.")


def test_a_pawn_passes_others_and_blockades_but_does_not_stop_there() -> None:  # K-W2
    table = inka("seats 3; B r0c1; C r11c0; block B r0c2; L01 r1c3 r1c4")
    table.refuses("walk r0c1", "K-W2", "A pawn stands on r0c1.")
    table.refuses("walk r0c2", "K-W2", "A blockade stands on r0c2.")
    assert table.offers("walk r1c3")


def test_a_pawn_takes_its_statue_on_either_half() -> None:  # K-W3
    for cell in ("r5c10", "r5c11"):
        table = inka(f"A {cell}").play("take")
        assert table.event(StatueTaken) == StatueTaken(0, "D1", 1)
        assert table.state["taken"] == [["D1"], []]
        assert table.scores == (1, 0)
        assert table.ap == 2
        table.refuses("take", "K-W3", "You have taken your statue from D1 already.")


def test_each_lozenge_has_a_statue_of_each_seat() -> None:  # K-W3
    table = inka("A r5c10; B r5c11").play("take", "end", "take")
    assert table.state["taken"] == [["D1"], ["D1"]]


def test_without_a_destination_lozenge_or_a_point_nothing_is_taken() -> None:  # K-W3
    inka().refuses("take", "K-W3", "Your pawn stands on r0c0, not on a destination lozenge.")
    inka("A r2c4; L01 r2c4 r2c5").refuses("take", "K-W3", "not on a destination lozenge")
    inka("A r5c10; turn A ap 0").refuses("take", "K-W3", "This costs 1 AP; you have 0.")


def test_a_passage_leads_to_any_other() -> None:  # K-W4
    table = inka("A r1c7")
    others = ["r10c7", "r5c0", "r5c22", "r6c0", "r6c22"]
    assert table.legal("passage") == [f"passage {cell}" for cell in others]
    table.play("passage r6c22")
    assert table.event(PassageUsed) == PassageUsed(0, "r1c7", "r6c22", 1)
    table.play("passage r5c0", "walk r5c1")  # again, and walking may go on
    assert (table.ap, table.state["pawns"][0]) == (1, "r5c1")


def test_a_passage_must_be_free_and_uncovered() -> None:  # K-W4
    table = inka("seats 3; A r1c7; B r5c0; C r11c0; block B r6c0; L01 r10c7 r10c8")
    assert table.legal("passage") == ["passage r5c22", "passage r6c22"]
    table.refuses("passage r5c0", "K-W4", "A pawn stands on r5c0.")
    table.refuses("passage r6c0", "K-W4", "A blockade stands on r6c0.")
    table.refuses("passage r1c7", "K-W4", "r1c7 is no other secret passage.")
    table.refuses("passage r0c0", "K-W4", "r0c0 is no other secret passage.")
    inka().refuses("passage r1c7", "K-W4", "stands on r0c0, which is not a secret passage")
    inka("A r1c7; turn A ap 0").refuses("passage r5c0", "K-W4", "This costs 1 AP; you have 0.")


def test_a_symbol_moves_a_destination_lozenge_with_all_on_it() -> None:  # K-W4
    table = inka("A r3c2; B r5c10").play("symbol D1 slide r5c8 r5c9")
    assert table.event(LozengeMoved).symbol
    assert table.state["lozenges"]["D1"] == ["r5c8", "r5c9"]
    assert table.state["pawns"] == ["r3c2", "r5c8"]
    assert table.state["taken"] == [[], []]  # the statues went along
    table.play("symbol D1 turn r4c8 r4c7", "symbol D3 turn r5c11 r5c12")
    assert table.state["pawns"][1] == "r4c8"
    assert table.ap == 0


def test_a_symbol_moves_no_path_lozenge_and_costs_a_point() -> None:  # K-W4
    table = inka("A r3c2; L01 r9c4 r9c5")
    table.refuses("symbol L01 slide r9c2 r9c3", "K-W4", "L01 is no destination lozenge")
    table.refuses("symbol D1 slide r6c10 r6c9", "K-L1", "No slide takes D1")
    inka("A r3c2; turn A ap 0").refuses(
        "symbol D1 slide r5c8 r5c9", "K-W4", "This costs 1 AP; you have 0."
    )
    inka().refuses("symbol D1 slide r5c8 r5c9", "K-W4", "which is not a lozenge symbol")


def test_destination_lozenges_obey_the_rules_of_moving() -> None:  # K-W4
    table = inka("A r3c2; block B r5c9")
    table.refuses("symbol D1 slide r5c8 r5c9", "K-L1", "r5c9, where a blockade is in the way")
    table.refuses("symbol D1 turn r5c11 r5c12", "K-L2", "is in the way")


def test_covered_signs_have_no_effect() -> None:  # K-W5
    passage = inka("A r1c7; L01 r1c7 r1c8")
    passage.refuses("passage r10c7", "K-W5", "L01 covers r1c7")
    symbol = inka("A r3c2; L01 r3c2 r3c3")
    symbol.refuses("symbol D1 slide r5c8 r5c9", "K-W5", "L01 covers r3c2")
    target = inka("A r1c7; L01 r10c7 r10c8")
    target.refuses("passage r10c7", "K-W5", "L01 covers the passage on r10c7.")


def test_a_covered_exit_is_still_an_exit() -> None:  # K-W5
    table = inka("A r0c1 with D1 D2 D3; L01 r0c0 r1c1; B r11c0").play("walk r0c0")
    assert table.match.over
