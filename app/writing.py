"""What templates can call: who is here, how to say things, where things are."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from babel.dates import format_date, get_day_names
from flask import Flask, current_app, g, request, url_for
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from app import accounts, facts, files, hues, i18n, who
from app.lru_cache import LruCache
from app.models import Player
from app.proxies import PASSED_ON, PEER
from app.services import Services, current
from engine.core.registry import games
from engine.core.sentence import Sentence

LOCAL = ("localhost", "127.0.0.1", "::1")
# What proxies add; whoever sends one of these did not come straight.
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REAL_IP",
)


def equip(app: Flask) -> None:
    """Gives every template its words."""
    app.jinja_env.filters.update(said=said, name=name, role=role, when=when, since=since)
    app.jinja_env.filters["fact"] = facts.proposal_sentence
    app.jinja_env.filters.update(day=day, weekday=weekday, painted=hues.painted)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    app.jinja_env.globals.update(url_for=address, csrf_token=form_token)
    app.context_processor(words)


def words() -> dict[str, Any]:
    return {
        "asset": files.asset,
        "games": games,
        "has_page": has_page,
        "here": here,
        "language": i18n.language_here(),
        "languages": i18n.LANGUAGES,
        "mailbox_open": mailbox_answers(current(), request.environ),
        "page_behind": page_behind,
        "player": who.player(),
    }


def address(endpoint: str, **values: Any) -> str:
    """`{{ url_for("match.turn", match_id=…) }}`: most pages lead to the same places again and again."""
    if endpoint.startswith(".") or "next" in values:  # which depend on the page that asks
        return url_for(endpoint, **values)
    key = (request.root_path, endpoint, *values.items())
    return ADDRESSES.get(key) or ADDRESSES.keep(key, url_for(endpoint, **values))


KEPT_LETTERS = 500_000
ADDRESSES: LruCache[tuple[Any, ...], str] = LruCache(KEPT_LETTERS, len)


def form_token() -> str:
    """`{{ csrf_token() }}`: all forms of a page hold the same, which Flask-WTF is slow to remember."""
    return str(g.get("csrf_token") or generate_csrf())


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


def mailbox_open(services: Services) -> bool:
    """Mails can be read on a page only where nobody but the machine's owner comes by."""
    settings = services.settings
    alone = urlsplit(settings.base_url).hostname in LOCAL and not services.https
    return settings.embedded and settings.smtp_host is None and alone


def mailbox_answers(services: Services, environ: Mapping[str, Any]) -> bool:
    """Whether this caller may read the mails: the socket's other end is this machine, and no proxy stands between.

    What a header says can only shut it: behind a proxy of this machine everybody's socket ends here.
    """
    passed_on = environ.get(PASSED_ON) or any(environ.get(name) for name in FORWARDED)
    if not mailbox_open(services) or passed_on:
        return False
    return is_loopback(str(environ.get(PEER) or environ.get("REMOTE_ADDR") or ""))


def is_loopback(address: str) -> bool:
    """Whether an address of the network is this machine's own, also where it is written as one of the other kind."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:  # a socket of files has none
        return False
    return (getattr(found, "ipv4_mapped", None) or found).is_loopback
