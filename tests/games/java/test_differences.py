"""J: where Java differs from Cuzco, and the shared clauses in Java's words."""

from collections import Counter
from itertools import chain

import pytest

from engine.core.match import start
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import games
from tests.games.table import Table, java, new, paved

FULL = {"2": 6, "4": 7, "6": 8, "8": 9, "10": 10}
CITY = "villages k8 k10 k12 k14 k16 k18 k20 k22 k24 k26"


def rice_fields(*bare: str) -> str:
    return paved(*bare).replace("crops", "rices")


def city(*facts: str) -> Table:
    """A line of ten village hexes with a developer of A, and A's turn after the tile."""
    return java("; ".join(["turn A ap 3 laid", CITY, "A at k8", *facts]))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_there_are_forty_palaces_and_sixteen_basins(seats: int) -> None:  # J-S3
    supply = new("java", seats).state["supply"]
    assert supply == {"triples": 56, "basins": 16, "palaces": FULL}
    assert new("java", seats).view(None)["basins"] == ["f15", "f27", "i18"]


def test_the_cards_show_mask_drum_and_puppet() -> None:  # C-S4
    state = new("java", 2).state
    cards = Counter([*chain(*state["hands"]), *state["pile"], state["open"]])
    kinds = ["mask", "drum", "puppet", "mask+drum", "mask+puppet", "drum+puppet"]
    assert cards == dict.fromkeys(kinds, 5)


@pytest.mark.parametrize(
    "orders",
    [
        ["place rice g8", "enter k6", "draw pile", "end"],
        ["enter k6", "place rice g8", "draw pile", "end"],
        ["enter k6", "draw pile", "basin g12", "place rice g8", "end"],
    ],
)
def test_the_tile_may_be_laid_at_any_moment_of_the_turn(orders: list[str]) -> None:  # J-A2
    assert java("rices k6").play(*orders).to_act == "B"


def test_neither_end_nor_festival_come_before_a_due_tile() -> None:  # J-A2
    table = java("villages k8 k10; palace k10 2; A at k8; open mask; A hand mask")
    table.refuses("end", "C-A4", "You have laid 0 tiles this turn")
    table.refuses("festival k10 mask", "C-A4", "You have laid 0 tiles this turn")
    table.play("draw pile", "place rice g8", "festival k10 mask")


@pytest.mark.parametrize(
    ("order", "cost"),
    [("enter k6", 1), ("enter e2", 2), ("draw open", 1), ("basin g12", 1), ("build k10 2", 1)],
)
def test_the_action_point_for_the_due_tile_must_be_kept(order: str, cost: int) -> None:  # J-A2
    facts = "rices k6 e2; villages k8 k10; A at k8; open mask; turn A ap"
    java(f"{facts} {cost}").refuses(order, "C-A3", "after this none could be laid with the 0 AP")
    java(f"{facts} {cost + 1}").play(order, "place rice g8")


def test_an_unused_token_does_not_pay_for_the_due_tile() -> None:  # J-A2
    table = java("turn A ap 1; rices k6")
    table.refuses("enter k6", "C-A3", "with the 0 AP then left")
    table.play("token", "enter k6", "place rice g8")


def test_a_basin_may_not_fill_the_last_place_for_the_due_tile() -> None:  # J-A2
    table = java(rice_fields("k10"))
    table.refuses("basin k10", "C-A3", "with the 5 AP then left")
    table.play("draw pile", "place village k10")


def test_a_developer_may_not_take_the_last_place_for_the_due_tile() -> None:  # J-A2
    owned = "A stock doubles 0 villages 0 rices 1; supply triples 0"
    table = java(f"{rice_fields('k6', 'k8')}; double k8 k6; rices k8; {owned}")
    table.refuses("enter k6", "C-A3", "after this none could be laid")
    table.play("enter l7", "place rice k6")


def test_a_palace_may_not_close_the_last_place_for_the_due_tile() -> None:  # J-A2
    owned = "A stock doubles 0 villages 1 rices 0; supply triples 0"
    bare = rice_fields("k8", "l9", "k10", "l11", "k12", "k14")
    table = java(f"{bare}; villages k8 l9 k12 k14; palace k8 2; {owned}; A at k14")
    assert table.legal("place") == ["place village k10", "place village l11"]
    table.refuses("build k12 2", "C-A3", "after this none could be laid")
    table.play("place village k10")


def test_with_no_place_for_a_tile_there_is_no_duty() -> None:  # C-A3
    java(rice_fields()).play("enter k6", "end")


def test_a_value_is_at_most_the_size_and_need_not_be_the_largest() -> None:  # J-T4
    table = java("turn A laid; villages k8 k10 k12 k14 k16; A at k8")
    assert table.legal("build k10") == ["build k10 2", "build k10 4"]
    table.refuses("build k10 6", "J-T4", "This village has 5 hexes; a palace of 6 needs 6.")


def test_exact_temples_is_no_option_of_java() -> None:  # J-T4
    with pytest.raises(
        Unknown, match='no option "exact_temples"; the options are rules, ask_everyone'
    ):
        start(games()["java"], 2, {"exact_temples": True}, "seed")


