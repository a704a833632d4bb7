"""The site's moderators: what stands still, what does not arrive, what players report."""

from __future__ import annotations

from datetime import timedelta

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app import audit, models, stewards, who
from app.limits import WRITING, account, limiter
from app.services import current
from app.web.care import as_csv

bp = Blueprint("site", __name__, url_prefix="/site")
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)
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
