"""Another mail address: asked for on the account page, and confirmed by a button behind each of two mailed links."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app import address_changes, security, who
from app.limits import MAILING, SIGN_IN, account, limiter
from app.services import current
from app.web.signin import LONGEST_TOKEN

bp = Blueprint("address", __name__)
bp.after_request(security.no_store)
LINK_SECONDS = 3600  # for reading the page, not for the link itself


@bp.post("/account/address")
@limiter.limit(MAILING, key_func=account)
@who.freshly_signed_in
def ask() -> Response:
    services = current()
    with services.database.session() as session:
        address_changes.request_address_change(
            session,
            services.settings,
            who.my_id(),
            who.session_id(),
            request.form.get("email"),
            services.now(),
        )
    flash(_("We wrote to both addresses: open the link in each mail, within a day."))
    return redirect(url_for("account.show", _anchor="access"), 303)


@bp.post("/account/address/cancel")
@who.signed_in
def cancel() -> Response:
    services = current()
    with services.database.session() as session:
        address_changes.cancel_address_change(session, who.my_id(), services.now())
    flash(_("Your address stays as it is."))
    return redirect(url_for("account.show", _anchor="access"), 303)


@bp.get("/address/link/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, as the sign-in link does."""
    response = redirect(url_for(".confirm"), 303)
    if len(token) <= LONGEST_TOKEN:
        who.set_cookie(response, "address", token, LINK_SECONDS)
    return response


@bp.get("/address/confirm")
def confirm() -> str:
    services = current()
    with services.database.look() as session:
        link = address_changes.check_address_link(session, link_token(), services.now())
    return render_template("account/address.html", email=link.change.email, side=link.side)


@bp.post("/address/confirm")
@limiter.limit(SIGN_IN)
def accept() -> Response:
    services = current()
    with services.database.session() as session:
        done = address_changes.confirm_address(
            session, link_token(), who.browser().name, services.now()
        )
    said = (
        _("Your account has its new address now. Other browsers are signed out.")
        if done
        else _("Confirmed here. Now open the link that we sent to the other address.")
    )
    flash(said)
    response = redirect(url_for("pages.home"), 303)
    who.drop_cookie(response, "address")
    return response


def link_token() -> str:
    return who.cookie("address") or ""
