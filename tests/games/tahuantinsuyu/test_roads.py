"""Roads: how many, where, what they turn up, cut off and rejoined, and wild ones (N-R)."""

from __future__ import annotations

import pytest

from engine.kit.masks import bits
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.printed_board import cross
from tests.games.tahuantinsuyu.tables import (
    A_AND_D,
    B_AND_A,
    FOUR,
    TO_XAUXA,
    joined,
    marker,
    owned,
    people,
    table,
)


def test_the_two_actions_come_in_either_order() -> None:  # N-R1
    people().play("road s001 s005", "conquer huanca", "end")
    people().play("conquer huanca", "road s001 s005", "road s001 s061", "end")


def test_each_action_may_be_left_out() -> None:  # N-R1
    match = people().play("end")
    assert match.to_act == "B"


def test_development_finishes_a_road_action_that_has_begun() -> None:  # N-R1
    match = people().play("road s001 s005", "conquer huanca")
    match.refuses("road s001 s061", "N-R1", "The road action is finished: 1 road was laid")


def test_a_road_finishes_a_development_that_has_begun() -> None:  # N-R1
    match = people("building_project", roads=[["s001", "s005"]], markers=owned(0, "huanca"))
    match.play("terrace huanca", "road s001 s061")
    match.refuses("conquer chanka", "N-R1", "The development action is finished")


def test_one_development_a_phase() -> None:  # N-R1
    match = people(markers=owned(0, "huanca")).play("terrace huanca")
    match.refuses("buy road s001 s005", "N-R1", "no card lets another follow")
    match.refuses("conquer chincha", "N-D8", "no card lets another follow")


def test_the_first_extra_conquest_finishes_what_came_before_it() -> None:  # N-R1, N-D8
    match = people("expert_surveyors", "rapid_expansion", markers=owned(0, "huanca", "nazca"))
    match.play("terrace huanca", "conquer chincha")
    match.refuses("terrace nazca", "N-R1", "An extra conquest has finished what came before it.")
    match = people("motivated_workers", "rapid_expansion").play("buy road s001 s005")
    match.play("conquer huanca")
    match.refuses("buy road s001 s061", "N-R1", "An extra conquest has finished what came before")


def test_everybody_plays_once_in_order() -> None:  # N-R1
    match = table(order=[2, 0, 3, 1])
    seen = []
    for _ in range(4):
        seen.append(match.to_act)
        match.play("end")
    assert seen == ["C", "A", "D", "B"]
    assert match.state["step"] == 2


@pytest.mark.parametrize(
    ("cards", "most"),
    [
        ([], 2),
        (["el_nino"], 1),
        (["el_nino", "el_nino"], 1),
        (["extra_labour"], 3),
        (["extra_labour", "extra_labour"], 4),
        (["extra_labour", "el_nino"], 2),
        (["extra_labour", "el_nino", "el_nino"], 1),
    ],
)
def test_the_free_roads_of_a_phase(cards: list[str], most: int) -> None:  # N-R2
    match = people(*cards)
    ways = ["s001 s005", "s001 s061", "s001 s007", "s005 s084", "s005 s106"]
    for way in ways[:most]:
        match.play(f"road {way}")
    match.refuses(f"road {ways[most]}", "N-R2", f"You have laid {most} of the {most} road")


def test_cards_on_both_sides_of_a_colour_add_up() -> None:  # N-R2, N-U3
    match = people(sun={A_AND_D: ["extra_labour"], B_AND_A: ["extra_labour"]})
    assert match.match.game.view(match.match.state, 0).turn.allowance == 4


def test_a_road_begins_at_a_joined_site() -> None:  # N-R3
    match = people(markers=owned(0, "huanca", "chanka"))
    match.refuses("road s011 s104", "N-R3", "Neither s011 (Tarmatambo) nor s104 (Xauxa) is joined")
    assert match.offers("road s001 s005")


def test_one_road_a_slot() -> None:  # N-R3
    match = table(roads=[[], [["s001", "s005"]]], turn={"seat": 0})
    match.refuses("road s001 s005", "N-R3", "only a wild road may lie beside it")


def test_two_sites_without_a_slot_are_no_road() -> None:  # N-R3
    match = people()
    match.refuses("road cuzco s005", "N-R3", "No road slot leads from Cuzco to s005 (Wariwilka).")
    match.refuses("road s001 s001", "N-R3", "No road slot leads from s001")


