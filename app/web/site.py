"""The site's moderators: what stands still, what does not arrive, what players report."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import current_player, is_freshly_signed_in, require_fresh_sign_in, signed_in_id
from app.http.rate_limits import WRITING, limiter, payer
from app.http.security import no_store
from app.moderation.moderators import check_site_moderator
from app.moderation.reports import settle_report
from app.moderation.suspensions import find_people, get_person, lift_suspension, suspend_account
from app.people.access_log import KINDS, load_access_log
from app.platform import tables
from app.platform.services import current_services
from app.views.audit_log import DEEDS_A_PAGE, load_all_deeds, load_deeds
from app.views.site_dashboard import (
    load_bouncing_seats,
    load_dead_letters,
    load_open_reports,
    load_stalled_matches,
)
from app.web.care import as_csv

bp = Blueprint("site", __name__, url_prefix="/site")
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
bp.after_request(no_store)
PATIENCE = timedelta(days=3)  # after its deadline a match counts as stalled
MOST_PAGES = 10_000


@bp.before_request
def guard() -> None:
    """For others these pages do not exist."""
    check_site_moderator(current_player())


@bp.get("")
def index() -> str:
    services = current_services()
    with services.database.look() as session:
        return render_template(
            "site/index.html",
            stalled=load_stalled_matches(session, services.now() - PATIENCE),
            bouncing=load_bouncing_seats(session),
            dead=load_dead_letters(session),
            reports=load_open_reports(session),
        )


@bp.post("/reports/<int:number>")
def settle(number: int) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        settle_report(session, moderator(session), number, services.now())
    flash(_("Settled."))
    return redirect(url_for(".index"), 303)


@bp.get("/people")
def people() -> str:
    """Accounts by name or address; an address is compared, never shown."""
    words = request.args.get("q", "").strip()
    with current_services().database.look() as session:
        found = find_people(session, words)
        return render_template("site/people.html", people=found, words=words)


@bp.get("/people/<int:player_id>")
def person(player_id: int) -> str:
    with current_services().database.look() as session:
        return render_template(
            "site/person.html",
            person=get_person(session, player_id),
            log=load_access_log(session, player_id),
            log_kinds=KINDS,
            fresh=is_freshly_signed_in(),
        )


@bp.post("/people/<int:player_id>/suspend")
@require_fresh_sign_in
def suspend(player_id: int) -> BaseResponse:
    return judged(suspend_account, player_id, _("The account is suspended."))


@bp.post("/people/<int:player_id>/lift")
@require_fresh_sign_in
def lift(player_id: int) -> BaseResponse:
    return judged(lift_suspension, player_id, _("The account is let in again."))


def judged(act: Callable[..., None], player_id: int, said: str) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        person = get_person(session, player_id)
        act(session, person, moderator(session), request.form.get("reason"), services.now())
    flash(said)
    return redirect(url_for(".person", player_id=player_id), 303)


def moderator(session: Session) -> tables.Player:
    return session.get_one(tables.Player, signed_in_id())


@bp.get("/audit")
def deeds() -> str:
    page = min(max(1, request.args.get("page", 1, type=int)), MOST_PAGES)
    with current_services().database.look() as session:
        found = load_deeds(session, page=page)
        return render_template(
            "site/audit.html", deeds=found, page=page, more=len(found) == DEEDS_A_PAGE
        )


@bp.get("/audit.csv")
def deeds_file() -> Response:
    with current_services().database.look() as session:
        return as_csv(load_all_deeds(session), "chasqui-audit.csv")
