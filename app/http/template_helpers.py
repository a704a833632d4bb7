"""Jinja globals and filters: who is here, how to say things, where things are."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date, datetime, timedelta
from typing import Any

from babel.dates import format_date, get_day_names
from babel.numbers import format_decimal
from flask import Flask, current_app, g, request, url_for
from markupsafe import Markup

from app.http.auth import choose_timezone, current_player
from app.http.compression import form_token
from app.http.proxies import PASSED_ON, PEER
from app.http.static_files import asset_address
from app.mail.local_mailbox import mailbox_is_open
from app.matches.waiting import list_waiting
from app.people.accounts import display_name
from app.platform.errors import Busy
from app.platform.i18n import (
    LANGUAGES,
    format_distance,
    format_moment,
    format_span,
    language_here,
    translate_sentence,
)
from app.platform.lru_cache import LruCache
from app.platform.networks import read_address
from app.platform.services import Services, current_services
from app.platform.tables import Player
from app.views.event_text import name_role, proposal_sentence
from app.views.help_pages import list_clauses
from app.views.scenes import card_of
from app.views.seat_colours import colour_classes
from engine.core.registry import games
from engine.core.sentence import Sentence

# What proxies add; whoever sends one of these did not come straight.
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


def equip_templates(app: Flask) -> None:
    """Gives every template its words."""
    app.jinja_env.filters.update(said=said, name=name, role=role, when=when, since=since)
    app.jinja_env.filters.update(fact=proposal_sentence, lasting=lasting)
    app.jinja_env.filters.update(day=day, weekday=weekday, painted=colour_classes)
    app.jinja_env.filters.update(card_word=card_of, decimal=decimal)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(url_for=cached_url_for, csrf_token=form_token)
    app.context_processor(words)


def words() -> dict[str, Any]:
    return {
        "asset": asset_address,
        "games": games,
        "has_page": has_page,
        "here": here,
        "language": language_here(),
        "languages": LANGUAGES,
        "clause_address": clause_address,
        "base_url": current_services().settings.base_url,
        "mailbox_open": mailbox_answers(current_services(), request.environ),
        "page_behind": page_behind,
        "player": current_player(),
        "waiting": waiting_matches,
    }


def cached_url_for(endpoint: str, **values: Any) -> str:
    """`{{ url_for("match.turn", match_id=…) }}`: most pages lead to the same places again and again."""
    if endpoint.startswith(".") or "next" in values:  # which depend on the page that asks
        return url_for(endpoint, **values)
    key = (request.root_path, endpoint, *values.items())
    return ADDRESSES.get(key) or ADDRESSES.keep(key, url_for(endpoint, **values))


KEPT_LETTERS = 500_000
ADDRESSES: LruCache[tuple[Any, ...], str] = LruCache(KEPT_LETTERS, len)


def said(sentence: Sentence | str, names: Mapping[int, str] | None = None) -> str:
    """`{{ sentence|said(names) }}`: a Sentence in the reader's language."""
    return translate_sentence(sentence, names)


def decimal(number: float, *, signed: bool = False) -> str:
    """`{{ 1.25|decimal }}`: with one digit, as the reader writes it."""
    return format_decimal(number, "+0.0;-0.0" if signed else "0.0", language_here())


def clause_address(key: str, rule: str) -> str | None:
    """Where the rules of a game state the clause that a refusal names."""
    stated = rule in list_clauses(key)
    return cached_url_for("help.clause", key=key, name=rule) if stated else None


def name(player: Player | None) -> str:
    """`{{ player|name }}`: what a player is called."""
    return translate_sentence(display_name(player))


def role(key: str) -> str:
    """`{{ key|role }}`: as what somebody did something to a match."""
    return translate_sentence(name_role(key))


def when(at: datetime | None) -> str | Markup:
    """`{{ at|when }}`: a point in time in the reader's zone, with the exact moment for machines."""
    if at is None:
        return ""
    shown = format_moment(at, language_here(), choose_timezone())
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(), shown)


def day(on: date) -> str:
    """`{{ on|day }}`: a day of the calendar, in the reader's language."""
    return str(format_date(on, locale=language_here()))


def weekday(number: int) -> str:
    """`{{ 0|weekday }}`: Monday, in the reader's language."""
    return str(get_day_names(locale=language_here())[number])


def since(at: datetime | None) -> str | Markup:
    """`{{ at|since }}`: how far away it is, with the exact time to point at."""
    if at is None:
        return ""
    language = language_here()
    shown = format_distance(at, current_services().now(), language)
    exact = format_moment(at, language, choose_timezone())
    return Markup('<time datetime="{}" title="{}">{}</time>').format(at.isoformat(), exact, shown)


def waiting_matches() -> list[str]:
    """`{{ waiting() }}`: the matches that wait for whoever is signed in, the most urgent first."""
    someone = current_player()
    if someone is None or someone.id is None:
        return []
    if "waiting" not in g:
        g.waiting = []
        with suppress(Busy), current_services().database.read() as connection:
            g.waiting = list_waiting(connection, someone.id)
    found: list[str] = g.waiting
    return found


def lasting(span: timedelta) -> str:
    """`{{ span|lasting }}`: how long something took, in the reader's language."""
    return format_span(span, language_here())


def page_behind() -> str:
    """The page of the form that was sent: where to go on after signing in again."""
    path, pages = request.path, current_app.create_url_adapter(request)
    while pages and path and not pages.test(path, "GET"):
        path = path.rpartition("/")[0]
    return path or "/"


def has_page(endpoint: str) -> bool:
    """Whether somebody has built that page."""
    return endpoint in current_app.view_functions


def here() -> str:
    """This page's address, to come back to; of a page that only forms lead to, the home page's."""
    return request.full_path.rstrip("?") if request.method == "GET" else "/"


def mailbox_answers(services: Services, environ: Mapping[str, Any]) -> bool:
    """Whether this caller may read the mails: the socket's other end is this machine, and no proxy stands between.

    What a header says can only shut it: behind a proxy of this machine everybody's socket ends here.
    """
    passed_on = environ.get(PASSED_ON) or any(environ.get(name) for name in FORWARDED)
    if not mailbox_is_open(services) or passed_on:
        return False
    return is_loopback(str(environ.get(PEER) or environ.get("REMOTE_ADDR") or ""))


def is_loopback(address: str) -> bool:
    """Whether an address of the network is this machine's own, also where it is written as one of the other kind."""
    found = read_address(address.partition("%")[0])  # a socket of files has none
    return found is not None and found.is_loopback
