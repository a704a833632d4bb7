"""The players' help: its pictures can be drawn, its example orders are legal, every language tells the same."""

from __future__ import annotations

import json
import re
from functools import cache

import pytest

from app.platform.i18n import LANGUAGES
from engine.core.manual import manual
from engine.core.match import play, start_at
from engine.core.registry import games

TRANSLATED = [(key, language) for key in games() for language in LANGUAGES if language != "en"]


@cache
def blocks(key: str, kind: str, language: str = "en") -> dict[str, str]:
    """The fenced blocks of one kind in the help of a game, by name."""
    text = manual(games()[key], language)
    return dict(re.findall(rf"```{kind} (\w+)\n(.*?)```", text, re.DOTALL))


def found(pattern: str, key: str, language: str) -> list[str]:
    return re.findall(pattern, manual(games()[key], language), re.MULTILINE)


CASES = [(key, name) for key in games() for name in blocks(key, "position")]


@pytest.mark.parametrize("key", games())
def test_every_picture_has_its_position(key: str) -> None:
    pictures = re.findall(r"!\[.+?\]\((?:board|close):(\w+)\)", manual(games()[key]))
    assert len(pictures) >= 3
    assert set(pictures) | set(blocks(key, "orders")) <= set(blocks(key, "position"))


@pytest.mark.parametrize(("key", "name"), CASES)
def test_positions_are_drawn_and_example_orders_are_legal(key: str, name: str) -> None:
    game = games()[key]
    match = start_at(game, json.loads(blocks(key, "position")[name]), "help")
    assert game.render(game.view(match.state, None), str).startswith("<svg")
    for order in blocks(key, "orders").get(name, "").split("\n"):
        if order.strip():
            match = play(match, game.to_act(match.state)[0], order)


@pytest.mark.parametrize(("key", "language"), TRANSLATED)
def test_every_language_shows_the_same_examples(key: str, language: str) -> None:
    for kind in ("position", "orders"):
        assert blocks(key, kind, language) == blocks(key, kind)
        assert list(blocks(key, kind, language)) == list(blocks(key, kind))
    drawn = r"\((board|close):(\w+)\)"
    assert found(drawn, key, language) == found(drawn, key, "en")


@pytest.mark.parametrize(("key", "language"), TRANSLATED)
def test_every_language_tells_the_same_and_in_its_own_words(key: str, language: str) -> None:
    headings, ours = (found(r"^#+ .+$", key, tongue) for tongue in ("en", language))
    assert [line.count("#") for line in ours] == [line.count("#") for line in headings]
    assert sum(a != b for a, b in zip(ours, headings, strict=True)) > len(ours) / 2
    for pattern in (r"^\|.*\|$", r"^- "):  # the rows of tables, the points of lists
        assert len(found(pattern, key, language)) == len(found(pattern, key, "en"))


@pytest.mark.parametrize(("key", "language"), TRANSLATED)
def test_every_language_names_the_same_orders_and_places(key: str, language: str) -> None:
    code = r"`([a-z_][^`\n]*)`"  # orders stay as they are in every language
    assert found(code, key, language) == found(code, key, "en")
    place = r"\b[a-o]\d{1,2}\b"
    assert sorted(found(place, key, language)) == sorted(found(place, key, "en"))


SILENT = {
    "en": "## Where the booklet is silent",
    "fr": "## Là où le livret se tait",
    "pt_BR": "## Onde o livreto se cala",
}


@pytest.mark.parametrize("key", ["cuzco", "inka", "java", "tahuantinsuyu"])  # games out of a box
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_ends_with_what_the_booklet_leaves_open(key: str, language: str) -> None:
    assert found(r"^## .+$", key, language)[-1] == SILENT[language]
