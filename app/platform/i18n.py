"""Translation: sentences, dates and distances in the language of the one who reads them.

The catalogs are read as translators write them (`messages.po`): nothing is compiled, so nothing can be stale.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, tzinfo
from functools import cache, lru_cache
from io import BytesIO
from operator import itemgetter
from typing import Any
from zoneinfo import ZoneInfo

from babel import Locale
from babel.dates import format_datetime, format_timedelta
from babel.support import NullTranslations, Translations
from flask import g, has_request_context
from flask_babel import Domain, get_locale, refresh
from jinja2 import Environment
from markupsafe import Markup

from app.platform.paths import TRANSLATIONS
from app.platform.tables import Language
from engine.core.sentence import Seat, Sentence

SOURCE: Language = "en"
LANGUAGES: dict[Language, str] = {"en": "English", "fr": "Français", "pt_BR": "Português"}
LOCALES = {language: Locale.parse(language) for language in LANGUAGES}
BY_LOCALE = {locale: language for language, locale in LOCALES.items()}
BY_TAG = {language.partition("_")[0]: language for language in LANGUAGES}


@cache
def load_catalog(language: str) -> NullTranslations:
    """All that is said in a language; of one that we do not speak, nothing."""
    path = TRANSLATIONS / language / "LC_MESSAGES" / "messages.po"
    if language not in LANGUAGES or not path.exists():
        return NullTranslations()
    from babel.messages.mofile import write_mo  # noqa: PLC0415 - a start reads no catalog
    from babel.messages.pofile import read_po  # noqa: PLC0415 - the same

    compiled = BytesIO()
    with path.open("rb") as file:
        write_mo(compiled, read_po(file, locale=language))
    compiled.seek(0)
    return Translations(compiled)


class Catalogs(Domain):  # type: ignore[misc]  # Flask-Babel has no types
    """Flask-Babel's way to our catalogs, so that `_()` in a page and `translate` agree."""

    def get_translations(self) -> NullTranslations:
        return load_catalog(language_here())


def language_here() -> Language:
    """The language of the request that is being answered; a page asks a hundred times, so it is kept."""
    try:
        # Past the proxy, which would take ten times as long to find it.
        kept: Language = g._get_current_object().language
    except (AttributeError, RuntimeError):  # not asked for yet, or nobody asks at all
        kept = BY_LOCALE.get(get_locale(), SOURCE)
        if has_request_context():
            g.language = kept
    return kept


def choose_again() -> None:
    """Forgets the language of this request, for who is asking has changed."""
    g.pop("language", None)
    refresh()


def speak_in_pages(environment: Environment) -> None:
    """Lets `_()` in templates ask our catalogs straight away: Flask-Babel goes a long way round, and so does Jinja."""
    environment.install_gettext_callables(  # type: ignore[attr-defined]  # of Jinja's i18n extension
        said_in_page, counted_in_page, newstyle=True
    )
    environment.globals.update(_=said_in_page, gettext=said_in_page, ngettext=counted_in_page)


def said_in_page(words: str, **values: Any) -> Markup:
    """`{{ _("Hello %(name)s", name=…) }}`; a page says a hundred things, most of them always the same."""
    language = language_here()
    return translate_in_page(language, words) % values if values else whole_in_page(language, words)


def counted_in_page(one: str, many: str, n: int, **values: Any) -> Markup:
    return Markup(load_catalog(language_here()).ngettext(one, many, n)) % {"num": n, **values}  # noqa: S704 - our own words


@cache
def translate_in_page(language: Language, words: str) -> Markup:
    return Markup(load_catalog(language).gettext(words))  # noqa: S704 - our own words


@cache
def translate_in_text(language: Language, words: str) -> str:
    return load_catalog(language).gettext(words)


@cache
def whole_in_page(language: Language, words: str) -> Markup:
    return translate_in_page(language, words) % {}


def nearest_language(wishes: Iterable[tuple[str, float]]) -> Language:
    """The language of ours that suits a browser best, by its Accept-Language; its region does not matter."""
    for tag, quality in sorted(wishes, key=itemgetter(1), reverse=True):
        if quality > 0 and (language := BY_TAG.get(tag.lower().partition("-")[0])):
            return language
    return SOURCE


def translate_sentence(
    said: Sentence | str, names: Mapping[int, str] | None = None, language: str | None = None
) -> str:
    """A sentence in the reader's language, with the players' names in place of the seats' letters."""
    if not isinstance(said, Sentence):
        return said
    spoken = language or language_here()
    values = {key: tell_value(value, names, spoken) for key, value in said.values.items()}
    template = find_template(said, spoken)
    return (elide(template, values) if spoken == "fr" else template).format_map(values)


# What the catalog cannot know: whether a name begins with a vowel (of h and y nobody knows). Letters of seats stand for names, and are left alone.
BEFORE_VALUE = re.compile(r"\b([dD]|[qQ]u)e \{(\w+)\}")
VOWELS = frozenset("aeiouàâäéèêëîïôöùûüœæAEIOUÀÂÄÉÈÊËÎÏÔÖÙÛÜŒÆ")


def elide(template: str, values: Mapping[str, str]) -> str:
    """A French template with "d’" and "qu’" before the values that ask for it."""

    def joined(found: re.Match[str]) -> str:
        value = values.get(found[2], "")
        return f"{found[1]}’{{{found[2]}}}" if len(value) > 1 and value[0] in VOWELS else found[0]

    return BEFORE_VALUE.sub(joined, template) if "e {" in template else template


def find_template(said: Sentence, language: str) -> str:
    words = load_catalog(language)
    if said.many:
        return words.ngettext(said.one, said.many, said.values["n"])
    return words.gettext(said.one) if said.one else ""  # gettext("") is the catalog's head


def tell_value(value: Any, names: Mapping[int, str] | None, language: str) -> str:
    """A value inside a sentence."""
    match value:
        case Sentence():
            return translate_sentence(value, names, language)
        case Seat(number):
            return (names or {}).get(number, str(value))
        case datetime():
            return format_moment(value, language, ZoneInfo("UTC"))
    return str(value)


@lru_cache(maxsize=1000)
def format_moment(at: datetime, language: str, zone: tzinfo) -> str:
    """A point in time as people write it, in their zone and with its distance from UTC; deadlines are told often."""
    offset = "ZZZZ" if at.astimezone(zone).utcoffset() else "'UTC'"
    return format_datetime(at, f"EEE d MMM y, HH:mm {offset}", tzinfo=zone, locale=language)


def format_distance(at: datetime, now: datetime, language: str) -> str:
    """How far away a point in time is: "in 3 hours", "2 days ago"."""
    return format_timedelta(at - now, add_direction=True, locale=language)


def format_span(span: timedelta, language: str) -> str:
    """How long something took: "3 hours", "2 days"."""
    return str(format_timedelta(span, locale=language))
