"""Who is asking: the cookie, the session behind it, and what that lets them do."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import ParamSpec, TypeVar, cast
from zoneinfo import ZoneInfo

from flask import Response, g, redirect, request, session, url_for
from werkzeug.wrappers import Response as BaseResponse

from app import browsers, clock, reach, signin
from app.accounts import settle_language
from app.errors import Busy, Misspelt
from app.i18n import nearest
from app.models import Language, Player
from app.security import cookie_name, safe_next, wants_json
from app.services import current
from app.signin import SESSION_ENDS, SignedIn, Visit

P = ParamSpec("P")
R = TypeVar("R")
REMEMBERED = 400 * 24 * 3600  # seconds that a browser is known: as long as browsers keep a cookie


def visit() -> Visit | None:
    """The session of the request; asked for once."""
    if "visit" not in g:
        token = request.cookies.get(cookie_name("session", current()))
        g.visit = look_up(token) if token and not wants_json() else None
    return cast(Visit | None, g.visit)


def look_up(token: str) -> Visit | None:
    services = current()
    with services.database.read() as connection:
        return signin.seen_visit(connection, token, services.now())


def player() -> Player | None:
    """The player who is signed in."""
    here = visit()
    return here.player if here else None


def me() -> Player:
    """The player who is signed in, on a page that `signed_in` guards."""
    here = visit()
    if here is None:
        raise LookupError("nobody is signed in; the view lacks @signed_in")
    return here.player


def my_id() -> int:
    return cast(int, me().id)


def session_id() -> int:
    """The number of the session of the request, on a page that `signed_in` guards."""
    here = visit()
    return (here.session.id or 0) if here else 0


def fresh() -> bool:
    """Whether whoever is signed in may do dangerous things without signing in again."""
    here = visit()
    return here is not None and signin.is_fresh(here, current().now())


def token() -> str | None:
    """The secret in the cookie."""
    return request.cookies.get(cookie_name("session", current()))


def browser() -> browsers.Browser:
    """The browser that asks: whoever is signed in with it is known to it, and those before them."""
    known = browsers.read_known(current().settings, cookie("browser"))
    here = player()
    name = browsers.name_browser(request.user_agent.string)
    return browsers.Browser(name, (*known, browsers.mark_of(here)) if here else known)


# Guards for views


def signed_in(view: Callable[P, R]) -> Callable[P, R | BaseResponse]:
    """Sends whoever is not signed in to the sign-in page, and back to where they wanted to go."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | BaseResponse:
        return to_sign_in() if visit() is None else view(*args, **kwargs)

    return guarded


def freshly_signed_in(view: Callable[P, R]) -> Callable[P, R | BaseResponse]:
    """As `signed_in`, and not long ago: for what cannot be undone."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R | BaseResponse:
        here = visit()
        if here is None:
            return to_sign_in()
        signin.check_fresh(here, current().now())
        return view(*args, **kwargs)

    return guarded


def to_sign_in() -> BaseResponse:
    wanted = request.full_path.rstrip("?") if request.method == "GET" else None
    return redirect(url_for("signin.ask", next=wanted), 303)


# Cookies


def welcome(response: BaseResponse, new: SignedIn) -> BaseResponse:
    """Hands the new session to the browser; forms and notices of whoever was here before are void."""
    session.clear()
    set_cookie(response, "session", new.token, int(SESSION_ENDS.total_seconds()))
    if not new.player.guest:
        known = browsers.seal_known(current().settings, browser().known, new.player)
        set_cookie(response, "browser", known, REMEMBERED)
    return response


def set_cookie(response: BaseResponse, name: str, value: str, seconds: int) -> None:
    services = current()
    response.set_cookie(
        cookie_name(name, services),
        value,
        max_age=seconds,
        secure=services.https,
        httponly=True,
        samesite="Lax",
    )


def cookie(name: str) -> str | None:
    return request.cookies.get(cookie_name(name, current()))


def drop_cookie(response: BaseResponse, name: str) -> None:
    set_cookie(response, name, "", 0)


# Language and time


def language() -> Language:
    """The account's language, else the one chosen here before, else what the browser prefers."""
    if wants_json():
        return nearest(request.accept_languages)
    if someone := player():
        return someone.language
    try:
        return settle_language(cookie("language"))
    except Misspelt:
        return nearest(request.accept_languages)


def zone() -> ZoneInfo:
    someone = player()
    return ZoneInfo(someone.timezone if someone else "UTC")


def next_page(otherwise: str = "/") -> str:
    """Where the form or the address asks to go on to, if that is a place of ours."""
    return safe_next(request.values.get("next"), otherwise)


def note_activity(response: Response) -> Response:
    """After an act: the session is alive, its player is there, and mails may be waiting. Looking alone writes nothing."""
    if request.method in ("GET", "HEAD", "OPTIONS") or response.status_code >= 500:
        return response
    services, here = current(), g.get("visit")
    services.nudge()
    shown = here or g.get("caller")
    actor = shown.player if shown is not None else None
    if actor is not None and clock.is_frozen(actor, services.now()):
        with suppress(Busy), services.database.session() as writing:
            reach.prove_presence(writing, actor.id or 0, services.now())
    if here is not None and here.session.seen_at + signin.SEEN_EVERY < services.now():
        with suppress(Busy), services.database.session() as writing:
            signin.seen(writing, here, services.now())
    return response
