"""The site's moderators: what stands still, what does not arrive, what players report."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app import access_log, audit, models, security, stewards, suspensions, who
from app.limits import WRITING, account, limiter
from app.services import current
from app.web.care import as_csv

bp = Blueprint("site", __name__, url_prefix="/site")
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)
bp.after_request(security.no_store)
PATIENCE = timedelta(days=3)  # after its deadline a match counts as stalled
MOST_PAGES = 10_000


@bp.before_request
def guard() -> None:
    """For others these pages do not exist."""
    stewards.check_site(who.player())


@bp.get("")
def index() -> str:
    services = current()
    with services.database.look() as session:
        return render_template(
            "site/index.html",
            stalled=stewards.stalled(session, services.now() - PATIENCE),
            bouncing=stewards.bouncing(session),
            dead=stewards.dead_letters(session),
            reports=stewards.open_reports(session),
        )


@bp.post("/reports/<int:number>")
def settle(number: int) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        stewards.settle_report(session, moderator(session), number, services.now())
    flash(_("Settled."))
    return redirect(url_for(".index"), 303)


@bp.get("/people")
def people() -> str:
    """Accounts by name or address; an address is compared, never shown."""
    words = request.args.get("q", "").strip()
    with current().database.look() as session:
        found = suspensions.find_people(session, words)
        return render_template("site/people.html", people=found, words=words)


@bp.get("/people/<int:player_id>")
def person(player_id: int) -> str:
    with current().database.look() as session:
        return render_template(
            "site/person.html",
            person=suspensions.get_person(session, player_id),
            log=access_log.load_access_log(session, player_id),
            log_kinds=access_log.KINDS,
            fresh=who.fresh(),
        )


@bp.post("/people/<int:player_id>/suspend")
@who.freshly_signed_in
def suspend(player_id: int) -> BaseResponse:
    return judged(suspensions.suspend_account, player_id, _("The account is suspended."))


@bp.post("/people/<int:player_id>/lift")
@who.freshly_signed_in
def lift(player_id: int) -> BaseResponse:
    return judged(suspensions.lift_suspension, player_id, _("The account is let in again."))


def judged(act: Callable[..., None], player_id: int, said: str) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        person = suspensions.get_person(session, player_id)
        act(session, person, moderator(session), request.form.get("reason"), services.now())
    flash(said)
    return redirect(url_for(".person", player_id=player_id), 303)


def moderator(session: Session) -> models.Player:
    return session.get_one(models.Player, who.my_id())


@bp.get("/audit")
def deeds() -> str:
    page = min(max(1, request.args.get("page", 1, type=int)), MOST_PAGES)
    with current().database.look() as session:
        found = audit.deeds(session, page=page)
        return render_template(
            "site/audit.html", deeds=found, page=page, more=len(found) == audit.PAGE
        )


@bp.get("/audit.csv")
def deeds_file() -> Response:
    with current().database.look() as session:
        return as_csv(audit.everything(session), "chasqui-audit.csv")
