"""The account page and what it leads to."""

from __future__ import annotations

import json
from collections.abc import Sequence

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app import (
    access_log,
    accounts,
    address_changes,
    api_tokens,
    leaving,
    passkeys,
    quiet,
    security,
    signin,
    subscriptions,
    timing,
    vacation,
    who,
)
from app.limits import WRITING, account, limiter
from app.services import current

bp = Blueprint("account", __name__, url_prefix="/account")
bp.after_request(security.no_store)
limiter.limit(WRITING, key_func=account)(bp)
USUAL_SCOPES = ("read", "play")


@bp.get("")
@who.signed_in
def show() -> str:
    services, me, mine = current(), who.me(), who.my_id()
    with services.database.look() as session:
        taken = vacation.of_player(session, mine)
        ways_in = {
            "change": address_changes.load_address_change(session, mine, services.now()),
            "passkeys": passkeys.passkeys_of(session, mine),
            "sessions": signin.open_sessions(session, mine, services.now()),
            "log": access_log.load_access_log(session, mine),
        }
        declined = bool(me.email) and subscriptions.is_declined(session, me.email or "")
    token = timing.feed_token(services.settings, me)
    return render_template(
        "account/show.html",
        quiet={"from": quiet.written(me.quiet_from), "to": quiet.written(me.quiet_to)},
        vacations=vacation.shown(me, taken, services.now()),
        declined=declined,
        feed=services.settings.base_url + url_for("time.feed", token=token),
        next=who.next_page(""),
        zones={zone: zone.replace("_", " ") for zone in accounts.timezones()},
        mails={mail: accounts.wants(me, mail) for mail in accounts.MAILS},
        by_passkey=passkeys.relying_party(services.settings) is not None,
        this_session=who.session_id(),
        log_kinds=access_log.KINDS,
        fresh=who.fresh(),
        **ways_in,
    )


@bp.post("")
@who.signed_in
def change() -> BaseResponse:
    form = request.form
    with current().database.session() as session:
        accounts.change(
            session,
            who.my_id(),
            name=form.get("name"),
            language=form.get("language"),
            timezone=form.get("timezone"),
            mails=set(form.getlist("mails")),
            at=current().now(),
        )
    flash(_("Kept."))
    return redirect(who.next_page(url_for(".show")), 303)


@bp.post("/invitations")
@who.signed_in
def invitations() -> BaseResponse:
    """Whether one is written to when somebody invites one; undoes what a link in an invitation did."""
    services = current()
    with services.database.session() as session:
        player = accounts.get(session, who.my_id())
        wanted = request.form.get("wanted") == "yes"
        subscriptions.choose_invitations(session, player, services.now(), wanted=wanted)
    flash(_("Kept."))
    return redirect(url_for(".show", _anchor="invitations"), 303)


@bp.post("/sessions/<int:session_id>/end")
@who.signed_in
def end_session(session_id: int) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        signin.end_session(session, who.my_id(), session_id, services.now())
    flash(_("That browser is signed out."))
    return redirect(url_for(".show", _anchor="access"), 303)


@bp.get("/tokens")
@who.signed_in
def tokens() -> str:
    return tokens_page()


@bp.post("/tokens")
@who.freshly_signed_in
def new_token() -> str:
    """Shows the new key right away: it is in no address and cannot be shown again."""
    services = current()
    with services.database.session() as session:
        made = api_tokens.hand_out_token(
            session,
            who.my_id(),
            request.form.get("name"),
            chosen_scopes(),
            who.browser().name,
            services.now(),
        )
    return tokens_page(made)


def chosen_scopes() -> Sequence[str]:
    """The boxes that were ticked; a form that does not show them means those that are ticked at first."""
    form = request.form
    return form.getlist("scopes") if "chosen" in form else form.getlist("scopes") or USUAL_SCOPES


def tokens_page(made: str | None = None) -> str:
    services = current()
    with services.database.look() as session:
        return render_template(
            "account/tokens.html",
            made=made,
            tokens=accounts.tokens_of(session, who.my_id(), services.now()),
            scopes=accounts.SCOPES,
            usual=USUAL_SCOPES,
            fresh=who.fresh(),
        )


@bp.post("/tokens/<int:token_id>/end")
@who.signed_in
def end_token(token_id: int) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        accounts.end_token(session, who.my_id(), token_id, services.now())
    flash(_("That token opens nothing any more."))
    return redirect(url_for(".tokens"), 303)


@bp.get("/export")
@who.signed_in
def export() -> Response:
    services = current()
    with services.database.look() as session:
        everything = leaving.export(session, who.my_id(), services.now())
    return Response(
        json.dumps(everything, ensure_ascii=False, indent=2),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="chasqui-account.json"'},
    )


@bp.get("/delete")
@who.signed_in
def before_deletion() -> str:
    return render_template("account/delete.html", fresh=who.fresh())


@bp.post("/delete")
@who.freshly_signed_in
def delete() -> BaseResponse:
    services = current()
    with services.database.session() as session:
        leaving.delete_account(session, who.my_id(), services.now())
    response = redirect(url_for("pages.home"), 303)
    who.drop_cookie(response, "session")
    flash(_("Your account is deleted. Farewell!"))
    return response
