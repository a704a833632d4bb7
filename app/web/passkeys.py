"""Passkeys on pages: signing in by one, adding and removing them. A script does what only a browser can."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import (
    current_browser,
    drop_cookie,
    open_browser_session,
    read_cookie,
    read_next_page,
    require_fresh_sign_in,
    session_token,
    set_cookie,
    signed_in_id,
)
from app.http.rate_limits import SIGN_IN, WRITING, limiter, payer
from app.http.security import no_store
from app.people.passkeys import (
    CHALLENGE_LASTS,
    add_passkey,
    registration_options,
    remove_passkey,
    sign_in_by_passkey,
    sign_in_options,
)
from app.platform.services import current_services

bp = Blueprint("passkeys", __name__)
bp.after_request(no_store)
CHALLENGE_SECONDS = int(CHALLENGE_LASTS.total_seconds())


def asked(options: str, challenge: str) -> Response:
    """What the script hands to the browser; the challenge goes into a cookie too, so no other browser can answer it."""
    response = Response(options, content_type="application/json")
    set_cookie(response, "challenge", challenge, CHALLENGE_SECONDS)
    return response


@bp.post("/sign-in/passkey/options")
@limiter.limit(SIGN_IN)
def ask_for_one() -> Response:
    services = current_services()
    with services.database.session() as session:
        found = sign_in_options(session, services.settings, services.now())
    return asked(*found)


@bp.post("/sign-in/passkey")
@limiter.limit(SIGN_IN)
def enter() -> BaseResponse:
    new = sign_in_by_passkey(
        current_services(),
        request.form.get("credential"),
        read_cookie("challenge"),
        current_browser(),
        before=session_token(),
    )
    response = redirect(read_next_page(url_for("pages.home")), 303)
    open_browser_session(response, new)
    drop_cookie(response, "challenge")
    flash(_("You are signed in."))
    return response


@bp.post("/account/passkeys/options")
@limiter.limit(WRITING, key_func=payer)
@require_fresh_sign_in
def ask_for_new() -> Response:
    services = current_services()
    with services.database.session() as session:
        found = registration_options(session, services.settings, signed_in_id(), services.now())
    return asked(*found)


@bp.post("/account/passkeys")
@limiter.limit(WRITING, key_func=payer)
@require_fresh_sign_in
def add() -> BaseResponse:
    form = request.form
    add_passkey(
        current_services(),
        signed_in_id(),
        name=form.get("name"),
        credential=form.get("credential"),
        challenge=read_cookie("challenge"),
        browser=current_browser(),
    )
    flash(_("The passkey is kept: you can sign in by it from now on."))
    response = redirect(url_for("account.show", _anchor="access"), 303)
    drop_cookie(response, "challenge")
    return response


@bp.post("/account/passkeys/<int:passkey_id>/end")
@limiter.limit(WRITING, key_func=payer)
@require_fresh_sign_in
def remove(passkey_id: int) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        remove_passkey(session, signed_in_id(), passkey_id, current_browser(), services.now())
    flash(_("That passkey opens nothing any more."))
    return redirect(url_for("account.show", _anchor="access"), 303)