@pytest.mark.parametrize("value", [2, 4, 6, 8, 10])
def test_building_takes_one_palace_of_that_value(value: int) -> None:  # J-T5
    table = city().play(f"build k10 {value}")
    assert table.state["supply"]["palaces"] == {**FULL, str(value): FULL[str(value)] - 1}
    assert table.scores == (value // 2, 0)


def test_expanding_takes_one_palace_of_the_new_value() -> None:  # J-T5
    table = city("palace k10 2").play("expand k10 8")
    assert table.state["supply"]["palaces"] == {**FULL, "8": 8}
    assert table.scores == (4, 0)


def test_with_none_of_that_value_left_it_is_refused() -> None:  # J-T5
    table = city("floors 2 0 4 0 6 0")
    table.refuses("build k10 6", "J-T5", "0 pieces of value 6 are left")
    table.play("build k10 8")  # the lower ones are not needed


PALACE = (
    "seats 3 ask_everyone off; turn A ap 0 laid; villages k8 k10 k12 j9; A at k8; B at k12; C at j9; open mask;"
    "A hand mask mask+drum; B hand mask; palace k10"
)


def test_whoever_brings_a_tie_about_has_offered_to_share() -> None:  # J-F3
    table = java(f"{PALACE} 8; C hand mask mask+drum").play("festival k10 mask", "bid mask")
    assert table.play("bid mask").to_act == "A"
    assert table.legal() == ["bid mask+drum", "hold"]
    table.refuses("pass", "J-F3", "You have 1 FP, the most: bid or hold, not pass.")
    assert table.play("hold").scores == (2, 2, 2)


def test_whoever_does_not_want_to_share_must_raise() -> None:  # J-F3
    table = java(f"{PALACE} 8").play("festival k10 mask", "bid mask", "bid mask+drum")
    assert table.scores == (4, 0, 0)


@pytest.mark.parametrize(
    ("value", "alone", "shared"), [(2, 1, 0), (4, 2, 1), (6, 3, 2), (8, 4, 2), (10, 5, 3)]
)
def test_the_value_of_the_palace_gives_the_points(
    value: int, alone: int, shared: int
) -> None:  # J-F5
    table = java(f"{PALACE} {value}").play("festival k10 mask", "pass")
    assert table.scores == (alone, 0, 0)
    table = java(f"{PALACE} {value}").play("festival k10 mask", "bid mask", "hold")
    assert table.scores == (shared, shared, 0)


def test_the_open_card_stays_after_a_festival() -> None:  # J-F6
    table = java(f"{PALACE} 8; pile drum").play("festival k10 mask", "bid mask", "hold")
    state = table.state
    assert (state["open"], state["pile"], state["discard"]) == ("mask", ["drum"], ["mask", "mask"])
    assert state["hands"] == [["mask+drum"], [], []]


def test_the_open_card_changes_when_somebody_takes_it() -> None:  # J-F6
    table = java("turn A laid; open mask; pile drum; discard puppet").play("draw open")
    state = table.state
    assert (state["open"], state["pile"], state["discard"]) == ("drum", [], ["puppet"])


def test_the_discards_become_the_pile_when_it_is_empty() -> None:  # J-F6
    table = java("turn A laid; open mask; pile; discard puppet puppet").play("draw pile")
    state = table.state
    assert (state["open"], state["pile"], state["discard"]) == ("mask", ["puppet"], [])


def test_a_palace_is_turned_to_its_dancer_side_until_it_is_expanded() -> None:  # J-F8
    table = java(f"{PALACE} 2").play("festival k10 mask", "pass")
    assert table.state["palaces"]["k10"]["danced"]
    table = java(f"{PALACE} 2 danced; turn A ap 1 laid; villages k8")
    table.refuses("festival k10 mask", "J-F8", "dancer side up")
    table.play("expand k10 4")
    assert not table.state["palaces"]["k10"]["danced"]
    table.play("festival k10 mask")


@pytest.mark.parametrize(
    ("order", "rule", "sentence"),
    [
        ("place rice k8", "C-P3", "k8 is taken by a developer"),
        ("place rice k10", "C-P3", "k10 bears a palace"),
        ("expand k12 2", "C-T1", "no palace at k12"),
        ("leave k10", "C-M2", "no developer on k10"),
        ("festival k12 mask", "C-F1", "no palace at k12"),
        ("basin k6", "C-B1", "a bare hex of Central Java"),
        ("place double d1 d3", "C-P8", "at least 1 hex of Central Java"),
    ],
)
def test_refusals_speak_of_palaces_and_developers(
    order: str, rule: str, sentence: str
) -> None:  # C-P3
    city("palace k10 4", "open mask; A hand mask").refuses(order, rule, sentence)


def test_a_rice_field_is_laid_as_rice() -> None:  # C-P1
    table = java("").play("place rice k8")
    assert table.state["stock"][0]["rices"] == 2
    with pytest.raises(NotUnderstood, match=r"place triple V R R, .* or place rice H"):
        table.play("place crop k10")
    assert "two rice fields" in str(table.match.game.verbs["place triple"])
    table = java("turn A laid; A stock rices 0")
    table.refuses("place rice k8", "C-P1", "You have 0 rice tiles left")


def test_the_last_triple_ends_java_too() -> None:  # C-E1
    table = java("villages k8 k10; palace k10 2; A at k8; supply triples 1")
    table.play("draw pile", "place triple g8 g10 h9", "end", "end")
    assert table.match.over
    assert table.scores == (2, 0)
