"""Time on pages: standing orders, coming back, deadlines for a calendar, quiet hours and vacations."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Blueprint, Response, flash, redirect, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app.clocks.clocks import clocks_stopped
from app.clocks.quiet_hours import settle_quiet_hours
from app.clocks.vacations import end_vacation, take_vacation
from app.eventstore.store import check_match_id
from app.http.auth import require_sign_in, signed_in_id
from app.http.error_handlers import STATUS
from app.http.rate_limits import WRITING, limiter, payer
from app.matches import bot_moves
from app.matches.access import Place, access_match
from app.matches.standing_orders import (
    drop_standing_orders,
    standing_by_form,
)
from app.people.accounts import load_account
from app.platform.errors import Refused
from app.platform.services import current_services
from app.views.calendar_file import make_calendar_file
from app.views.deadlines import Date, load_calendar_feed, load_deadline
from app.web.account import account_page
from app.web.match import Page, refused_page

bp = Blueprint("time", __name__)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)


# At the table


@bp.post("/m/<match_id>/standing")
@require_sign_in
def stand(match_id: str) -> BaseResponse | Page:
    """Keeps the standing orders of the form, or takes them back."""
    try:
        with current_services().database.session() as session:
            here = access_match(session, check_match_id(match_id), signed_in_id())
            told = change_standing(session, here)
    except Refused as problem:
        return refused_page(match_id, problem)
    flash(told)
    return redirect(url_for("match.turn", match_id=match_id, _anchor="standing"), 303)


def change_standing(session: Session, here: Place) -> str:
    form = request.form
    if form.get("drop"):
        drop_standing_orders(session, here)
        return str(_("Your standing orders are taken back: you will be asked."))
    standing_by_form(session, here, form.get("question", ""), form)
    return str(_("Your standing orders are kept."))


@bp.post("/m/<match_id>/return")
@require_sign_in
def come_back(match_id: str) -> BaseResponse:
    """Takes the seat back from the bot that plays on."""
    services = current_services()
    with services.database.session() as session:
        here = access_match(session, check_match_id(match_id), signed_in_id())
        bot_moves.come_back(session, here, services.now())
    flash(_("Welcome back: the seat is yours again."))
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.get("/m/<match_id>/deadline.ics")
@require_sign_in
def deadline(match_id: str) -> Response:
    with current_services().database.look() as session:
        here = access_match(session, check_match_id(match_id), signed_in_id())
        return calendar([load_deadline(session, here)], f"chasqui-{match_id}")


@bp.get("/calendar/<token>.ics")
def feed(token: str) -> Response:
    """Everything that waits for one player, for calendars that know the secret link."""
    services = current_services()
    with services.database.look() as session:
        return calendar(load_calendar_feed(session, services.settings, token), "chasqui")


def calendar(dates: Iterable[Date], name: str) -> Response:
    services = current_services()
    base = services.settings.base_url
    host = urlsplit(base).hostname or "localhost"
    text = make_calendar_file(dates, base, host, services.now())
    return Response(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.ics"'},
    )


# In one's account


@bp.post("/account/quiet")
@require_sign_in
def be_quiet() -> BaseResponse | Page:
    form = request.form
    try:
        with current_services().database.session() as session:
            player = load_account(session, signed_in_id())
            player.quiet_from, player.quiet_to = settle_quiet_hours(
                form.get("from"), form.get("to")
            )
            session.add(player)
    except Refused as problem:
        return account_page(problem, "quiet"), STATUS[problem.code]
    flash(_("Kept."))
    return redirect(url_for("account.show", _anchor="time"), 303)


@bp.post("/account/vacation")
@require_sign_in
def go_away() -> BaseResponse | Page:
    services, form = current_services(), request.form
    try:
        with services.database.session() as session:
            player, now = load_account(session, signed_in_id()), services.now()
            with clocks_stopped(session, signed_in_id(), now):
                take_vacation(session, player, form.get("first"), form.get("last"), now)
    except Refused as problem:
        return account_page(problem, "vacation"), STATUS[problem.code]
    flash(_("Your clocks stand still on these days."))
    return redirect(url_for("account.show", _anchor="time"), 303)


@bp.post("/account/vacation/<int:vacation_id>/end")
@require_sign_in
def be_back(vacation_id: int) -> BaseResponse:
    services = current_services()
    with services.database.session() as session:
        player, now = load_account(session, signed_in_id()), services.now()
        with clocks_stopped(session, signed_in_id(), now):
            end_vacation(session, player, vacation_id, now)
    flash(_("Kept."))
    return redirect(url_for("account.show", _anchor="time"), 303)
