"""The rulebooks' own terms, one glossary for each language: help pages and catalogs keep to it."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from engine.core.manual import manual
from engine.core.registry import games

TRANSLATIONS = Path(__file__).resolve().parent.parent / "app" / "translations"
LANGUAGES = ("fr", "pt_BR")
TERMS: list[dict[str, Any]] = tomllib.loads(TRANSLATIONS.joinpath("glossary.toml").read_text())[
    "term"
]
CASES = [
    pytest.param(term, game, language, id=f"{term['english']}-{game}-{language}")
    for term in TERMS
    for game in term["games"]
    for language in LANGUAGES
]


def says(text: str, word: str) -> bool:
    """Whether a text has the word, or its plural, whatever its capitals."""
    return re.search(rf"\b{re.escape(word)}(?:s|x|es)?\b", text, re.IGNORECASE) is not None


def prose(game: str, language: str) -> str:
    """A help page without its positions and orders."""
    return re.sub(r"```.*?```", "", manual(games()[game], language), flags=re.DOTALL)


@cache
def catalog(language: str) -> list[tuple[set[str], str]]:
    """What a catalog says, each with the games whose code it comes from; those shared with the pages are not listed."""
    path = TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"
    with path.open("rb") as file:
        messages = list(read_po(file))
    found = []
    for message in messages:
        places = {Path(place).parts[:2] for place, _ in message.locations}
        if places and all(top == "engine" for top, *_ in places):
            said = message.string if isinstance(message.string, str) else " ".join(message.string)
            found.append(({part for _, part in places}, said))
    return found


def family(game: str) -> set[str]:
    """Where the sentences of a game come from: a child speaks with its parent's."""
    return {game, games()[game].parent or game}


def test_every_game_has_terms_in_every_language() -> None:
    ours = {game for game in games() if (TRANSLATIONS.parent.parent / "engine" / game).is_dir()}
    assert {game for term in TERMS for game in term["games"]} == ours
    for term in TERMS:
        for language in LANGUAGES:
            assert term[language].keys() == {"term", "never"}


@pytest.mark.parametrize(("term", "game", "language"), CASES)
def test_the_help_page_uses_the_term(term: dict[str, Any], game: str, language: str) -> None:
    text = prose(game, language)
    assert says(text, term[language]["term"])
    assert [word for word in term[language]["never"] if says(text, word)] == []


@pytest.mark.parametrize(("term", "game", "language"), CASES)
def test_the_catalog_avoids_what_the_books_do_not_say(
    term: dict[str, Any], game: str, language: str
) -> None:
    """Sentences that only games of the term's own use; what two games share may mean either's thing."""
    own = [said for where, said in catalog(language) if where <= set(term["games"]) & family(game)]
    assert [
        (word, said) for said in own for word in term[language]["never"] if says(said, word)
    ] == []


@pytest.mark.parametrize(("language", "word"), [("fr", "e-mail"), ("fr", "bot"), ("pt_BR", "bot")])
def test_what_has_a_name_in_a_language_is_not_called_otherwise(language: str, word: str) -> None:
    """French writes “courriel”, and bots are “robots” and “robôs”."""
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        told = [str(message.string) for message in read_po(file) if message.id]
    bare = [re.sub(r"\{\w+\}|%\(\w+\)s", "", said) for said in told]
    assert [said for said in bare if says(said, word)] == []
