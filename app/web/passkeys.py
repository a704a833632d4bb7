"""Passkeys on pages: signing in by one, adding and removing them. A script does what only a browser can."""

from __future__ import annotations

from flask import Blueprint, Response, flash, redirect, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app import passkeys, security, who
from app.limits import SIGN_IN, WRITING, account, limiter
from app.services import current

bp = Blueprint("passkeys", __name__)
bp.after_request(security.no_store)
CHALLENGE_SECONDS = int(passkeys.CHALLENGE_LASTS.total_seconds())


def asked(options: str, challenge: str) -> Response:
    """What the script hands to the browser; the challenge goes into a cookie too, so no other browser can answer it."""
    response = Response(options, content_type="application/json")
    who.set_cookie(response, "challenge", challenge, CHALLENGE_SECONDS)
    return response


@bp.post("/sign-in/passkey/options")
@limiter.limit(SIGN_IN)
def ask_for_one() -> Response:
    services = current()
    with services.database.session() as session:
        found = passkeys.sign_in_options(session, services.settings, services.now())
    return asked(*found)


@bp.post("/sign-in/passkey")
@limiter.limit(SIGN_IN)
def enter() -> BaseResponse:
    new = passkeys.sign_in_by_passkey(
        current(),
        request.form.get("credential"),
        who.cookie("challenge"),
        who.browser(),
        before=who.token(),
    )
    response = redirect(who.next_page(url_for("pages.home")), 303)
    who.welcome(response, new)
    who.drop_cookie(response, "challenge")
    flash(_("You are signed in."))
    return response


@bp.post("/account/passkeys/options")
@limiter.limit(WRITING, key_func=account)
@who.freshly_signed_in
def ask_for_new() -> Response:
    services = current()
    with services.database.session() as session:
        found = passkeys.registration_options(
            session, services.settings, who.my_id(), services.now()
        )
    return asked(*found)


@bp.post("/account/passkeys")
@limiter.limit(WRITING, key_func=account)
@who.freshly_signed_in
def add() -> BaseResponse:
    form = request.form
    passkeys.add_passkey(
        current(),
        who.my_id(),
        form.get("name"),
        form.get("credential"),
        who.cookie("challenge"),
        who.browser(),
    )
    flash(_("The passkey is kept: you can sign in by it from now on."))
    response = redirect(url_for("account.show", _anchor="access"), 303)
    who.drop_cookie(response, "challenge")
    return response


@bp.post("/account/passkeys/<int:passkey_id>/end")
@limiter.limit(WRITING, key_func=account)
@who.freshly_signed_in
def remove(passkey_id: int) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        passkeys.remove_passkey(session, who.my_id(), passkey_id, who.browser(), services.now())
    flash(_("That passkey opens nothing any more."))
    return redirect(url_for("account.show", _anchor="access"), 303)
