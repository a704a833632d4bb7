"""The Sun phase: laid in order, hidden until all are laid, then in force (N-U)."""

from __future__ import annotations

from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import events as e
from tests.games.tahuantinsuyu.tables import (
    A_AND_D,
    B_AND_A,
    C_AND_B,
    D_AND_C,
    FOUR,
    TO_XAUXA,
    joined,
    owned,
    sun,
    table,
)


def test_the_last_in_score_gets_tile_one() -> None:  # N-U1
    hands = [["el_nino"], ["epidemic"], ["resistance"], ["wild_road"]]
    parts = {"scores": [5, 3, 9, 3], "standing": [2, 0, 3, 1], "hands": hands}
    match = table(period=1, step=2, order=[3, 1, 0, 2], turn={"seat": 2}, **parts).play("end")
    assert match.state["step"] == 3
    assert match.state["order"] == [1, 3, 0, 2]
    assert match.event(e.OrderSet) == e.OrderSet((1, 3, 0, 2))
    assert match.to_act == "B"


def test_each_lays_one_card_in_order_and_draws_one() -> None:  # N-U2
    match = sun(order=[2, 0, 1, 3], pile=["urban_renewal"])
    assert match.to_act == "C"
    match.play("sun resistance blue-brown")
    assert match.kinds() == ["CardLaid", "CardDrawn", "CardAsked"]
    assert match.hand("C") == ["urban_renewal"]
    assert match.to_act == "A"
    match.play("sun el_nino orange-blue")
    assert match.to_act == "B"


def test_a_sector_takes_one_new_card_a_phase() -> None:  # N-U2
    match = sun(sun={A_AND_D: ["bad_weather"]}).play("sun el_nino orange-blue")
    match.refuses("sun epidemic orange-blue", "N-U2", "1 is the most")
    assert match.legal() == [
        "sun epidemic blue-brown",
        "sun epidemic brown-green",
        "sun epidemic green-orange",
    ]


def test_only_a_card_of_the_hand_is_laid() -> None:  # N-U2
    match = sun()
    match.refuses("sun epidemic orange-blue", "N-U2", "You have no card Epidemic")


def test_in_a_sun_phase_nothing_else_is_done_and_nobody_may_end() -> None:  # N-U2
    match = sun()
    match.refuses("end", "N-U2", "This is a Sun phase")
    match.refuses("road s001 s005", "N-U2", "This is a Sun phase")
    table().refuses("sun el_nino orange-blue", "N-U2", "this is a People phase")


def test_an_empty_pile_is_made_anew_from_the_discards() -> None:  # N-U2
    match = sun(pile=[], discard=["bad_weather", "rapid_expansion"])
    match.play("sun el_nino orange-blue")
    assert match.event(e.CardDrawn).refilled
    assert match.state["discard"] == []
    assert len(match.state["pile"]) == 1


def test_without_pile_and_discards_nothing_is_drawn() -> None:  # N-U2
    match = sun(pile=[], discard=[]).play("sun el_nino orange-blue")
    assert match.kinds() == ["CardLaid", "CardAsked"]
    assert match.hand("A") == []


def test_who_has_no_card_lays_none_and_draws_none() -> None:  # N-U2
    match = sun(hands=[["el_nino"], [], ["resistance"], []], pile=["urban_renewal", "epidemic"])
    match.play("sun el_nino orange-blue")
    assert match.to_act == "C"
    match.play("sun resistance blue-brown")
    assert match.state["hands"][1] == match.state["hands"][3] == []
    assert match.state["step"] == 2


def test_a_sun_phase_in_which_nobody_has_a_card_passes_by() -> None:  # N-U2
    match = table(period=1, step=2, order=[1, 2, 3, 0], turn={"seat": 0}, pile=[]).play("end")
    assert match.state["step"] == 4
    assert match.to_act == "A"  # the order is that of the standing: tile 1 was A's at the start


