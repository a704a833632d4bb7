"""C-T: building and expanding temples."""

import pytest

from engine.cuzco.events import TempleBuilt, TempleExpanded
from tests.games.table import Table, cuzco

LINE = [f"k{column}" for column in range(8, 32, 2)]


def village(size: int, *facts: str) -> Table:
    """A line of that many village hexes from k8 on, with an Inca of A on the first."""
    line = " ".join(LINE[:size])
    return cuzco("; ".join(["turn A ap 3 laid", f"villages {line}", "A at k8", *facts]))


def test_building_and_expanding_cost_one_action_point_each() -> None:  # C-T1
    assert village(4).play("build k10 4").ap == 2
    assert village(4, "temple k10 2").play("expand k10 4").ap == 2


def test_without_an_action_point_nothing_is_built() -> None:  # C-T1
    spent = "turn A ap 0 laid"
    village(4, spent).refuses("build k10 2", "C-T1", "costs 1 AP; you have 0")
    village(4, spent, "temple k10 2").refuses("expand k10 4", "C-T1", "costs 1 AP")


def test_only_a_temple_that_stands_can_be_expanded() -> None:  # C-T1
    village(4).refuses("expand k10 4", "C-T1", "no temple at k10")


def test_the_temples_own_hex_counts_in_the_size() -> None:  # C-T1
    village(4, "temple k10 2").play("expand k10 4")
    village(3, "temple k10 2").refuses("expand k10 4", "C-T4", "has 3 hexes")


def test_a_village_ends_where_its_hexes_no_longer_touch() -> None:  # C-T1
    village(3, "villages k16 k18").refuses("build k10 4", "C-T4", "has 3 hexes")


# The levels of A's and of B's Incas in one village, and who may build there.
POSITIONS = [
    ([1], [], "A"),
    ([2], [1], "A"),
    ([1], [2], "B"),
    ([2], [1, 1, 1], "A"),
    ([2, 1], [2], "A"),
    ([2], [2, 1], "B"),
    ([3, 1], [3, 2], "B"),
    ([3, 2], [3, 1, 1], "A"),
    ([2, 2], [2, 1, 1], "A"),
    ([3, 2, 1], [3, 2, 1], ""),
    ([2], [2], ""),
    ([1, 1], [1], "A"),
    ([], [], ""),
]


def standing(letter: str, columns: range, levels: list[int]) -> str:
    """That player's Incas on row k, from those columns on, at these levels."""
    hexes = [f"k{column}" for column in columns[: len(levels)]]
    stacks = " ".join(f"{at}^{level}" for at, level in zip(hexes, levels, strict=True))
    return f"villages {stacks}; {letter} at {' '.join(hexes)}" if hexes else ""


@pytest.mark.parametrize(("ours", "theirs", "highest"), POSITIONS)
@pytest.mark.parametrize("asked", "AB")
def test_only_the_player_in_the_highest_position_may_build(
    ours: list[int], theirs: list[int], highest: str, asked: str
) -> None:  # C-T2
    rows = [standing("A", range(8, 14, 2), ours), standing("B", range(16, 22, 2), theirs)]
    joined = "villages l9 l11 l13 l15 l17 l19 l21"
    table = cuzco("; ".join([f"turn {asked} laid", joined, *rows]))
    assert table.offers("build l13 2") == (asked == highest)


def test_a_tie_for_the_best_is_nobodys() -> None:  # C-T2
    table = village(4, "B at k12")
    table.refuses("build k10 2", "C-T2", "Only who stands highest alone")
    table = village(5, "villages k12 k14", "temple k10 2", "A at k8 k12; B at k16 k14")
    table.refuses("expand k10 4", "C-T2", "levels are 2, 1 / 2, 1")


def test_who_has_nobody_there_builds_nothing() -> None:  # C-T2
    table = village(2, "villages g8 g10 g12 g14; temple g14 2; B at g12")
    table.refuses("build g8 2", "C-T3", "This city has its temple at g14")
    table.refuses("expand g14 4", "C-T2", "no Inca in this village or city")


def test_incas_outside_the_village_do_not_count() -> None:  # C-T2
    village(2, "crops l9^3 j9^3; villages g8^4", "B at l9 j9 g8").play("build k10 2")


def test_a_temple_needs_a_village_hex_without_inca() -> None:  # C-T3
    table = village(3, "crops l9", "A at k8 k12")
    table.refuses("build k12 2", "C-T3", "k12 is taken by an Inca")
    table.refuses("build l9 2", "C-T3", "l9 is not one")
    table.refuses("build l11 2", "C-T3", "l11 is not one")
    table.play("build k10 2")


def test_a_temple_may_stand_at_any_level() -> None:  # C-T3
    for level in range(1, 5):
        village(2, f"villages k12^{level}").play("build k12 2")


def test_a_city_has_one_temple() -> None:  # C-T3
    table = village(8, "temple k10 2")
    table.refuses("build k12 4", "C-T3", "This city has its temple at k10")
    table.refuses("build k10 4", "C-T3", "k10 bears a temple already")


@pytest.mark.parametrize("size", range(2, 13))
def test_a_value_is_even_up_to_ten_and_not_above_the_size(size: int) -> None:  # C-T4
    table = village(size)
    for value in (2, 4, 6, 8, 10):
        if value > size:
            sentence = f"This village has {size} hexes; a temple of {value} needs {value}."
            table.refuses(f"build k10 {value}", "C-T4", sentence)
        else:
            assert table.offers(f"build k10 {value}")


@pytest.mark.parametrize("value", [0, 1, 3, 5, 11, 12, 20])
def test_there_are_no_other_values(value: int) -> None:  # C-T4
    sentence = f"2, 4, 6, 8 or 10, not {value}"
    village(12).refuses(f"build k10 {value}", "C-T4", sentence)
    village(12, "temple k10 2").refuses(f"expand k10 {value}", "C-T4", sentence)


