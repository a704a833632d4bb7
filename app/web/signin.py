"""Signing in: ask for a link, follow it, press the button. Only the button acts: scanners open links too."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.http.auth import (
    current_browser,
    current_player,
    drop_cookie,
    open_browser_session,
    read_cookie,
    read_next_page,
    require_sign_in,
    session_token,
    set_cookie,
    signed_in_player,
)
from app.http.error_handlers import STATUS
from app.http.rate_limits import GUESTS, SIGN_IN, limiter, peer_address
from app.http.security import no_store, safe_next
from app.people.access_log import note_access
from app.people.accounts import take_timezone
from app.people.passkeys import relying_party
from app.people.sessions import (
    LINK_LASTS,
    check_login,
    guest_login,
    request_login,
    sign_out,
    sign_out_everywhere,
    use_login,
)
from app.platform.errors import BadLink, Refused
from app.platform.i18n import language_here
from app.platform.services import current_services

bp = Blueprint("signin", __name__)
bp.after_request(no_store)
LONGEST_TOKEN = 64
LINK_SECONDS = int(LINK_LASTS.total_seconds())


@bp.get("/sign-in")
def ask() -> str:
    return sign_in_page()


def sign_in_page(problem: Refused | None = None) -> str:
    """Where one asks for a link; an address that cannot be is told there, as it was written."""
    return render_template(
        "signin/ask.html",
        next=read_next_page(""),
        by_passkey=relying_party(current_services().settings) is not None,
        problem=problem,
        email=request.form.get("email", ""),
    )


@bp.post("/sign-in")
@limiter.limit(SIGN_IN)
def send() -> Response | tuple[str, int]:
    """The same answer for every address: nobody learns here who plays with us."""
    services = current_services()
    try:
        with services.database.session() as session:
            request_login(
                session,
                services.settings,
                request.form.get("email"),
                next_page=read_next_page("") or None,
                language=language_here(),
                at=services.now(),
                asker=peer_address(),
            )
    except Refused as problem:
        return sign_in_page(problem), STATUS[problem.code]
    return redirect(url_for(".sent"), 303)


@bp.get("/sign-in/sent")
def sent() -> str:
    return render_template("signin/sent.html")


@bp.get("/sign-in/link/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, so that it stays in no history and no Referer."""
    response = redirect(url_for(".confirm"), 303)
    if len(token) <= LONGEST_TOKEN:
        set_cookie(response, "link", token, LINK_SECONDS)
    return response


@bp.get("/sign-in/confirm")
def confirm() -> str:
    services = current_services()
    with services.database.look() as session:
        link = check_login(session, link_token(), services.now())
    return render_template("signin/confirm.html", email=link.email)


@bp.post("/sign-in/confirm")
@limiter.limit(SIGN_IN)
def enter() -> Response:
    services = current_services()
    with services.database.session() as session:
        new = use_login(
            session,
            link_token(),
            language=language_here(),
            at=services.now(),
            before=session_token(),
            browser=current_browser(),
        )
        if new.newcomer:
            take_timezone(new.player, request.form.get("timezone"))
    onward = safe_next(new.next, url_for("pages.home"))
    response = redirect(url_for("account.show", next=new.next) if new.newcomer else onward, 303)
    open_browser_session(response, new)
    drop_cookie(response, "link")
    flash(_("You are signed in."))
    return response


@bp.post("/sign-out")
def leave() -> Response:
    services = current_services()
    with services.database.session() as session:
        sign_out(session, session_token(), services.now())
    return goodbye()


@bp.post("/sign-out/everywhere")
@require_sign_in
def leave_everywhere() -> Response:
    services = current_services()
    with services.database.session() as session:
        sign_out_everywhere(session, signed_in_player(), services.now())
        note_access(
            session, signed_in_player(), "everywhere", current_browser().name, services.now()
        )
    return goodbye()


@bp.post("/guest")
@limiter.limit(GUESTS)
def guest() -> Response:
    """A player without an address, at once."""
    response = redirect(read_next_page(), 303)
    if current_player() is None:
        services = current_services()
        with services.database.session() as session:
            open_browser_session(response, guest_login(session, language_here(), services.now()))
    return response


def goodbye() -> Response:
    response = redirect(url_for("pages.home"), 303)
    drop_cookie(response, "session")
    response.headers["Clear-Site-Data"] = (
        '"cache", "storage"'  # who comes next finds no page of ours
    )
    flash(_("You are signed out."))
    return response


def link_token() -> str:
    token = read_cookie("link")
    if not token:
        raise BadLink
    return token