def test_the_cards_are_turned_up_when_all_are_laid_and_affect_both_neighbours() -> None:  # N-U3
    match = sun(pile=[]).play("sun el_nino orange-blue", "sun epidemic blue-brown")
    assert match.state["sun"] == {}
    assert match.state["laid"][A_AND_D] == {"seat": 0, "card": "el_nino"}
    match.play("sun resistance brown-green", "sun wild_road green-orange")
    assert match.state["laid"] == {}
    assert match.state["sun"] == {
        A_AND_D: ["el_nino"],
        D_AND_C: ["epidemic"],
        C_AND_B: ["resistance"],
        B_AND_A: ["wild_road"],
    }
    cards = [dict(match.match.state.cards(seat)) for seat in range(4)]
    assert cards == [
        {"el_nino": 1, "wild_road": 1},
        {"resistance": 1, "wild_road": 1},
        {"epidemic": 1, "resistance": 1},
        {"el_nino": 1, "epidemic": 1},
    ]


def test_three_players_have_three_sectors() -> None:  # N-U3
    hands = [["el_nino"], ["epidemic"], ["resistance"]]
    match = table(3, period=1, step=1, hands=hands, pile=[])
    assert match.legal() == [
        "sun el_nino brown-green",
        "sun el_nino green-orange",
        "sun el_nino orange-brown",
    ]
    match.play(
        "sun el_nino orange-brown", "sun epidemic brown-green", "sun resistance green-orange"
    )
    assert dict(match.match.state.cards(0)) == {"el_nino": 1, "resistance": 1}  # orange


def test_cards_stay_and_add_up_until_the_sapa_inca() -> None:  # N-U3
    match = sun(sun={A_AND_D: ["el_nino"]}, pile=[])
    match.play(
        "sun el_nino orange-blue",
        "sun epidemic blue-brown",
        "sun resistance brown-green",
        "sun wild_road green-orange",
    )
    assert match.state["sun"][A_AND_D] == ["el_nino", "el_nino"]


def test_popular_support_pays_for_markers_of_resistance_one_per_copy() -> None:  # N-U4
    markers = {
        "huanca": {"type": "allies", "owner": 0},
        "chincha": {"type": "allies", "owner": 0},
        "nazca": {"type": "farmers", "owner": 0},
        "chanka": {"type": "allies", "owner": 1},
    }
    match = sun(
        hands=[["popular_support"], [], [], []],
        sun={B_AND_A: ["popular_support"]},
        markers=markers,
        pile=[],
    ).play("sun popular_support orange-blue")
    gained = {x.seat: x.labour for x in match.events if isinstance(x, e.SupportGained)}
    assert gained == {0: 4, 1: 1}
    assert match.state["labour"] == [4, 1, 0, 0]


def test_printed_resistance_counts_for_popular_support_whatever_cards_say() -> None:  # N-U4
    markers = {"huanca": {"type": "farmers", "owner": 0}, "chincha": {"type": "allies", "owner": 0}}
    match = sun(
        hands=[["popular_support"], [], [], []],
        sun={A_AND_D: ["military_superiority", "resistance"]},
        markers=markers,
        pile=[],
    ).play("sun popular_support orange-blue")
    assert match.state["labour"][0] == 1


def test_cards_of_earlier_phases_work_again_at_the_end_of_every_sun_phase() -> None:  # N-U4
    match = sun(
        hands=[["el_nino"], [], [], []],
        sun={A_AND_D: ["rural_unrest", "popular_support"]},
        roads=[[["s001", "s005"]]],
        markers={"chincha": {"type": "allies", "owner": 0}},
        pile=[],
    ).play("sun el_nino green-orange")
    kinds = match.kinds()
    assert kinds.index("RoadsDestroyed") < kinds.index("SupportGained")
    assert match.state["roads"][0] == []
    assert match.state["labour"][0] == 1


