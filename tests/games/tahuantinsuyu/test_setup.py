"""The beginning (N-S)."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.printed_board import board
from tests.games.tahuantinsuyu.tables import FOUR, marker, new, table


def test_order_tiles_and_colours_fall_at_random_and_apart_from_seats() -> None:  # N-S1
    states = [new(seed=f"seed {number}").state for number in range(12)]
    assert len({tuple(state["colours"]) for state in states}) > 4
    assert len({tuple(state["order"]) for state in states}) > 4
    assert all(sorted(state["order"]) == [0, 1, 2, 3] for state in states)
    assert any(state["colours"] != list(FOUR.colours) for state in states)


def test_three_players_have_no_blue() -> None:  # N-S1
    assert sorted(new(3).state["colours"]) == ["brown", "green", "orange"]
    assert board(3, 1).suyu_names == {
        "orange": "Chinchaysuyu",
        "green": "Antisuyu",
        "brown": "Collasuyu",
    }
    assert FOUR.suyu_names["blue"] == "Contisuyu"


@pytest.mark.parametrize(("seats", "counts"), [(4, (9, 8, 9, 7, 6, 6)), (3, (8, 7, 8, 6, 5, 5))])
def test_every_region_gets_a_marker_and_the_rest_stay_unseen(
    seats: int, counts: tuple[int, ...]
) -> None:  # N-S2
    state = new(seats).state
    types = Counter(marker["type"] for marker in state["markers"].values())
    assert sum(types.values()) == {3: 36, 4: 42}[seats]
    assert len(state["spare"]) == 3
    both = types + Counter(state["spare"])
    assert tuple(both[kind] for kind in board(seats, 1).markers) == counts


def test_the_markers_have_the_values_of_the_rules() -> None:  # N-S2
    values = {(m.labour, m.resistance, m.points): m.count for m in FOUR.markers.values()}
    assert values == {
        (1, 1, 1): 9,
        (1, 2, 3): 8,
        (2, 2, 1): 9,
        (2, 3, 3): 7,
        (3, 3, 1): 6,
        (2, 4, 5): 6,
    }


def test_markers_next_to_a_suyu_are_turned_up_and_no_others() -> None:  # N-S2
    markers = new().state["markers"]
    up = {region for region, found in markers.items() if found["up"]}
    beside = {"huanca", "vilcabamba", "chanka", "chincha", "opatari", "condesuyo", "canas", "colla"}
    assert up == beside


def test_markers_are_dealt_at_random() -> None:  # N-S2
    types = {new(seed=f"seed {number}").state["markers"]["pasto"]["type"] for number in range(15)}
    assert len(types) > 3


def test_everybody_has_a_road_from_cuzco_three_cards_and_no_points() -> None:  # N-S3
    match = new()
    state = match.state
    assert [len(hand) for hand in state["hands"]] == [3, 3, 3, 3]
    assert state["roads"] == [[], [], [], []]  # the starting roads are not listed
    assert state["scores"] == [0, 0, 0, 0]
    for seat, colour in enumerate(state["colours"]):
        exit_site = FOUR.edges[FOUR.exits[colour]].pair[1]
        assert exit_site in match.match.game.view(match.match.state, seat).joined[seat]


def test_tile_one_is_innermost_and_so_leads_at_nought() -> None:  # N-S3
    state = new().state
    assert state["standing"] == state["order"]


@pytest.mark.parametrize("seats", [3, 4])
def test_a_starting_road_is_never_destroyed(seats: int) -> None:  # N-S3
    hands = [["rural_unrest"]]
    match = table(seats, period=1, step=1, hands=hands, pile=[])
    match.play("sun rural_unrest green-orange")
    view = match.match.game.view(match.match.state, 0)
    assert view.joined[0] == ("cuzco", "s001")


def test_the_sun_cards_are_those_of_the_rules() -> None:  # N-S4
    assert FOUR.cards == {
        "el_nino": 2,
        "expert_surveyors": 1,
        "extra_labour": 2,
        "motivated_workers": 2,
        "rural_unrest": 2,
        "wild_road": 4,
        "popular_support": 2,
        "military_superiority": 1,
        "rapid_expansion": 2,
        "resistance": 2,
        "religious_fervour": 1,
        "solar_eclipse": 1,
        "building_project": 1,
        "bad_weather": 1,
        "safety_rations": 1,
        "epidemic": 2,
        "strategic_point": 1,
        "urban_renewal": 1,
        "great_pilgrimage": 1,
        "annual_pilgrimage": 1,
        "local_pilgrimage": 1,
    }
    state = new().state
    dealt = Counter(card for hand in state["hands"] for card in hand)
    assert dealt + Counter(state["pile"]) == Counter(FOUR.cards)


def test_three_players_take_out_five_sun_cards() -> None:  # N-S4
    gone = Counter(FOUR.cards) - Counter(board(3, 1).cards)
    assert gone == {
        "local_pilgrimage": 1,
        "annual_pilgrimage": 1,
        "great_pilgrimage": 1,
        "rural_unrest": 1,
        "wild_road": 1,
    }
    assert len(board(3, 1).deck({})) == 27


def test_suyus_are_conquered_from_the_start_and_bear_no_marker() -> None:  # N-S5
    match = table(labour=[9, 9, 9, 9])
    assert "chinchaysuyu" not in match.state["markers"]
    match.refuses("conquer antisuyu", "N-S5", "antisuyu is a suyu")
    match.refuses("terrace chinchaysuyu", "N-S5", "chinchaysuyu is a suyu: it has no marker")
    # A road in huanca may begin at s001, which touches nothing conquered but a suyu.
    assert match.offers("road s001 s005")


def test_the_match_begins_with_the_first_people_turn() -> None:  # N-P
    match = new()
    first = match.state["order"][0]
    assert match.seat == first == match.state["turn"]["seat"]
    assert (match.state["period"], match.state["step"]) == (0, 1)
    assert match.event(e.TurnBegan) == e.TurnBegan(first, 2)
    assert match.state["labour"] == [6, 6, 6, 6]
    assert marker(match, "huanca")["owner"] is None
