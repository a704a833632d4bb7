"""Time on pages: standing orders, coming back, deadlines for a calendar, quiet hours and vacations."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from flask import Blueprint, Response, flash, redirect, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app import accounts, clock, given, ics, play, quiet, standing, timing, vacation, who
from app.errors import Refused
from app.limits import WRITING, account, limiter
from app.services import current
from app.timing import Date
from app.web.match import Page, refused_page

bp = Blueprint("time", __name__)
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)


# At the table


@bp.post("/m/<match_id>/standing")
@who.signed_in
def stand(match_id: str) -> BaseResponse | Page:
    """Keeps the standing orders of the form, or takes them back."""
    try:
        with current().database.session() as session:
            here = play.place(session, given.match_id(match_id), who.my_id())
            told = change_standing(session, here)
    except Refused as problem:
        return refused_page(match_id, problem)
    flash(told)
    return redirect(url_for("match.turn", match_id=match_id, _anchor="standing"), 303)


def change_standing(session: Session, here: play.Place) -> str:
    form = request.form
    if form.get("drop"):
        standing.drop(session, here)
        return str(_("Your standing orders are taken back: you will be asked."))
    limit, cities = form.get("up_to", ""), form.get("cities", "")
    standing.put(session, here, standing.from_form(limit, form.get("share") == "yes", cities))
    return str(_("Your standing orders are kept."))


@bp.post("/m/<match_id>/return")
@who.signed_in
def come_back(match_id: str) -> BaseResponse:
    """Takes the seat back from the bot that plays on."""
    services = current()
    with services.database.session() as session:
        here = play.place(session, given.match_id(match_id), who.my_id())
        timing.come_back(session, here, services.now())
    flash(_("Welcome back: the seat is yours again."))
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.get("/m/<match_id>/deadline.ics")
@who.signed_in
def deadline(match_id: str) -> Response:
    with current().database.look() as session:
        here = play.place(session, given.match_id(match_id), who.my_id())
        return calendar([timing.date_of(session, here)], f"chasqui-{match_id}")


@bp.get("/calendar/<token>.ics")
def feed(token: str) -> Response:
    """Everything that waits for one player, for calendars that know the secret link."""
    services = current()
    with services.database.look() as session:
        return calendar(timing.feed(session, services.settings, token), "chasqui")


def calendar(dates: Iterable[Date], name: str) -> Response:
    services = current()
    base = services.settings.base_url
    host = urlsplit(base).hostname or "localhost"
    text = ics.calendar(dates, base, host, services.now())
    return Response(
        text,
        content_type="text/calendar; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}.ics"'},
    )


# In one's account


@bp.post("/account/quiet")
@who.signed_in
def be_quiet() -> BaseResponse:
    form = request.form
    with current().database.session() as session:
        player = accounts.get(session, who.my_id())
        player.quiet_from, player.quiet_to = quiet.settle(form.get("from"), form.get("to"))
        session.add(player)
    flash(_("Kept."))
    return redirect(url_for("account.show", _anchor="time"), 303)


@bp.post("/account/vacation")
@who.signed_in
def go_away() -> BaseResponse:
    services, form = current(), request.form
    with services.database.session() as session:
        player, now = accounts.get(session, who.my_id()), services.now()
        with clock.stopped(session, who.my_id(), now):
            vacation.take(session, player, form.get("first"), form.get("last"), now)
    flash(_("Your clocks stand still on these days."))
    return redirect(url_for("account.show", _anchor="time"), 303)


@bp.post("/account/vacation/<int:vacation_id>/end")
@who.signed_in
def be_back(vacation_id: int) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        player, now = accounts.get(session, who.my_id()), services.now()
        with clock.stopped(session, who.my_id(), now):
            vacation.end(session, player, vacation_id, now)
    flash(_("Kept."))
    return redirect(url_for("account.show", _anchor="time"), 303)
