"""The mails of a match: their log, the way in that they lead to, and the way out of them."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app import accounts, subscriptions, who
from app.limits import MAILING, WRITING, account, limiter
from app.mails import log
from app.services import current
from app.web.match import check_id, place

bp = Blueprint("mails", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)


@bp.get("/m/<match_id>/play")
@who.signed_in
def play(match_id: str) -> Response:
    """Where mails lead to: the turn page, by way of the sign-in where that is needed."""
    order, at = (request.args.get(name) for name in ("order", "at"))
    return redirect(url_for("match.turn", match_id=match_id, order=order, at=at), 303)


@bp.get("/m/<match_id>/mails")
@who.signed_in
def index(match_id: str) -> str:
    with current().database.look() as session:
        found = log.log(session, place(session, match_id))
        return render_template("match/mails.html", log=found)


@bp.post("/m/<match_id>/mails/<int:number>/resend")
@limiter.limit(MAILING, key_func=account)
@who.signed_in
def resend(match_id: str, number: int) -> Response:
    services = current()
    with services.database.session() as session:
        log.resend(session, place(session, match_id), number, services.now())
    flash(_("It is being sent again."))
    return redirect(url_for(".index", match_id=match_id), 303)


@bp.post("/m/<match_id>/mails/mute")
@who.signed_in
def mute(match_id: str) -> Response:
    """Ends the mails about this match, or begins them again."""
    silent = request.form.get("silent") == "yes"
    with current().database.session() as session:
        place(session, match_id)
        player = accounts.get(session, who.my_id())
        subscriptions.mute(session, player, match_id, silent=silent)
    return redirect(url_for(".index", match_id=match_id), 303)


# Without signing in: whoever holds the mail may end such mails, and nothing else


@bp.get("/unsubscribe/<token>")
def ending(token: str) -> str:
    with current().database.look() as session:
        found = subscriptions.find(session, current().settings, token)
        return render_template("account/unsubscribe.html", ending=found, done=False)


@bp.post("/unsubscribe/<token>")
def end(token: str) -> str:
    """Ends what the link says; a mail program presses this button by itself (RFC 8058)."""
    services = current()
    with services.database.session() as session:
        found = subscriptions.find(session, services.settings, token)
        subscriptions.end(session, found, services.now())
    return render_template("account/unsubscribe.html", ending=found, done=True)


@bp.record_once
def without_form_token(state: BlueprintSetupState) -> None:
    """A mail program has no page of ours to take a form token from; the link itself is the proof."""
    state.app.extensions["csrf"].exempt("app.web.mails.end")
