"""WSGI middleware with a cache of turn pages: one that has not changed is answered before Flask is asked.

A page goes by a name that says all it was made from: what it shows, and everything in the request that could make it
another. Flask gives names away, to those who may look and whose form cookie is sound; here they are only known again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from datetime import datetime
from time import perf_counter
from typing import Any, NamedTuple

from flask import Flask
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError
from werkzeug.http import parse_cookie

from app.eventstore.store import MATCH_ID
from app.http.metrics import Meter
from app.http.page_fingerprint import PAGES, load_shown, seal_fingerprint
from app.http.rate_limit_memory import Tally
from app.http.request_log import log_request_line
from app.http.security import cookie_name, headers_of_pages
from app.http.template_helpers import mailbox_answers
from app.platform.errors import Busy
from app.platform.networks import counted_address
from app.platform.services import EXTENSION_KEY as SERVICES
from app.platform.services import Services

Environ = dict[str, Any]
Start = Callable[..., Any]
PAGE = re.compile(f"/m/({MATCH_ID.pattern})")
ROUTE = "/m/<match_id>"
KEY = "chasqui.page"  # where Flask finds what we found out
ASKED_BY = ("SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "HTTP_HOST", "wsgi.url_scheme")
TOLD_BY = ("HTTP_COOKIE", "HTTP_ACCEPT_LANGUAGE")
A_MINUTE = 60
MOST = 1200  # answers a minute to one address; who asks more often goes on to Flask and its limits


class Named(NamedTuple):
    """What the page is called that would answer a request for a turn page."""

    name: str | None
    seen: Connection | None = None  # from which it was found out


class Front:
    """The first to see a request; what it cannot answer at once it hands on to `inner`."""

    def __init__(self, app: Flask, services: Services) -> None:
        self.inner, self.app, self.services = app.wsgi_app, app, services
        self.asked = Tally()
        self.meter: Meter = app.extensions["chasqui-meter"]

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] == "GET" and (found := PAGE.fullmatch(environ["PATH_INFO"])):
            began = perf_counter()
            with ExitStack() as reading:  # Flask reads on in the same snapshot
                here = environ[KEY] = self.look(environ, found[1], reading)
                answer = self.answer(environ, here.name) if here.name else None
                if here.name and answer is not None and self.welcome(environ):
                    return self.send(answer, here.name, start, began)
                return self.inner(environ, start)
        return self.inner(environ, start)

    def look(self, environ: Environ, match_id: str, reading: ExitStack) -> Named:
        """Finds out the name; what it was read from stays open until `reading` ends."""
        at = self.services.now()
        try:
            with ExitStack() as opened:
                seen = opened.enter_context(self.services.database.read())
                name = page_name(self.app, seen, environ, match_id, at)
                reading.push(opened.pop_all())
        except (Busy, SQLAlchemyError):  # Flask will find it out and say it
            return Named(None)
        return Named(name, seen)

    def answer(self, environ: Environ, name: str) -> bytes | None:
        """The page, or nothing to a browser that has it; None if it must be made."""
        # By its very name: `*` would ask whether there is a page, which not everybody may know.
        if f'"{name}"' in environ.get("HTTP_IF_NONE_MATCH", ""):
            return b""
        return PAGES.get(name)

    def welcome(self, environ: Environ) -> bool:
        address = counted_address(environ.get("REMOTE_ADDR", ""))
        return (
            not self.app.config["RATELIMIT_ENABLED"] or self.asked.incr(address, A_MINUTE) <= MOST
        )

    def send(self, page: bytes, name: str, start: Start, began: float) -> Iterable[bytes]:
        status = 200 if page else 304
        # Also before this process has shown a board: the headers of a 304 are those of the page that the browser has.
        headers = [*headers_of_pages(self.services.https, boards=True), ("ETag", f'"{name}"')]
        if page:
            headers += [
                ("Content-Type", "text/html; charset=utf-8"),
                ("Content-Length", str(len(page))),
            ]
        spent = perf_counter() - began
        log_request_line("GET", ROUTE, status, spent)
        self.meter.add("GET", ROUTE, status, spent)
        start("200 OK" if page else "304 NOT MODIFIED", headers)
        return [page] if page else []


def settle_page_name(connection: Connection, environ: Environ) -> str | None:
    """The name of the page that was made from what that connection sees; None if it is not what the front saw."""
    here: Named | None = environ.get(KEY)
    return here.name if here is not None and here.seen is connection else None


def page_name(
    app: Flask, connection: Connection, environ: Environ, match_id: str, at: datetime
) -> str | None:
    """What the turn page is called that this browser would be shown; None where it has no name.

    The forms on it hold the token of the browser's form cookie, so its cookies are part of the name as they came.
    """
    services: Services = app.extensions[SERVICES]
    cookies = parse_cookie(environ.get("HTTP_COOKIE"))
    if cookie_name("form", services) not in cookies:
        return None
    token = cookies.get(cookie_name("session", services))
    shown = load_shown(connection, match_id, token, at)
    if shown is None:
        return None
    asked = [environ.get(part) for part in (*ASKED_BY, *TOLD_BY)]
    return seal_fingerprint(str(app.secret_key), shown, asked, mailbox_answers(services, environ))