def test_in_an_unconquered_region_an_end_must_touch_a_conquered_one() -> None:  # N-R3
    # s104 and s018 touch huanca, huaylas and ichma alone: nothing conquered.
    match = people(roads=TO_XAUXA)
    match.refuses("road s018 s104", "N-R3", "huanca is not conquered, and neither s018")
    assert match.offers("road s001 s005")  # s001 touches a suyu
    assert people(roads=TO_XAUXA, markers=owned(2, "huanca")).offers("road s018 s104")
    assert people(roads=TO_XAUXA, markers=owned(3, "huaylas")).offers("road s018 s104")


def test_loops_are_fine() -> None:  # N-R3
    match = people(roads=[["s001", "s005"], ["s005", "s106"]], markers=owned(0, "chanka"))
    match.play("road s084 s106", "road s005 s084")
    assert {"s005", "s084", "s106"} <= joined(match, 0)


def test_a_site_newly_joined_turns_up_the_markers_it_touches() -> None:  # N-R4
    match = people(
        roads=[["s001", "s061"]],
        markers={
            "chincha": {"type": "allies", "owner": 1, "up": True},
            "ichma": {"type": "herders", "up": False},
        },
    )
    match.play("road s012 s061")
    assert match.kinds() == ["RoadBuilt", "MarkersTurned"]
    assert match.event(e.MarkersTurned) == e.MarkersTurned(("ichma",), ("herders",))
    assert marker(match, "ichma")["up"]


def test_a_road_between_joined_sites_turns_up_nothing() -> None:  # N-R4
    match = people(
        roads=[["s001", "s005"], ["s005", "s106"], ["s084", "s106"]],
        markers={"chanka": {"type": "farmers", "owner": 0}, "tarma": {"up": False}},
    )
    match.play("road s005 s084")
    assert match.kinds() == ["RoadBuilt"]
    assert not marker(match, "tarma")["up"]


def test_a_piece_that_is_joined_again_turns_up_all_it_touches() -> None:  # N-R4, N-R5
    cut_off = [["s061", "s104"], ["s011", "s104"]]
    hidden = {region: {"up": False} for region in ("tarma", "huanca", "chanka", "chincha")}
    match = people(roads=cut_off, markers={**hidden, "huanca": {"owner": 1}})
    assert joined(match, 0) == {"cuzco", "s001"}
    match.play("road s001 s061")
    assert {"s061", "s104", "s011"} <= joined(match, 0)
    assert match.event(e.MarkersTurned).regions == ("tarma", "chanka", "chincha")


def test_roads_cut_off_stay_hold_their_slots_and_join_nothing() -> None:  # N-R5
    match = people(roads=[["s061", "s104"]], markers=owned(0, "huanca"), order=[0, 1, 2, 3])
    assert joined(match, 0) == {"cuzco", "s001"}
    match.refuses("city s104", "N-D1", "s104 (Xauxa) is not joined")
    match.refuses("road s018 s104", "N-R3", "Neither s018")
    other = table(
        roads=[
            [["s061", "s104"]],
            [["s001", "s061"], ["s001", "s005"], ["s005", "s084"], ["s002", "s084"]],
        ],
        turn={"seat": 1},
    )
    other.refuses("road s061 s104", "N-R3", "A road already lies from s061")


# Wild roads


def test_without_the_card_no_road_is_wild() -> None:  # N-R6
    people().refuses("wild s001 s104", "N-R6", "Wild Road does not lie beside your colour.")


def test_each_copy_lets_one_road_of_the_phase_be_wild() -> None:  # N-R6
    match = people("wild_road").play("wild s001 s104")
    match.refuses("wild s001 s107", "N-R6", "You have laid 1 wild road; Wild Road does not")
    match = people("wild_road", "wild_road").play("wild s001 s104", "wild s001 s107")
    match.refuses("wild s005 s061", "N-R2", "You have laid 2 of the 2 roads")


def test_a_bought_road_may_be_the_wild_one() -> None:  # N-R6
    match = people("wild_road").play("buy wild s001 s104")
    assert match.state["labour"][0] == 19
    match.refuses("wild s001 s107", "N-R6", "You have laid 1 wild road;")
    people("wild_road", "wild_road").play("wild s001 s107", "buy wild s001 s104")


