"""C-D: drawing festival cards."""

from engine.core.secrecy import redact
from engine.cuzco.events import CardDrawn, CardTurned, OpenCardTaken
from tests.games.table import cuzco


def test_the_open_card_is_taken_and_replaced_at_once_from_the_pile() -> None:  # C-D1
    table = cuzco("turn A ap 1 laid; open tumi; pile kero").play("draw open")
    assert (table.hand("A"), table.ap) == (["tumi"], 0)
    assert (table.state["open"], table.state["pile"]) == ("kero", [])
    assert table.event(OpenCardTaken).card == "tumi"


def test_an_unseen_card_comes_from_the_pile() -> None:  # C-D1
    table = cuzco("turn A ap 1 laid; open tumi; pile kero").play("draw pile")
    assert (table.hand("A"), table.ap) == (["kero"], 0)
    assert (table.state["open"], table.state["pile"]) == ("tumi", [])


def test_only_who_drew_it_knows_the_card() -> None:  # C-D1
    drawn = cuzco("turn A laid; pile kero").play("draw pile").event(CardDrawn)
    assert [redact(drawn, seat).card for seat in (0, 1, None)] == ["kero", None, None]


def test_a_draw_needs_an_action_point() -> None:  # C-D1
    table = cuzco("turn A ap 0 laid; open tumi")
    table.refuses("draw open", "C-D1", "costs 1 AP; you have 0")
    table.refuses("draw pile", "C-D1", "costs 1 AP; you have 0")


def test_at_most_two_cards_are_drawn_a_turn() -> None:  # C-D1
    table = cuzco("turn A laid; open tumi").play("draw open", "draw pile")
    table.refuses("draw open", "C-D1", "You have drawn 2 cards")
    table.refuses("draw pile", "C-D1", "You have drawn 2 cards")
    assert len(table.hand("A")) == 2


def test_the_next_turn_may_draw_again() -> None:  # C-D1
    table = cuzco("turn A laid; open tumi").play("draw pile", "draw pile", "end")
    table.play("place crop k8", "draw pile", "draw open")


def test_an_empty_pile_is_made_of_the_discards_when_a_card_is_drawn() -> None:  # C-D2
    table = cuzco("turn A laid; open tumi; pile; discard kero kero").play("draw pile")
    assert table.event(CardDrawn).refilled
    assert table.hand("A") == ["kero"]
    state = table.state
    assert (state["open"], state["pile"], state["discard"]) == ("tumi", ["kero"], [])


def test_the_open_card_too_is_replaced_from_the_discards() -> None:  # C-D2
    table = cuzco("turn A laid; open tumi; pile; discard kero kero").play("draw open")
    assert table.event(CardTurned).refilled
    state = table.state
    assert (table.hand("A"), state["open"]) == (["tumi"], "kero")
    assert (state["pile"], state["discard"]) == (["kero"], [])


def test_the_discards_stay_while_the_pile_lasts() -> None:  # C-D2
    table = cuzco("turn A laid; open tumi; pile quipu; discard kero").play("draw pile")
    assert not table.event(CardDrawn).refilled
    assert (table.hand("A"), table.state["discard"]) == (["quipu"], ["kero"])
    assert table.state["pile"] == []


def test_after_a_festival_the_new_open_card_may_come_from_the_discards() -> None:  # C-D2
    city = "turn A ap 0 laid; villages k8 k10; temple k10 2; A at k8"
    table = cuzco(f"{city}; open tumi; pile; A hand tumi+kero").play("festival k10 tumi+kero")
    state = table.state
    assert (state["open"], state["pile"], state["discard"]) == ("tumi+kero", [], ["tumi"])


def test_with_pile_and_discards_empty_nothing_can_be_drawn() -> None:  # C-D3
    table = cuzco("turn A laid; open tumi; pile; discard")
    table.refuses("draw pile", "C-D3", "hold 0 cards")
    table.refuses("draw open", "C-D3", "hold 0 cards")


def test_without_an_open_card_only_the_pile_gives_cards() -> None:  # C-D3
    table = cuzco("turn A laid; pile tumi")
    table.refuses("draw open", "C-D3", "No card lies open")
    table.play("draw pile")


def test_without_an_open_card_no_festival_can_be_proposed() -> None:  # C-D3
    table = cuzco("turn A laid; villages k8 k10; temple k10 2; A at k8; A hand tumi")
    table.refuses("festival k10 tumi", "C-D3", "No card lies open")
