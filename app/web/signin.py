"""Signing in: ask for a link, follow it, press the button. Only the button acts: scanners open links too."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app import access_log, passkeys, security, signin, who
from app.errors import BadLink
from app.i18n import language_here
from app.limits import GUESTS, SIGN_IN, address, limiter
from app.security import safe_next
from app.services import current

bp = Blueprint("signin", __name__)
bp.after_request(security.no_store)
LONGEST_TOKEN = 64
LINK_SECONDS = int(signin.LINK_LASTS.total_seconds())


@bp.get("/sign-in")
def ask() -> str:
    by_passkey = passkeys.relying_party(current().settings) is not None
    return render_template("signin/ask.html", next=who.next_page(""), by_passkey=by_passkey)


@bp.post("/sign-in")
@limiter.limit(SIGN_IN)
def send() -> Response:
    """The same answer for every address: nobody learns here who plays with us."""
    services = current()
    with services.database.session() as session:
        signin.request_login(
            session,
            services.settings,
            request.form.get("email"),
            who.next_page("") or None,
            language_here(),
            services.now(),
            asker=address(),
        )
    return redirect(url_for(".sent"), 303)


@bp.get("/sign-in/sent")
def sent() -> str:
    return render_template("signin/sent.html")


@bp.get("/sign-in/link/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, so that it stays in no history and no Referer."""
    response = redirect(url_for(".confirm"), 303)
    if len(token) <= LONGEST_TOKEN:
        who.set_cookie(response, "link", token, LINK_SECONDS)
    return response


@bp.get("/sign-in/confirm")
def confirm() -> str:
    services = current()
    with services.database.look() as session:
        link = signin.check_login(session, link_token(), services.now())
    return render_template("signin/confirm.html", email=link.email)


@bp.post("/sign-in/confirm")
@limiter.limit(SIGN_IN)
def enter() -> Response:
    services = current()
    with services.database.session() as session:
        new = signin.use_login(
            session,
            link_token(),
            language_here(),
            services.now(),
            before=who.token(),
            browser=who.browser(),
        )
    onward = safe_next(new.next, url_for("pages.home"))
    response = redirect(url_for("account.show", next=new.next) if new.newcomer else onward, 303)
    who.welcome(response, new)
    who.drop_cookie(response, "link")
    flash(_("You are signed in."))
    return response


@bp.post("/sign-out")
def leave() -> Response:
    services = current()
    with services.database.session() as session:
        signin.sign_out(session, who.token(), services.now())
    return goodbye()


@bp.post("/sign-out/everywhere")
@who.signed_in
def leave_everywhere() -> Response:
    services = current()
    with services.database.session() as session:
        signin.sign_out_everywhere(session, who.me(), services.now())
        access_log.note_access(session, who.me(), "everywhere", who.browser().name, services.now())
    return goodbye()


@bp.post("/guest")
@limiter.limit(GUESTS)
def guest() -> Response:
    """A player without an address, at once."""
    response = redirect(who.next_page(), 303)
    if who.player() is None:
        services = current()
        with services.database.session() as session:
            who.welcome(response, signin.guest_login(session, language_here(), services.now()))
    return response


def goodbye() -> Response:
    response = redirect(url_for("pages.home"), 303)
    who.drop_cookie(response, "session")
    response.headers["Clear-Site-Data"] = (
        '"cache", "storage"'  # who comes next finds no page of ours
    )
    flash(_("You are signed out."))
    return response


def link_token() -> str:
    token = who.cookie("link")
    if not token:
        raise BadLink
    return token
