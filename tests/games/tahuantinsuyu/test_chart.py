"""The table as text, for who reads plain mails: network, ways, markers, cards; and what lies beside the board."""

from __future__ import annotations

from itertools import islice
from typing import Any

import pytest

from engine.core.sentence import Sentence
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.picture.land_map import land_map
from tests.engine.matches import walk
from tests.games.table import Table
from tests.games.tahuantinsuyu.tables import owned, people, sun, table


def chart(match: Table, seat: int | None = 0) -> str:
    return GAME.chart(GAME.view(match.match.state, seat), str)


def facts(match: Table, seat: int | None = 0) -> dict[str, list[str]]:
    found = GAME.summary(GAME.view(match.match.state, seat))
    return {str(label): [str(thing) for thing in things] for label, things in found}


def test_a_chart_tells_the_network_and_where_it_can_grow() -> None:
    text = chart(people(roads=[["s001", "s061"], ["s065", "s109"]]))
    assert "Joined to Cuzco by A: s001 (Tunanmarca), s061 (Siquillapucara)" in text
    assert "Roads cut off: s065-s109" in text
    assert "Free slots in reach of A: s001-s005 (huanca), s001-s007 (chincha)" in text


def test_a_chart_tells_what_the_sites_are_for_and_where_something_stands() -> None:
    roads = [["s001", "s061"], ["s061", "s104"], ["s061", "s107"]]
    text = chart(people(roads=roads, buildings={"s104": {"kind": "city"}}))
    assert "s061 (Siquillapucara), s104 (Xauxa) C*, s107 (La Centinela) C" in " ".join(text.split())
    assert "s007-s107:C (chincha)" in text
    assert "C: city site (C2: renowned, temple bonus 2); G: garrison site" in text


def test_a_chart_tells_markers_by_their_values() -> None:
    text = chart(
        people(markers={"huanca": {"type": "warriors"}, **owned(1, "chanka", terrace=True)})
    )
    assert "huanca 2/4/5" in text
    assert "Regions of B, with labour: chanka 2 with terrace" in text
    assert "Markers face down: " in text


def test_a_chart_tells_the_land_in_words_region_by_region() -> None:
    """Who cannot see the map learns whose a region is, what it borders on, and who came to its sites."""
    markers = {"huanca": {"type": "warriors"}, **owned(1, "chanka", terrace=True)}
    roads = [["s001", "s061"], ["s061", "s104"]]
    text = chart(people(roads=roads, markers=markers, buildings={"s104": {"kind": "city"}}))
    told = " ".join(text.partition("Region by region")[2].split())
    assert "huanca: free, labour 2, resistance 4, 5 VP. Beside " in told
    assert "chanka: conquered by B, labour 2, with terrace. Beside " in told
    assert "s061 (A)" in told
    assert "s104 C* (A)" in told
    assert told.count(": suyu of ") == 4
    assert (
        "huanca" in told.partition("chanka: ")[2].partition("Sites")[0]
    )  # they border on each other
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("seats", [3, 4])
def test_a_chart_shows_every_region_where_it_lies(seats: int, edition: int) -> None:
    view = GAME.view(table(seats, options={"board": edition}).match.state, 0)
    lines = land_map(view.board, view)
    assert max(map(len, lines)) <= 80
    assert "\n".join(lines) in GAME.chart(view, str)
    words = [word for line in lines for word in line.split()]
    assert all(words.count(region.id) == 1 for region in view.board.regions)
    for row, line in enumerate(lines):  # along a line they lie from north to south
        named = [name for name in line.split() if name in view.board.region_index]
        lies = [view.board.regions[view.board.region_index[name]].marker[0] for name in named]
        assert lies == sorted(lies), row


def test_the_map_of_a_chart_tells_what_lies_on_the_regions() -> None:
    up = {"huanca": {"type": "warriors"}, **owned(1, "chanka", terrace=True)}
    view = GAME.view(people(markers=up).match.state, 0)
    marks = " ".join(land_map(view.board, view)).split()
    for mark in ("2/4/5", "B2^", "=A=", "=D=", "?", "<CUZCO>"):
        assert mark in marks


def test_a_chart_tells_sun_cards_and_what_they_change() -> None:
    text = chart(people("el_nino", "el_nino", hands=[["epidemic"], ["wild_road"]]))
    assert "Sun: orange-blue: El Niño [el_nino], El Niño [el_nino]" in text
    assert "For A: El Niño: one road fewer (×2)" in text
    assert "Your sun cards: Epidemic [epidemic]" in text
    assert "wild_road" not in text


def test_a_chart_hides_a_card_that_is_face_down() -> None:
    match = sun(pile=[]).play("sun el_nino orange-blue")
    assert "El Niño, face down, by A" in chart(match, 0)
    assert "Sun: orange-blue: face down, by A" in chart(match, 1)
    assert "Niño" not in chart(match, 1)
    assert facts(match, 1)["Sun board"] == ["orange-blue: face down, by A"]
    assert facts(match, 0)["Sun board"] == ["orange-blue: El Niño, face down, by A"]


def test_a_chart_is_narrow_at_every_moment() -> None:
    for seats in (3, 4):
        for match in islice(walk("tahuantinsuyu", seats, 8), 0, None, 40):
            for seat in (None, 0):
                lines = GAME.chart(GAME.view(match.state, seat), str).splitlines()
                assert max(map(len, lines)) <= 80


def test_a_chart_speaks_the_readers_language() -> None:
    said: list[Any] = []

    def speak(sentence: Sentence) -> str:
        said.append(sentence)
        return "~"

    text = GAME.chart(GAME.view(people("el_nino").match.state, 0), speak)
    assert "Joined" not in text
    assert "Niño" not in text
    assert said


def test_the_end_names_the_winner() -> None:
    assert "The match is over; won by B." in chart(table(over=True, scores=[1, 5, 2, 3]))


def test_what_a_card_changes_in_anothers_turn_stands_with_the_action_it_changes() -> None:
    match = people("el_nino", "epidemic", "rapid_expansion", "rapid_expansion")
    found = facts(match, 1)
    assert found["Road action of A"] == ["laid 0 of 1", "El Niño: one road fewer"]
    assert found["Development action of A"] == [
        "not begun",
        "Epidemic: cities cost 2 more",
        "Rapid Expansion: one more conquest, for 2 labour more (×2)",
    ]
    match.play("road s001 s005", "conquer huanca")
    assert facts(match, 1)["Road action of A"][0] == "finished"
    assert facts(match, 1)["Development action of A"][0] == "begun"
    assert "Road action of A" not in facts(match, 0)  # the parts of the own turn tell it


def test_facts_tell_what_everybody_has_but_not_which_cards() -> None:
    match = people(markers=owned(0, "huanca", terrace=True), hands=[["epidemic"], ["wild_road"]])
    found = facts(match)
    assert found["A has"] == [
        "orange",
        "0 VP",
        "labour: 20",
        "regions: 1, for 2 labour",
        "terraces: 1",
        "roads: 1",
        "cards: 1",
    ]
    assert found["Your sun cards"] == ["Epidemic: cities cost 2 more [epidemic]"]
    assert "wild_road" not in str(found)
    assert "Your sun cards" not in facts(match, None)
    assert found["Sun board"] == ["none"]


def test_what_one_can_pay_comes_first_in_the_own_turn_and_the_hand_in_a_sun_phase() -> None:
    hands = [["epidemic"], ["wild_road"]]
    assert list(facts(people(hands=hands)))[1] == "A has"
    assert list(facts(sun(hands=hands)))[1] == "Your sun cards"
    assert list(facts(sun(hands=hands), None))[1] == "Sun board"
