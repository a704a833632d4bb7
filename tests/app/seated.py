"""People at tables, for the tests of pages: a match as it stands, with somebody in every seat."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from app.clocks.clocks import arrange_clocks
from app.eventstore.store import save_match
from app.people.sessions import open_session
from app.platform import tables
from app.platform.services import Services
from engine.core import chain
from engine.core.match import Match, start, start_at
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.browser import Visitor

FIRST = "place triple e14 e16 d15"  # legal for whoever begins a match of Cuzco
# The last triple is still to be laid, and both have an Inca in the city of e14: a match of a few orders.
LATE = {
    "seats": 2,
    "tiles": [
        ["triple", "e14", "e16", "d15"],
        ["triple", "f13", "e12", "f11"],
        ["double", "g12", "g10"],
        ["village", "d13"],
        ["triple", "h19", "h21", "g20"],
        ["double", "j21", "j23"],
        ["triple", "i28", "h27", "h29"],
        ["triple", "c20", "b21", "c22"],
        ["triple", "l15", "k14", "k16"],
    ],
    "temples": {"e14": {"value": 4}},
    "incas": [["d13", "h21"], ["f13", "i28"]],
    "hands": [["kero", "tumi", "tumi+kero"], ["kero", "quipu+kero", "tumi"]],
    "open": "kero",
    "scores": [12, 14],
    "supply": {"triples": 1, "basins": 9},
}


def late_match(match_id: str = "latematch2", **changes: Any) -> Match:
    """A match of Cuzco that is nearly over."""
    return start_at(find("cuzco"), {**LATE, **changes}, "a seed for tests", match_id)


def played(
    orders: int, match_id: str = "playedout2", key: str = "cuzco", seats: int = 2, dice: int = 5
) -> Match:
    """A match after some random orders, or after all of them."""
    match = start(find(key), seats, {}, "a seed for tests", match_id)
    for _, later in zip(range(orders), random_acts(match, Random(dice)), strict=False):
        match = later
    return match


def seat(
    services: Services,
    match: Match,
    *players: int,
    public: bool = False,
    title: str = "A table",
    clocks: bool = False,
) -> str:
    """Writes a match as it stands into the store, with these people in its seats; its address.

    With `clocks` those who are asked have their time, as in a match that began here.
    """
    at = services.now()
    with services.database.session() as session:
        row = tables.Match(
            id=match.id,
            game=match.game.key,
            title=title,
            public=public,
            seats=len(players),
            hash=chain.GENESIS,
            owner_id=players[0],
            status="over" if match.over else "running",
            deadline=None if match.over else at + timedelta(hours=44),
            pace={"hours": 48},
            started_at=at,
            ended_at=at if match.over else None,
        )
        session.add(row)
        session.flush()
        for number, player in enumerate(players):
            session.add(tables.Seat(match_id=match.id, number=number, player_id=player))
        session.flush()
        if clocks:
            asked = match.game.to_act(match.state)
            arrange_clocks(session, match.id, asked, at, row.status, head=match.head)
        save_match(session.connection(), match, 0, at)
    return f"/m/{match.id}"


def come_in(app: Flask, email: str, name: str = "") -> Visitor:
    """A browser of somebody who signed in before: the mailed link has its own tests."""
    visitor = Visitor(app)
    visitor.email = email
    services = visitor.services
    with services.database.session() as session:
        player = tables.Player(email=email, name=name or email.partition("@")[0].title())
        session.add(player)
        session.flush()
        token = open_session(session, player, services.now())
    visitor.client.set_cookie("chasqui-session", token)
    return visitor


def two(app: Flask, match: Match, **more: Any) -> tuple[str, Visitor, Visitor]:
    """Ana in the first seat and Bo in the second."""
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    return seat(ana.services, match, my_id(ana), my_id(bo), **more), ana, bo


def judged(app: Flask, match: Match) -> tuple[str, Visitor, Visitor]:
    """Bo and Cy play; Ana owns the match and does not, so that she decides alone."""
    ana, bo, cy = (come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy"))
    where = seat(ana.services, match, my_id(bo), my_id(cy))
    own(ana, where)
    return where, ana, bo


def own(visitor: Visitor, where: str) -> None:
    """Puts a match into somebody's hands."""
    with visitor.services.database.session() as session:
        session.get_one(tables.Match, where.rpartition("/")[2]).owner_id = my_id(visitor)


def my_id(visitor: Visitor) -> int:
    return visitor.player.id or 0


# Filling in the forms of a page


def fields(page: str, action: str) -> Iterator[list[tuple[str, str]]]:
    """The hidden fields of every form on a page that leads to `action`."""
    for form in re.findall(
        rf'<form[^>]*action="{re.escape(action)}"[^>]*>(.*?)</form>', page, re.DOTALL
    ):
        found = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', form)
        yield [(name, html.unescape(value)) for name, value in found]


def sent(visitor: Visitor, page: str, action: str, number: int = 0, **more: Any) -> TestResponse:
    """Sends one of a page's forms as a browser would."""
    filled: dict[str, Any] = {}
    for name, value in list(fields(page, action))[number]:
        filled.setdefault(name, []).append(value)
    return visitor.client.post(action, data={**filled, **more})


def add(visitor: Visitor, where: str, order: str) -> TestResponse:
    """Adds an order to the draft, as it stands on the page now."""
    kept = {**now(visitor, where), "order": drafted(visitor, where)}
    return visitor.client.post(f"{where}/draft", data={**kept, "add": order})


def now(visitor: Visitor, where: str) -> dict[str, Any]:
    """What a form says of itself: its token, head and seat."""
    page = visitor.get(where).text
    (form, *_) = [f for f in fields(page, f"{where}/draft") if f] or [[]]
    return {name: value for name, value in form if name in ("csrf_token", "head", "seat")}


def drafted(visitor: Visitor, where: str) -> list[str]:
    """The orders of the draft, from the page."""
    page = visitor.get(where).text
    draft = page[page.index('id="draft"') :]
    return [
        html.unescape(order)
        for order in re.findall(r"<code>([^<]*)</code>", draft.partition("</section>")[0])
    ]


def commit(visitor: Visitor, where: str, *orders: str, **more: Any) -> TestResponse:
    """Commits these orders for the position that the page shows."""
    return visitor.client.post(
        f"{where}/commit", data={**now(visitor, where), "order": list(orders), "key": "k", **more}
    )


def links(page: str) -> list[str]:
    """Where a page leads to."""
    found = (html.unescape(link) for link in re.findall(r'href="(/[^"#]*)', page))
    return [link for link in found if not link.startswith("/static/")]