def roads_after_unrest(rules: int) -> list[list[list[str]]]:
    """A's roads: along the border of chincha, in huanca and in chanka; huanca is conquered."""
    match = sun(
        options={"rules": rules},
        hands=[["rural_unrest"], [], [], []],
        roads=[
            [["s001", "s007"], ["s001", "s005"], ["s005", "s106"]],
            [["s002", "s106"]],
            [["s003", "s111"]],
            [["s004", "s114"]],
        ],
        markers=owned(2, "huanca"),
        pile=[],
    ).play("sun rural_unrest orange-blue")
    found: list[list[list[str]]] = match.state["roads"]
    return found


def test_rural_unrest_destroys_roads_in_unconquered_regions_of_those_affected() -> None:  # N-U5
    kept = [["s001", "s005"], ["s001", "s007"]]
    assert roads_after_unrest(2) == [kept, [["s002", "s106"]], [["s003", "s111"]], []]


def test_rural_unrest_spares_roads_that_run_along_a_border_since_the_second_rules() -> None:
    """N-U5"""
    border = FOUR.edges[FOUR.edge_index["s001", "s007"]]
    assert border.along
    assert ["s001", "s007"] not in roads_after_unrest(1)[0]
    assert ["s001", "s007"] in roads_after_unrest(2)[0]


def test_a_wild_road_is_destroyed_if_any_of_its_regions_is_not_conquered() -> None:  # N-U5
    def after(*conquered: str) -> list[list[str]]:
        roads = [[*TO_XAUXA, ["s104", "s106"]]]  # the last one wild, in huanca and chanka
        match = sun(
            hands=[["rural_unrest"], [], [], []],
            roads=roads,
            markers=owned(1, *conquered),
            pile=[],
        ).play("sun rural_unrest orange-blue")
        found: list[list[str]] = match.state["roads"][0]
        return found

    assert after("huanca") == TO_XAUXA
    assert after("huanca", "chanka") == [*TO_XAUXA, ["s104", "s106"]]


def test_a_road_beside_anothers_starting_road_lies_in_a_suyu_and_so_stays() -> None:  # N-U5
    match = sun(hands=[["rural_unrest"]], roads=[[["cuzco", "s002"]]], pile=[])
    match.play("sun rural_unrest orange-blue")
    assert match.state["roads"][0] == [["cuzco", "s002"]]


def test_two_copies_of_rural_unrest_do_no_more_than_one() -> None:  # N-U5
    match = sun(
        hands=[["rural_unrest"], [], [], []],
        sun={B_AND_A: ["rural_unrest"]},
        roads=[[["s001", "s005"], ["s005", "s106"]]],
        markers=owned(2, "huanca"),
        pile=[],
    ).play("sun rural_unrest orange-blue")
    destroyed = [x for x in match.events if isinstance(x, e.RoadsDestroyed)]
    assert destroyed == [e.RoadsDestroyed(0, (("s005", "s106"),))]


def test_roads_beyond_a_destroyed_one_stay_and_join_nothing() -> None:  # N-U5, N-R5
    match = sun(
        hands=[["rural_unrest"], [], [], []],
        roads=[[["s001", "s005"], ["s005", "s106"]]],
        markers=owned(2, "chanka"),
        pile=[],
    ).play("sun rural_unrest orange-blue")
    assert match.state["roads"][0] == [["s005", "s106"]]
    assert joined(match, 0) == {"cuzco", "s001"}


def test_the_card_laid_is_hidden_from_all_but_who_laid_it() -> None:  # N-D11, N-U2
    match = sun().play("sun el_nino orange-blue")
    assert match.view("A")["laid"] == {A_AND_D: {"seat": 0, "card": "el_nino"}}
    for letter in ("B", "C", "D", None):
        assert match.view(letter)["laid"] == {A_AND_D: {"seat": 0, "card": None}}
    told = [str(GAME.describe(x)) for x in match.events if isinstance(x, e.CardLaid)]
    assert told == ["A laid El Niño face down in orange-blue."]
