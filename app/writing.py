"""What templates can call: who is here, how to say things, where things are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from babel.dates import format_date, get_day_names
from flask import Flask, current_app, request
from markupsafe import Markup

from app import accounts, facts, files, i18n, who
from app.models import Player
from app.services import Services, current
from engine.core.registry import games
from engine.core.sentence import Sentence

LOCAL = ("localhost", "127.0.0.1", "::1")


def equip(app: Flask) -> None:
    """Gives every template its words."""
    app.jinja_env.filters.update(said=said, name=name, role=role, when=when, since=since)
    app.jinja_env.filters.update(day=day, weekday=weekday)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.context_processor(words)


def words() -> dict[str, Any]:
    return {
        "asset": files.asset,
        "games": games,
        "has_page": has_page,
        "here": here,
        "language": i18n.language_here(),
        "languages": i18n.LANGUAGES,
        "mailbox_open": mailbox_open(current()),
        "player": who.player(),
    }


def said(sentence: Sentence | str, names: Mapping[int, str] | None = None) -> str:
    """`{{ sentence|said(names) }}`: a Sentence in the reader's language."""
    return i18n.translate(sentence, names)


def name(player: Player | None) -> str:
    """`{{ player|name }}`: what a player is called."""
    return i18n.translate(accounts.display_name(player))


def role(key: str) -> str:
    """`{{ key|role }}`: as what somebody did something to a match."""
    return i18n.translate(facts.called(key))


def when(at: datetime | None) -> str | Markup:
    """`{{ at|when }}`: a point in time in the reader's zone, with the exact moment for machines."""
    if at is None:
        return ""
    shown = i18n.moment(at, i18n.language_here(), who.zone())
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), shown)


def day(on: date) -> str:
    """`{{ on|day }}`: a day of the calendar, in the reader's language."""
    return str(format_date(on, locale=i18n.language_here()))


def weekday(number: int) -> str:
    """`{{ 0|weekday }}`: Monday, in the reader's language."""
    return str(get_day_names(locale=i18n.language_here())[number])


def since(at: datetime | None) -> str | Markup:
    """`{{ at|since }}`: how far away it is, with the exact time to point at."""
    if at is None:
        return ""
    language = i18n.language_here()
    shown = i18n.distance(at, current().now(), language)
    exact = i18n.moment(at, language, who.zone())
    return Markup('<time datetime="{}" title="{}">{}</time>').format(at.isoformat(), exact, shown)


def has_page(endpoint: str) -> bool:
    """Whether somebody has built that page."""
    return endpoint in current_app.view_functions


def here() -> str:
    """This page's address, to come back to; of a page that only forms lead to, the home page's."""
    return request.full_path.rstrip("?") if request.method == "GET" else "/"


def mailbox_open(services: Services) -> bool:
    """Mails can be read on a page only where nobody but the machine's owner comes by."""
    settings = services.settings
    alone = urlsplit(settings.base_url).hostname in LOCAL
    return settings.embedded and settings.smtp_host is None and alone
