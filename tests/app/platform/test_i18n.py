"""Everything that is said can be said in every language, with the same values in it."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from babel.messages import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from babel.messages.pofile import read_po
from werkzeug.datastructures import LanguageAccept

from app.platform.errors import Stale
from app.platform.i18n import LANGUAGES, SOURCE, format_moment, nearest_language, translate_sentence
from app.platform.paths import TRANSLATIONS
from engine.core.sentence import Seat, say
from tests.app.browser import Visitor
from tests.french_spaces import RULES, space_french

ROOT = Path(__file__).resolve().parents[3]
TRANSLATED = [language for language in LANGUAGES if language != SOURCE]
PLACES = re.compile(r"\{(\w+)\}|%\((\w+)\)s")
Said = str | tuple[str, ...]


@cache
def sentences() -> frozenset[Said]:
    """Every template in the code, the pages and the mails; a pair where something is counted."""
    with (ROOT / "babel.cfg").open() as file:
        methods, options = parse_mapping_cfg(file)
    found = extract_from_dir(ROOT, methods, options, directory_filter=ours)
    return frozenset(message for _, _, message, *_ in found)


def ours(folder: str) -> bool:
    """Whether a folder may hold sentences: the walk need not visit every environment on the way."""
    top = Path(folder).relative_to(ROOT).parts[:1]
    return top in [(name,) for name in ("app", "engine", "workers", "templates")]


@cache
def catalog(language: str) -> Catalog:
    with (TRANSLATIONS / language / "LC_MESSAGES" / "messages.po").open("rb") as file:
        return read_po(file, locale=language)


def entries(language: str) -> dict[Said, Any]:
    return {message.id: message for message in catalog(language) if message.id}


def places(text: str) -> set[str]:
    return {a or b for a, b in PLACES.findall(text)}


def test_the_code_is_heard() -> None:
    assert "{seat} dropped out of the festival." in sentences()  # describe
    assert ("{seat} was dealt {n} card.", "{seat} was dealt {n} cards.") in sentences()
    assert "Skip to the content" in sentences()  # a page
    assert "You are signed in." in sentences()  # a notice
    assert (
        "In a festival even those with only one possible answer are asked, so that silence tells nothing."
        in sentences()
    )
    assert "Hello," in sentences()  # a mail


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_left_unsaid(language: str) -> None:
    """`make translations` puts what is missing into the catalogs."""
    said = {key for key, message in entries(language).items() if all(forms(message))}
    assert sorted(map(str, sentences() - said)) == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_nothing_is_said_that_nobody_asks_for(language: str) -> None:
    assert sorted(map(str, entries(language).keys() - sentences())) == []
    assert [message.id for message in catalog(language) if message.id and message.fuzzy] == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_has_the_same_values_in_it(language: str) -> None:
    wrong = [
        (message.id, form)
        for message in entries(language).values()
        for form in forms(message)
        if places(form) != places(message.id if isinstance(message.id, str) else message.id[-1])
    ]
    assert wrong == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_translation_ends_as_its_sentence_does(language: str) -> None:
    ends = str.maketrans({" ": "", "\u00a0": "", "\u202f": ""})
    wrong = [
        (message.id, form)
        for message in entries(language).values()
        for form in forms(message)
        for english in [message.id if isinstance(message.id, str) else message.id[-1]]
        if (english[-1] in ".:?!…") != (form.translate(ends)[-1:] in tuple(".:?!…"))
    ]
    assert wrong == []


def test_no_french_line_begins_with_a_sign() -> None:
    """`python -m tests.french_spaces` mends them, and so does `make translations`."""
    told = [form for message in entries("fr").values() for form in forms(message)]
    assert [form for form in told if form != space_french(form)] == []
    rules = {path: path.read_text(encoding="utf-8") for path in RULES}
    assert [path for path, text in rules.items() if text != space_french(text)] == []


def forms(message: Any) -> tuple[str, ...]:
    return (message.string,) if isinstance(message.string, str) else tuple(message.string)


# Saying it


def test_a_sentence_is_said_with_names_for_seats() -> None:
    said = say("{seat} agreed to share.", seat=Seat(1))
    assert translate_sentence(said, {1: "Ana"}, "en") == "Ana agreed to share."
    assert translate_sentence(said, None, "en") == "B agreed to share."
    assert translate_sentence(said, {1: "Ana"}, "fr") == "Ana a accepté de partager."


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("Ana", "allonge le chemin d’Ana"),
        ("Élie", "allonge le chemin d’Élie"),
        ("Bo", "allonge le chemin de Bo"),
        ("A", "allonge le chemin de A"),  # a letter that stands for a name
    ],
)
def test_french_joins_what_begins_with_a_vowel(name: str, told: str) -> None:
    said = say("lengthens the way of {seat}", seat=Seat(0))
    assert translate_sentence(said, {0: name}, "fr") == told


def test_a_sentence_inside_a_sentence_is_translated_too() -> None:
    said = say("{seat} built a {temple} of {value} on {at} and scored {points} PP.")
    values = {"seat": Seat(0), "temple": say("temple"), "value": 4, "at": "e14", "points": 2}
    assert "templo" in translate_sentence(type(said)(said.one, None, values), None, "pt_BR")


@pytest.mark.parametrize(("count", "word"), [(0, "carte."), (1, "carte."), (2, "cartes.")])
def test_counting_follows_the_language(count: int, word: str) -> None:
    said = say("{seat} was dealt {n} card.", "{seat} was dealt {n} cards.", seat=Seat(0), n=count)
    assert translate_sentence(said, None, "fr").endswith(word)


def test_values_are_text_and_nothing_else() -> None:
    said = say("{seat} agreed to share.", seat=Seat(0))
    assert translate_sentence(said, {0: "{seat.__class__} %(x)s"}, "en").startswith(
        "{seat.__class__} %(x)s"
    )


def test_a_language_that_we_do_not_speak_is_english() -> None:
    assert translate_sentence(Stale(7).sentence, None, "xx") == str(Stale(7))
    assert translate_sentence(Stale(7).sentence, None, "../../../etc") == str(Stale(7))


def test_a_moment_is_told_in_the_zone_of_the_reader() -> None:
    noon = datetime(2026, 3, 29, 12, tzinfo=UTC)
    assert format_moment(noon, "en", ZoneInfo("America/Lima")) == "Sun 29 Mar 2026, 07:00 GMT-05:00"
    assert format_moment(noon, "en", ZoneInfo("UTC")) == "Sun 29 Mar 2026, 12:00 UTC"
    assert (
        format_moment(noon, "fr", ZoneInfo("Europe/Paris")) == "dim. 29 mars 2026, 14:00 UTC+02:00"
    )


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        ("fr-CH, en;q=0.5", "fr"),
        ("pt", "pt_BR"),
        ("pt-PT", "pt_BR"),
        ("de, en;q=0.3", "en"),
        ("de", "en"),
        ("", "en"),
    ],
)
def test_a_browser_gets_the_nearest_language(wishes: str, language: str) -> None:
    pairs = [part.partition(";q=")[::2] for part in wishes.split(", ") if part]
    assert nearest_language(LanguageAccept([(tag, float(q or 1)) for tag, q in pairs])) == language


def test_the_choice_outlasts_the_browsers_wish_and_the_account_outlasts_both(
    client: Visitor,
) -> None:
    asks = {"headers": {"Accept-Language": "fr"}}
    assert '<html lang="fr">' in client.get("/", **asks).text
    client.post("/language", {"language": "pt_BR"})
    assert '<html lang="pt-BR">' in client.get("/", **asks).text
    client.sign_in("ana@example.org")
    client.post("/language", {"language": "en"})
    client.client.set_cookie("chasqui-language", "fr")
    assert '<html lang="en">' in client.get("/", **asks).text
    assert client.player.language == "en"