def test_a_wild_road_lies_beside_another_players_road() -> None:  # N-R6
    roads = [[], [["s001", "s005"]]]
    match = table(period=1, step=2, sun={A_AND_D: ["wild_road"]}, roads=roads)
    match.play("wild s001 s005")
    assert match.state["roads"][:2] == [[["s001", "s005"]], [["s001", "s005"]]]


def test_a_wild_road_may_lie_beside_a_starting_road() -> None:  # N-R6
    match = people("wild_road")
    assert {"wild cuzco s002", "wild cuzco s003", "wild cuzco s004"} <= set(match.legal("wild"))
    match.play("wild cuzco s002")
    assert "s002" in joined(match, 0)


def test_a_wild_road_may_lie_beside_any_number_of_others() -> None:  # N-R6
    roads = [[], [["s001", "s005"]], [["s001", "s005"]], [["s001", "s005"]]]
    table(period=1, step=2, sun={A_AND_D: ["wild_road"]}, roads=roads).play("wild s001 s005")


def test_never_two_roads_of_one_player_between_the_same_sites() -> None:  # N-R6
    match = people("wild_road", roads=[["s001", "s005"]])
    match.refuses("wild s001 s005", "N-R6", "Your own road already leads")
    match = people("wild_road", roads=[["s001", "s104"]], markers=owned(0, "huanca"))
    match.refuses("wild s001 s104", "N-R6", "Your own road already leads")


def test_on_a_free_slot_a_wild_road_is_refused() -> None:  # N-R6
    people("wild_road").refuses("wild s001 s005", "N-R6", "is free; a plain road goes there")


def test_a_wild_road_needs_a_taken_slot_or_a_segment() -> None:  # N-R6
    match = people("wild_road")
    match.refuses("wild s001 s127", "N-R6", "Neither a road slot nor a way for a wild road leads")
    match.refuses("wild s001 s001", "N-R6", "Neither a road slot nor a way for a wild road leads")


def test_a_segment_takes_no_plain_road() -> None:  # N-R6
    people("wild_road").refuses("road s001 s104", "N-R6", "only a wild road can lie there")


def test_a_segment_with_a_road_counts_as_a_taken_slot() -> None:  # N-R6
    parts = {"period": 1, "step": 2, "sun": {A_AND_D: ["wild_road"]}}
    match = table(**parts, roads=[[], [["s001", "s104"]]])
    match.play("wild s001 s104")
    assert match.state["roads"][0] == [["s001", "s104"]]


def test_a_wild_road_crosses_no_wild_road_ones_own_neither() -> None:  # N-R6
    # s001-s104 and s005-s061 cross in huanca.
    for seat in (0, 1):
        roads: list[list[list[str]]] = [[], [], [], []]
        roads[seat] = [["s005", "s061"]]
        roads[0] = [*roads[0], ["s001", "s061"]]
        match = table(period=1, step=2, sun={A_AND_D: ["wild_road"]}, roads=roads)
        match.refuses("wild s001 s104", "N-R6", "A wild road crosses the way from s001")


def test_crossing_is_checked_by_straight_lines() -> None:  # N-R6
    for number, others in FOUR.crossing.items():
        for other in bits(others):
            assert cross(*FOUR.line(number), *FOUR.line(other))
            assert FOUR.crossing[other] >> number & 1


def test_a_wild_road_through_an_unconquered_region_needs_a_conquered_one_at_an_end() -> (
    None
):  # N-R6
    # From s104 to s106 through huanca and chanka; the ends touch these two alone.
    match = people("wild_road", roads=TO_XAUXA)
    match.refuses("wild s104 s106", "N-R3", "huanca, chanka are not conquered")
    assert people("wild_road", roads=TO_XAUXA, markers=owned(2, "chanka")).offers("wild s104 s106")


def test_a_wild_road_begins_at_a_joined_site_too() -> None:  # N-R6, N-R3
    match = people("wild_road", markers=owned(0, "huanca", "chanka"))
    match.refuses("wild s104 s106", "N-R3", "Neither s104 (Xauxa) nor s106")


def test_a_wild_road_turns_up_markers_like_any_other() -> None:  # N-R4, N-R6
    match = people(
        "wild_road",
        roads=TO_XAUXA,
        markers={
            "huanca": {"type": "farmers", "owner": 1},
            "campa": {"up": False},
            "chanka": {"up": False},
        },
    )
    match.play("wild s104 s106")
    assert match.event(e.MarkersTurned).regions == ("chanka",)
