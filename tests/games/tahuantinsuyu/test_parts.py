"""A turn is divided into its actions, and what each sun card changes stands where it matters."""

from __future__ import annotations

import pytest

from engine.core.game import Part
from engine.core.sentence import say
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu.text.names import EFFECTS
from engine.tahuantinsuyu.text.orders import CARDS
from engine.tahuantinsuyu.text.parts import CHANGED_BY, VERBS
from tests.games.table import Table
from tests.games.tahuantinsuyu.tables import people, sun

TWICE = [card for card in CARDS if people().match.state.board.cards[card] > 1]


def parts(match: Table, seat: int | None = 0) -> dict[str, Part]:
    return {str(part.title): part for part in GAME.parts(GAME.view(match.match.state, seat))}


def state(match: Table, title: str, seat: int = 0) -> list[str]:
    return [str(word) for word in parts(match, seat)[title].state]


def test_every_verb_stands_in_one_part() -> None:
    assert sorted(verb for verbs in VERBS for verb in verbs) == sorted(GAME.verbs)


def test_every_card_changes_something() -> None:
    assert {card for cards in CHANGED_BY.values() for card in cards} == set(CARDS) == set(EFFECTS)


@pytest.mark.parametrize("card", CARDS)
def test_what_a_card_changes_stands_beside_the_verb_that_it_changes(card: str) -> None:
    match = people(card)
    for part in GAME.parts(GAME.view(match.match.state, 0)):
        for verb in part.verbs:
            changed = EFFECTS[card] in part.changes.get(verb, ())
            assert changed == (card in CHANGED_BY.get(verb, ())), verb
            assert not changed or EFFECTS[card] in part.notes


@pytest.mark.parametrize("card", TWICE)
def test_two_copies_are_told_as_two(card: str) -> None:
    match = people(card, card)
    told = [str(note) for part in parts(match).values() for note in part.notes]
    assert f"{EFFECTS[card]} (×2)" in told
    assert str(EFFECTS[card]) not in told


def test_cards_beside_other_colours_change_nothing() -> None:
    assert all(not part.notes for part in parts(people("epidemic"), 1).values())
    assert parts(people("epidemic"), 3)["Development action"].notes == (EFFECTS["epidemic"],)


def test_a_turn_tells_how_far_both_actions_have_come() -> None:
    match = people("el_nino")
    assert state(match, "Road action") == ["laid 0 of 1"]
    assert state(match, "Development action") == ["not begun"]
    match.play("conquer huanca")
    assert state(match, "Development action") == ["begun"]
    match.play("road s001 s005")
    assert state(match, "Road action") == ["laid 1 of 1"]
    assert state(match, "Development action") == ["finished"]


def test_a_temple_under_an_eclipse_finishes_the_road_action() -> None:
    roads, city = [["s001", "s061"], ["s061", "s104"]], {"s104": {"kind": "city"}}
    match = people("solar_eclipse", roads=roads, buildings=city).play("temple s104")
    assert state(match, "Road action") == ["finished"]


def test_who_only_plans_is_not_told_how_far_another_has_come() -> None:
    assert state(people(), "Road action", 1) == []
    assert state(sun(), "Road action") == []


def test_a_change_is_noted_once_for_a_whole_part() -> None:
    note = say("x")
    assert Part(None, ("a", "b"), (), {"a": (note,), "b": (note,)}).notes == (note,)
