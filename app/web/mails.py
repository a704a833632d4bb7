"""The mails of a match: their log, the way in that they lead to, and the way out of them."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask.blueprints import BlueprintSetupState
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.http.auth import current_player, require_sign_in, set_cookie, signed_in_id, to_sign_in
from app.http.rate_limits import MAILING, WRITING, limiter, payer
from app.mail.mail_log import load_mail_log, resend_mail
from app.matches.seat_links import LASTS, find_seat_holder
from app.outbox.mail_preferences import end_mails, mute_match, read_unsubscribe_token
from app.people.accounts import load_account
from app.platform.services import current_services
from app.web.match import check_id, place

bp = Blueprint("mails", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
SEAT_SECONDS = int(LASTS.total_seconds())


@bp.get("/m/<match_id>/play")
def play(match_id: str) -> Response:
    """Where mails lead to: the turn page. The key of the link opens that seat to whoever is not signed in."""
    order, at, key = (request.args.get(name) for name in ("order", "at", "key"))
    onward = url_for("match.turn", match_id=match_id, order=order, at=at)
    if current_player() is None and not (key and opens_seat(match_id, key)):
        return to_sign_in()
    response = redirect(onward, 303)
    if current_player() is None:
        set_cookie(response, "seat", key or "", SEAT_SECONDS)
    return response


def opens_seat(match_id: str, key: str) -> bool:
    services = current_services()
    with services.database.look() as session:
        found = find_seat_holder(session, services.settings, match_id, key, services.now())
    return found is not None


@bp.get("/m/<match_id>/mails")
@require_sign_in
def index(match_id: str) -> str:
    with current_services().database.look() as session:
        found = load_mail_log(session, place(session, match_id))
        return render_template("match/mails.html", log=found)


@bp.post("/m/<match_id>/mails/<int:number>/resend")
@limiter.limit(MAILING, key_func=payer)
@require_sign_in
def resend(match_id: str, number: int) -> Response:
    services = current_services()
    with services.database.session() as session:
        resend_mail(session, place(session, match_id), number, services.now())
    flash(_("It is being sent again."))
    return redirect(url_for(".index", match_id=match_id), 303)


@bp.post("/m/<match_id>/mails/mute")
@require_sign_in
def mute(match_id: str) -> Response:
    """Ends the mails about this match, or begins them again."""
    silent = request.form.get("silent") == "yes"
    with current_services().database.session() as session:
        place(session, match_id)
        player = load_account(session, signed_in_id())
        mute_match(session, player, match_id, silent=silent)
    return redirect(url_for(".index", match_id=match_id), 303)


# Without signing in: whoever holds the mail may end such mails, and nothing else


@bp.get("/unsubscribe/<token>")
def ending(token: str) -> str:
    with current_services().database.look() as session:
        found = read_unsubscribe_token(session, current_services().settings, token)
        return render_template("account/unsubscribe.html", ending=found, done=False)


@bp.post("/unsubscribe/<token>")
def end(token: str) -> str:
    """Ends what the link says; a mail program presses this button by itself (RFC 8058)."""
    services = current_services()
    with services.database.session() as session:
        found = read_unsubscribe_token(session, services.settings, token)
        end_mails(session, found, services.now())
    return render_template("account/unsubscribe.html", ending=found, done=True)


@bp.record_once
def without_form_token(state: BlueprintSetupState) -> None:
    """A mail program has no page of ours to take a form token from; the link itself is the proof."""
    state.app.extensions["csrf"].exempt("app.web.mails.end")
