"""Cards are drawn for pages: each by itself, alike by day and by night, and none like another."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from engine.core.game import Game
from engine.core.registry import find, games
from engine.tahuantinsuyu.text.names import CARDS

drawing = pytest.mark.parametrize(
    "game", [game for game in games().values() if game.cards], ids=lambda game: game.key
)
RELICS = {"cuzco": ("tumi", "quipu", "kero"), "java": ("mask", "drum", "puppet")}


@pytest.mark.parametrize("key", sorted(RELICS))
def test_every_kind_of_festival_card_is_drawn(key: str) -> None:  # C-S4
    one, other, third = RELICS[key]
    pairs = {f"{one}+{other}", f"{one}+{third}", f"{other}+{third}"}
    assert set(find(key).cards) == {one, other, third} | pairs


def test_all_sun_cards_are_drawn_and_say_what_they_change() -> None:
    cards = find("tahuantinsuyu").cards
    assert set(cards) == set(CARDS)
    assert len(cards) == 21
    assert all(card.text for card in cards.values())


@drawing
def test_a_card_needs_no_style_sheet_and_no_page_around_it(game: Game) -> None:
    for word, card in game.cards.items():
        parts = [*ElementTree.fromstring(f"<svg>{card.picture}</svg>").iter()][1:]  # noqa: S314 - our own
        used = {name for part in parts for name in part.attrib}
        assert parts, word
        assert not used & {"class", "style", "id", "href"}, word


@drawing
def test_no_card_looks_or_is_called_like_another(game: Game) -> None:
    assert len({card.picture for card in game.cards.values()}) == len(game.cards)
    assert len({str(card.name) for card in game.cards.values()}) == len(game.cards)
