"""Authentication of a request: the cookie, the session behind it, and decorators that demand one."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TypeVar, cast
from zoneinfo import ZoneInfo

from flask import Response, g, redirect, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from app.clocks.clocks import is_frozen
from app.http.security import cookie_name, safe_next, wants_json
from app.matches.seat_links import find_seat_holder
from app.outbox.deliverability import prove_presence
from app.people.accounts import settle_language
from app.people.browsers import Browser, mark_of, name_browser, read_known, seal_known
from app.people.sessions import (
    SEEN_EVERY,
    SESSION_ENDS,
    SignedIn,
    Visit,
    check_fresh,
    is_fresh,
    note_session_seen,
    seen_visit,
)
from app.platform import tables
from app.platform.errors import Busy, Misspelt
from app.platform.i18n import nearest_language
from app.platform.services import current_services
from app.platform.tables import Language, Player

P = ParamSpec("P")
R = TypeVar("R")
REMEMBERED = 400 * 24 * 3600  # seconds that a browser is known: as long as browsers keep a cookie


def current_visit() -> Visit | None:
    """The session of the request; asked for once."""
    if "visit" not in g:
        token = request.cookies.get(cookie_name("session", current_services()))
        g.visit = look_up(token) if token and not wants_json() else None
        g.visit = g.visit or visit_by_seat_key()
    return cast(Visit | None, g.visit)


# Where the link of a mail lets its reader play: the pages of the one match, and what they send.
BY_SEAT_KEY = {
    "match.turn", "match.draft", "match.confirm", "match.commit", "match.legal", "match.hint",
    "match.parts", "match.frames", "match.events", "match.brings",
    "history.story", "history.position", "my_matches.read",
}  # fmt: skip


def visit_by_seat_key() -> Visit | None:
    """Somebody who came by the link of a mail: they play that seat, are never fresh, and are nobody elsewhere."""
    services, key = current_services(), read_cookie("seat")
    match_id = (request.view_args or {}).get("match_id")
    if not key or not match_id or request.endpoint not in BY_SEAT_KEY:
        return None
    with services.database.look() as session:
        player = find_seat_holder(session, services.settings, match_id, key, services.now())
        if player is None:
            return None
        session.expunge(player)
    g.by_seat_key, g.waiting = True, []
    long_ago = services.now() - SESSION_ENDS
    row = tables.Session(token_hash="", player_id=player.id or 0, fresh_at=long_ago)
    row.seen_at = services.now()
    return Visit(row, player)


def look_up(token: str) -> Visit | None:
    services = current_services()
    with services.database.read() as connection:
        return seen_visit(connection, token, services.now())


def current_player() -> Player | None:
    """The player who is signed in."""
    here = current_visit()
    return here.player if here else None


def signed_in_player() -> Player:
    """The player who is signed in, on a page that `signed_in` guards."""
    here = current_visit()
    if here is None:
        raise LookupError("nobody is signed in; the view lacks @signed_in")
    return here.player


def signed_in_id() -> int:
    return cast(int, signed_in_player().id)


def session_id() -> int:
    """The number of the session of the request, on a page that `signed_in` guards."""
    here = current_visit()
    return (here.session.id or 0) if here else 0


def is_freshly_signed_in() -> bool:
    """Whether whoever is signed in may do dangerous things without signing in again."""
    here = current_visit()
    return here is not None and is_fresh(here, current_services().now())


def session_token() -> str | None:
    """The secret in the cookie."""
    return request.cookies.get(cookie_name("session", current_services()))


def current_browser() -> Browser:
    """The browser that asks: whoever is signed in with it is known to it, and those before them."""
    known = read_known(current_services().settings, read_cookie("browser"))
    here = current_player()
    name = name_browser(request.user_agent.string)
    return Browser(name, (*known, mark_of(here)) if here else known)


# Guards for views


def require_sign_in(view: Callable[P, R]) -> Callable[P, R | BaseResponse]:
    """Sends whoever is not signed in to the sign-in page, and back to where they wanted to go."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | BaseResponse:
        return to_sign_in() if current_visit() is None else view(*args, **kwargs)

    return guarded


def require_fresh_sign_in(view: Callable[P, R]) -> Callable[P, R | BaseResponse]:
    """As `signed_in`, and not long ago: for what cannot be undone."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | BaseResponse:
        here = current_visit()
        if here is None:
            return to_sign_in()
        check_fresh(here, current_services().now())
        return view(*args, **kwargs)

    return guarded


def to_sign_in() -> BaseResponse:
    wanted = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("signin.ask", next=wanted), 303)


# Cookies


def open_browser_session(response: BaseResponse, new: SignedIn) -> BaseResponse:
    """Hands the new session to the browser; forms and notices of whoever was here before are void."""
    session.clear()
    set_cookie(response, "session", new.token, int(SESSION_ENDS.total_seconds()))
    if not new.player.guest:
        known = seal_known(current_services().settings, current_browser().known, new.player)
        set_cookie(response, "browser", known, REMEMBERED)
    return response


def set_cookie(response: BaseResponse, name: str, value: str, seconds: int) -> None:
    services = current_services()
    response.set_cookie(
        cookie_name(name, services),
        value,
        max_age=seconds,
        secure=services.https,
        httponly=True,
        samesite="Lax",
    )


def read_cookie(name: str) -> str | None:
    return request.cookies.get(cookie_name(name, current_services()))


def drop_cookie(response: BaseResponse, name: str) -> None:
    set_cookie(response, name, "", 0)


# Language and time


def choose_language() -> Language:
    """The account's language, else the one chosen here before, else what the browser prefers."""
    if wants_json():
        return nearest_language(request.accept_languages)
    if someone := current_player():
        return someone.language
    try:
        return settle_language(read_cookie("language"))
    except Misspelt:
        return nearest_language(request.accept_languages)


def choose_timezone() -> ZoneInfo:
    someone = current_player()
    return ZoneInfo(someone.timezone if someone else "UTC")


def read_next_page(otherwise: str = "/") -> str:
    """Where the form or the address asks to go on to, if that is a place of ours."""
    return safe_next(request.values.get("next"), otherwise)


def note_activity(response: Response) -> Response:
    """After an act: the session is alive, its player is there, and mails may be waiting. Looking alone writes nothing."""
    if request.method in ("GET", "HEAD", "OPTIONS") or response.status_code >= 500:
        return response
    services, here = current_services(), g.get("visit")
    services.nudge()
    shown = here or g.get("caller")
    actor = shown.player if shown is not None else None
    if actor is not None and is_frozen(actor, services.now()):
        with suppress(Busy), services.database.session() as writing:
            prove_presence(writing, actor.id or 0, services.now())
    if here is not None and here.session.seen_at + SEEN_EVERY < services.now():
        with suppress(Busy), services.database.session() as writing:
            note_session_seen(writing, here, services.now())
    return response
