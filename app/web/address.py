"""Another mail address: asked for on the account page, and confirmed by a button behind each of two mailed links."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.http.auth import (
    current_browser,
    drop_cookie,
    read_cookie,
    require_fresh_sign_in,
    require_sign_in,
    session_id,
    set_cookie,
    signed_in_id,
)
from app.http.error_handlers import STATUS
from app.http.rate_limits import MAILING, SIGN_IN, limiter, payer
from app.http.security import no_store
from app.people.address_changes import (
    cancel_address_change,
    check_address_link,
    confirm_address,
    request_address_change,
)
from app.platform.errors import Refused
from app.platform.services import current_services
from app.web.account import account_page
from app.web.signin import LONGEST_TOKEN

bp = Blueprint("address", __name__)
bp.after_request(no_store)
LINK_SECONDS = 3600  # for reading the page, not for the link itself


@bp.post("/account/address")
@limiter.limit(MAILING, key_func=payer)
@require_fresh_sign_in
def ask() -> Response | tuple[str, int]:
    services = current_services()
    try:
        with services.database.session() as session:
            request_address_change(
                session,
                services.settings,
                signed_in_id(),
                session_id=session_id(),
                email=request.form.get("email"),
                at=services.now(),
            )
    except Refused as problem:
        return account_page(problem, "address"), STATUS[problem.code]
    flash(_("We wrote to both addresses: open the link in each mail, within a day."))
    return redirect(url_for("account.show", _anchor="access"), 303)


@bp.post("/account/address/cancel")
@require_sign_in
def cancel() -> Response:
    services = current_services()
    with services.database.session() as session:
        cancel_address_change(session, signed_in_id(), services.now())
    flash(_("Your address stays as it is."))
    return redirect(url_for("account.show", _anchor="access"), 303)


@bp.get("/address/link/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, as the sign-in link does."""
    response = redirect(url_for(".confirm"), 303)
    if len(token) <= LONGEST_TOKEN:
        set_cookie(response, "address", token, LINK_SECONDS)
    return response


@bp.get("/address/confirm")
def confirm() -> str:
    services = current_services()
    with services.database.look() as session:
        link = check_address_link(session, link_token(), services.now())
    return render_template("account/address.html", email=link.change.email, side=link.side)


@bp.post("/address/confirm")
@limiter.limit(SIGN_IN)
def accept() -> Response:
    services = current_services()
    with services.database.session() as session:
        done = confirm_address(session, link_token(), current_browser().name, services.now())
    said = (
        _("Your account has its new address now. Other browsers are signed out.")
        if done
        else _("Confirmed here. Now open the link that we sent to the other address.")
    )
    flash(said)
    response = redirect(url_for("pages.home"), 303)
    drop_cookie(response, "address")
    return response


def link_token() -> str:
    return read_cookie("address") or ""
