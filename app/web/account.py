"""The account page and what it leads to."""

from __future__ import annotations

import json
from collections.abc import Sequence

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.clocks.quiet_hours import format_time_of_day
from app.clocks.vacations import load_shown_vacations, load_vacations
from app.http.auth import (
    current_browser,
    drop_cookie,
    is_freshly_signed_in,
    read_next_page,
    require_fresh_sign_in,
    require_sign_in,
    session_id,
    signed_in_id,
    signed_in_player,
)
from app.http.error_handlers import STATUS
from app.http.rate_limits import WRITING, limiter, payer
from app.http.security import no_store
from app.moderation.departures import delete_account
from app.outbox.mail_preferences import MAILS, choose_invitations, is_declined, wants_mail
from app.people import sessions
from app.people.access_log import KINDS, load_access_log
from app.people.account_deletion import export_account
from app.people.accounts import (
    change_account,
    change_mails,
    load_account,
    offered_timezones,
)
from app.people.address_changes import load_address_change
from app.people.api_tokens import SCOPES, end_api_token, hand_out_token, load_api_tokens
from app.people.passkeys import load_passkeys, relying_party
from app.people.sessions import open_sessions
from app.platform.errors import Refused
from app.platform.services import current_services
from app.views.deadlines import calendar_token

bp = Blueprint("account", __name__, url_prefix="/account")
bp.after_request(no_store)
limiter.limit(WRITING, key_func=payer)(bp)
USUAL_SCOPES = ("read", "play")


@bp.get("")
@require_sign_in
def show() -> str:
    return account_page()


def account_page(problem: Refused | None = None, at: str = "") -> str:
    """The account; what cannot be is told at the form that asked for it, as it was filled in."""
    services, me, mine = current_services(), signed_in_player(), signed_in_id()
    with services.database.look() as session:
        taken = load_vacations(session, mine)
        ways_in = {
            "change": load_address_change(session, mine, services.now()),
            "passkeys": load_passkeys(session, mine),
            "sessions": open_sessions(session, mine, services.now()),
            "log": load_access_log(session, mine),
        }
        declined = bool(me.email) and is_declined(session, me.email or "")
    token, ticked = calendar_token(services.settings, me), request.form.getlist("mails")
    return render_template(
        "account/show.html",
        quiet={"from": format_time_of_day(me.quiet_from), "to": format_time_of_day(me.quiet_to)},
        vacations=load_shown_vacations(me, taken, services.now()),
        declined=declined,
        feed=services.settings.base_url + url_for("time.feed", token=token),
        next=read_next_page(""),
        zones={zone: zone.replace("_", " ") for zone in offered_timezones(me.timezone)},
        mails={mail: mail in ticked if at == "mails" else wants_mail(me, mail) for mail in MAILS},
        by_passkey=relying_party(services.settings) is not None,
        this_session=session_id(),
        log_kinds=KINDS,
        fresh=is_freshly_signed_in(),
        problem=problem,
        wrong=at,
        form=request.form,
        **ways_in,
    )


@bp.post("")
@require_sign_in
def change() -> BaseResponse | tuple[str, int]:
    """Keeps a section of the page, the one that its Save stands in; a form that names none has both."""
    form, at = request.form, current_services().now()
    section = form.get("section")
    try:
        with current_services().database.session() as session:
            if section != "mails":
                change_account(
                    session,
                    signed_in_id(),
                    name=form.get("name"),
                    language=form.get("language"),
                    timezone=form.get("timezone"),
                    at=at,
                )
            if section != "you":
                wanted = set(form.getlist("mails"))
                change_mails(session, signed_in_id(), wanted, form.get("cooling"), at)
    except Refused as problem:
        return account_page(problem, section or "you"), STATUS[problem.code]
    flash(_("Kept."))
    return redirect(read_next_page(url_for(".show")), 303)


@bp.post("/invitations")
@require_sign_in
def invitations() -> BaseResponse:
    """Whether one is written to when somebody invites one; undoes what a link in an invitation did."""
    services = current_services()
    with services.database.session() as session:
        player = load_account(session, signed_in_id())
        wanted = request.form.get("wanted") == "yes"
        choose_invitations(session, player, services.now(), wanted=wanted)
    flash(_("Kept."))
    return redirect(url_for(".show", _anchor="invitations"), 303)


@bp.post("/sessions/<int:session_id>/end")
@require_sign_in
def end_session(session_id: int) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        sessions.end_session(session, signed_in_id(), session_id, services.now())
    flash(_("That browser is signed out."))
    return redirect(url_for(".show", _anchor="access"), 303)


@bp.get("/tokens")
@require_sign_in
def tokens() -> str:
    return tokens_page()


@bp.post("/tokens")
@require_fresh_sign_in
def new_token() -> str | tuple[str, int]:
    """Shows the new key right away: it is in no address and cannot be shown again."""
    services = current_services()
    try:
        with services.database.session() as session:
            made = hand_out_token(
                session,
                signed_in_id(),
                name=request.form.get("name"),
                scopes=chosen_scopes(),
                browser=current_browser().name,
                at=services.now(),
            )
    except Refused as problem:
        return tokens_page(problem=problem), STATUS[problem.code]
    return tokens_page(made)


def chosen_scopes() -> Sequence[str]:
    """The boxes that were ticked; a form that does not show them means those that are ticked at first."""
    form = request.form
    return form.getlist("scopes") if "chosen" in form else form.getlist("scopes") or USUAL_SCOPES


def tokens_page(made: str | None = None, problem: Refused | None = None) -> str:
    services = current_services()
    with services.database.look() as session:
        return render_template(
            "account/tokens.html",
            made=made,
            tokens=load_api_tokens(session, signed_in_id(), services.now()),
            scopes=SCOPES,
            usual=chosen_scopes() if problem else USUAL_SCOPES,
            problem=problem,
            name=request.form.get("name", "") if problem else "",
            fresh=is_freshly_signed_in(),
        )


@bp.post("/tokens/<int:token_id>/end")
@require_sign_in
def end_token(token_id: int) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        end_api_token(session, signed_in_id(), token_id, services.now())
    flash(_("That token opens nothing any more."))
    return redirect(url_for(".tokens"), 303)


@bp.get("/export")
@require_sign_in
def export() -> Response:
    services = current_services()
    with services.database.look() as session:
        everything = export_account(session, signed_in_id(), services.now())
    return Response(
        json.dumps(everything, ensure_ascii=False, indent=2),
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="chasqui-account.json"'},
    )


@bp.get("/delete")
@require_sign_in
def before_deletion() -> str:
    return render_template("account/delete.html", fresh=is_freshly_signed_in())


@bp.post("/delete")
@require_fresh_sign_in
def delete() -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        delete_account(session, signed_in_id(), services.now())
    response = redirect(url_for("pages.home"), 303)
    drop_cookie(response, "session")
    flash(_("Your account is deleted. Farewell!"))
    return response