def test_the_new_value_is_higher_than_the_old() -> None:  # C-T4
    table = village(12, "temple k10 6")
    assert table.legal("expand") == ["expand k10 10", "expand k10 8"]
    for value in (2, 4, 6):
        table.refuses(f"expand k10 {value}", "C-T4", f"value 6; the new value {value} must be")


def test_exact_temples_take_the_largest_even_number_of_the_size() -> None:  # C-T4
    def exact(size: int, *facts: str) -> list[str]:
        return village(size, "seats 2 exact_temples", "A at k8 k10", *facts).legal()

    def built(size: int) -> set[int]:
        return {int(order.split()[2]) for order in exact(size) if order.startswith("build")}

    assert [built(size) for size in (3, 4, 5, 9, 10, 12)] == [{2}, {4}, {4}, {8}, {10}, {10}]
    assert "expand k12 8" in exact(9, "temple k12 2")
    assert "expand k12 6" not in exact(9, "temple k12 2")


def test_exact_temples_say_which_value_is_due() -> None:  # C-T4
    table = village(5, "seats 2 exact_temples")
    table.refuses("build k10 2", "C-T4", "a city of 5 hexes takes a temple of exactly 4, not 2")


@pytest.mark.parametrize(
    ("was", "value", "taken"),
    [(0, 2, {2}), (0, 6, {2, 4, 6}), (4, 8, {6, 8}), (2, 10, {4, 6, 8, 10}), (8, 10, {10})],
)
def test_each_step_takes_one_floor_from_the_supply(
    was: int, value: int, taken: set[int]
) -> None:  # C-T5
    full = {"2": 12, "4": 11, "6": 10, "8": 8, "10": 6}
    if was:
        table = village(10, f"temple k10 {was}").play(f"expand k10 {value}")
    else:
        table = village(10).play(f"build k10 {value}")
    left = {step: count - (int(step) in taken) for step, count in full.items()}
    assert table.state["supply"]["floors"] == left


def test_a_missing_floor_stops_the_action() -> None:  # C-T5
    table = village(10, "floors 4 0")
    table.play("build k10 2")
    village(10, "floors 4 0").refuses("build k10 6", "C-T5", "value 4 are left")
    village(10, "floors 8 0", "temple k10 6").refuses("expand k10 10", "C-T5", "value 8 are left")


def test_floors_that_lie_already_need_not_be_in_the_supply() -> None:  # C-T5
    village(10, "floors 2 0 4 0", "temple k10 4").play("expand k10 8")


def test_the_last_floor_may_be_taken() -> None:  # C-T5
    table = village(6, "floors 6 1").play("build k10 6")
    assert table.state["supply"]["floors"]["6"] == 0


def test_a_temple_changes_once_a_turn() -> None:  # C-T6
    table = village(6).play("build k10 2")
    table.refuses("expand k10 4", "C-T6", "changed its value once this turn")
    table = village(6, "temple k10 2").play("expand k10 4")
    table.refuses("expand k10 6", "C-T6", "changed its value once this turn")


def test_different_temples_may_change_in_one_turn() -> None:  # C-T6
    table = village(6, "temple k10 2", "villages g8 g10; A at k8 g8")
    table.play("expand k10 4", "build g10 2")


def test_in_the_next_turn_a_temple_may_change_again() -> None:  # C-T6
    table = village(6, "temple k10 2").play("expand k10 4", "end", "place crop g8", "end")
    table.play("place crop g10", "expand k10 6")


@pytest.mark.parametrize("value", [2, 4, 6, 8, 10])
def test_building_scores_half_the_value_at_once(value: int) -> None:  # C-T7
    table = village(10, "A score 7").play(f"build k10 {value}")
    assert table.scores == (7 + value // 2, 0)
    assert table.event(TempleBuilt).points == value // 2


@pytest.mark.parametrize(("was", "value"), [(2, 4), (2, 8), (6, 10)])
def test_expanding_scores_half_the_new_value(was: int, value: int) -> None:  # C-T7
    table = village(10, f"temple k10 {was}").play(f"expand k10 {value}")
    assert table.scores == (value // 2, 0)
    assert table.event(TempleExpanded).points == value // 2


def test_whoever_stands_highest_may_expand_what_another_built() -> None:  # C-T7
    table = village(6, "villages l11^2; B at l11").play("end")
    assert table.play("place crop g8", "build k10 4", "end").scores == (0, 2)
    table.play("place crop g10").refuses("expand k10 6", "C-T2", "levels are 1 / 2")


def test_a_temples_hex_is_closed_to_incas_and_tiles() -> None:  # C-T8
    table = village(4, "villages e2; temple e2 2").play("build k10 4")
    table.refuses("move k8 k10", "C-T8", "k10 bears a temple")
    table.refuses("move k8 k12", "C-M4", "No way leads from k8 to k12")
    table.refuses("enter e2", "C-T8", "e2 bears a temple")
    table.refuses("place crop k10", "C-P3", "k10 bears a temple")


def test_a_temples_value_never_falls() -> None:  # C-T8
    table = village(3, "double k14 l15; temple k10 4").play("place crop k14")
    assert table.state["temples"]["k10"]["value"] == 4


def test_what_is_cut_off_from_the_temple_is_a_village_again() -> None:  # C-T8
    cut = "double k12 l13; villages l11; temple k8 4"
    table = cuzco(f"turn A laid; villages k8 k10 k14 k16; {cut}; A at k14")
    table.refuses("build k16 2", "C-T3", "This city has its temple at k8")
    table.play("place crop k12", "build k16 2")
    assert table.state["temples"]["k8"]["value"] == 4
