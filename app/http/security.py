"""Security headers, CSP, cookies, and redirects that stay on this site."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import MutableMapping
from functools import cache
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

from flask import Flask, Response, request
from flask.sessions import SecureCookieSessionInterface
from itsdangerous import URLSafeTimedSerializer

from app.platform.services import Services, current_services
from engine.core.match import start
from engine.core.registry import games

KILO = 1024
LONGEST_FORM = 256 * KILO
STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
UNSAFE_IN_PATH = re.compile(r"[\x00-\x20\\]")
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
VARY = ("Cookie", "Accept-Language")
POWERS = ("camera", "geolocation", "microphone", "payment", "usb")


class Signed(SecureCookieSessionInterface):
    """Flask's signed cookie, which holds the form token and notices, with a better hash than SHA-1."""

    digest_method = staticmethod(sha256)

    def __init__(self) -> None:
        self._signers: dict[tuple[Any, ...], URLSafeTimedSerializer | None] = {}

    def get_signing_serializer(self, app: Flask) -> URLSafeTimedSerializer | None:
        """Made once for the keys that there are, not for every request."""
        keys = (app.secret_key, *(app.config["SECRET_KEY_FALLBACKS"] or ()))
        if keys not in self._signers:
            self._signers[keys] = super().get_signing_serializer(app)
        return self._signers[keys]


def secure_app(app: Flask, services: Services) -> None:
    """Sets what Flask itself can guard, and sees every answer off with its headers."""
    key, *fallbacks = services.settings.signing_keys()
    app.config.update(
        SECRET_KEY=key,
        SECRET_KEY_FALLBACKS=fallbacks,
        SESSION_COOKIE_NAME=cookie_name("form", services),
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=services.https,
        TRUSTED_HOSTS=trusted_hosts(services),
        MAX_CONTENT_LENGTH=2 * KILO * KILO,  # a long match's record fits
        MAX_FORM_MEMORY_SIZE=LONGEST_FORM,
        MAX_FORM_PARTS=500,
        WTF_CSRF_TIME_LIMIT=None,  # a turn page may lie open for days; the token ends with its cookie
        WTF_CSRF_SSL_STRICT=False,  # it wants a Referer, and we tell browsers to send none
    )
    app.session_interface = Signed()
    app.before_request(short_forms)
    app.after_request(guarded)


def short_forms() -> None:
    """MAX_FORM_MEMORY_SIZE is for forms in parts alone; a plain one is read whole, so it may be no longer."""
    if request.mimetype == "application/x-www-form-urlencoded":
        request.max_content_length = LONGEST_FORM


def trusted_hosts(services: Services) -> list[str]:
    """The names under which we may be called; an unsecured service answers on its own machine too."""
    host = urlsplit(services.settings.base_url).hostname or ""
    own = f"[{host}]" if ":" in host else host
    names = [own] if services.https else [own, *LOOPBACK]
    return [Bracketed(name) if name.startswith("[") else name for name in names]


class Bracketed(str):
    """A host by its number of IPv6: Werkzeug cuts the names that it trusts at their first colon, inside the brackets."""

    __slots__ = ()

    def partition(self, _: str) -> tuple[str, str, str]:
        return self, "", ""


def cookie_name(name: str, services: Services) -> str:
    """With https, a name that only we ourselves can set: no neighbour's subdomain, no plain http."""
    return f"__Host-chasqui-{name}" if services.https else f"chasqui-{name}"


@cache
def board_styles() -> tuple[str, ...]:
    """The hashes of the style sheets that the games' boards bring along."""
    found = set()
    for game in games().values():
        match = start(game, game.seats[0], {}, "style")
        found.update(STYLE.findall(game.render(game.view(match.state, None), str)))
    return tuple(
        sorted(f"'sha256-{b64encode(sha256(s.encode()).digest()).decode()}'" for s in found)
    )


def may_show_boards() -> bool:
    """Whether this process has loaded the games: before, no page of it can hold a board, and a start need not wait for them."""
    return games.cache_info().currsize > 0


def content_policy(*, boards: bool) -> str:
    """What a page may load: our own files, and the boards' style where there may be one; no script that stands in a page."""
    return "; ".join(
        (
            "default-src 'self'",
            " ".join(("style-src 'self'", *(board_styles() if boards else ()))),
            "img-src 'self' data:",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            "frame-ancestors 'none'",
        )
    )


@cache
def guards(https: bool, *, boards: bool) -> tuple[tuple[str, str], ...]:
    """The headers that every answer carries."""
    always = {
        "Content-Security-Policy": content_policy(boards=boards),
        "Referrer-Policy": "no-referrer",
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": "DENY",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        "Permissions-Policy": ", ".join(f"{power}=()" for power in POWERS),
    }
    strict = {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
    return tuple({**always, **(strict if https else {})}.items())


@cache
def headers_of_pages(https: bool, *, boards: bool) -> tuple[tuple[str, str], ...]:
    """The headers of an answer that says nothing else of itself."""
    # What one person sees is nobody else's; where a page has an ETag it is asked for again.
    return (
        *guards(https, boards=boards),
        ("Cache-Control", "private, no-cache"),
        ("Vary", ", ".join(VARY)),
    )


def add_headers(headers: MutableMapping[str, str] | Any, https: bool) -> None:
    """Puts on what every file carries; one that needs another policy has set its own before."""
    for name, value in guards(https, boards=False):
        headers.setdefault(name, value)


def guarded(response: Response) -> Response:
    """Puts on, all at once, what the answer does not carry yet: one by one, it would be looked through each time."""
    headers = response.headers
    if "Vary" in headers:
        response.vary.update(VARY)
    known = {name.lower() for name, _ in headers}
    found = headers_of_pages(current_services().https, boards=may_show_boards())
    headers.extend([(name, value) for name, value in found if name.lower() not in known])
    return response


def no_store(response: Response) -> Response:
    """For pages of accounts and ways in: no cache and no back button shows them to the next person."""
    response.headers["Cache-Control"] = "no-store"
    return response


def safe_next(target: str | None, otherwise: str = "/") -> str:
    """A place of ours to go on to; whatever could lead elsewhere becomes `otherwise`."""
    if not target or not target.startswith("/") or UNSAFE_IN_PATH.search(target):
        return otherwise
    parts = urlsplit(target)
    elsewhere = parts.scheme or parts.netloc or target.startswith("//")
    return otherwise if elsewhere else target


def wants_json() -> bool:
    """Whether the one who asks is a program."""
    return request.path.startswith("/api/")
