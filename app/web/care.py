"""Care of a match on pages: what its moderators may do, and what players may ask of them and of each other."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.wrappers import Response as BaseResponse

from app import (
    audit,
    caring,
    consent,
    given,
    models,
    moderation,
    naming,
    play,
    proposals,
    seating,
    stewards,
    store,
    undo,
    who,
)
from app.audit import Deed
from app.i18n import translate
from app.limits import MAILING, REPORTS, account, limiter
from app.services import current
from app.web.match import check_id, place

bp = Blueprint("care", __name__, url_prefix="/m/<match_id>")
bp.url_value_preprocessor(check_id)
limiter.limit(MAILING, key_func=account, methods=["POST"])(bp)
FORMULA = (
    "=",
    "+",
    "-",
    "@",
    "＝",
    "＋",
    "－",
    "＠",
    "\t",
    "\r",
    "\n",
)  # how one begins, in Japan too


def number(name: str) -> int:
    """A whole number of the form."""
    return given.number(request.form.get(name), name)


def head() -> int | None:
    return request.form.get("head", type=int)


def reason() -> str | None:
    return request.form.get("reason")


def done(act: Callable[..., Any], match_id: str, *more: Any) -> Any:
    """One act of whoever is signed in, in one transaction."""
    services = current()
    with services.database.session() as session:
        return act(session, match_id, who.my_id(), *more, services.now())


def to_bench(match_id: str, said: str) -> BaseResponse:
    flash(said)
    return redirect(url_for(".bench", match_id=match_id), 303)


def to_table(match_id: str, said: str) -> BaseResponse:
    flash(said)
    return redirect(url_for("match.turn", match_id=match_id), 303)


def proposed() -> str:
    """What is said to a moderator who may not do something alone."""
    return str(
        _("You may not decide this alone: those whom it concerns are asked whether they agree.")
    )


def is_proposed(match_id: str, head: int) -> bool:
    with current().database.look() as session:
        match = store.load(session.connection(), match_id)
        return bool(consent.waited_for(session, match, head))


# What moderators do


@bp.get("/care")
@who.signed_in
def bench(match_id: str) -> str:
    with current().database.look() as session:
        found = caring.bench(session, place(session, match_id), current().now())
        return render_template("care/bench.html", bench=found, fresh=who.fresh())


@bp.get("/rewind/<int:to>")
@who.signed_in
def turning(match_id: str, to: int) -> str:
    """The board there, what would be cut and who learned what; the button below it acts."""
    with current().database.look() as session:
        found = caring.turning(session, place(session, match_id), to)
        return render_template("care/rewind.html", turning=found, fresh=who.fresh())


@bp.post("/rewind/<int:to>")
@who.freshly_signed_in
def rewind(match_id: str, to: int) -> BaseResponse:
    services = current()
    head = moderation.rewind(
        services.database, match_id, who.my_id(), number("head"), to, reason(), services.now()
    )
    if is_proposed(match_id, head):
        return to_table(match_id, proposed())
    return to_table(match_id, _("The match was taken back; everybody is told."))


@bp.post("/restore")
@who.freshly_signed_in
def restore(match_id: str) -> BaseResponse:
    services = current()
    seen, at = number("head"), services.now()
    head = moderation.restore(services.database, match_id, who.my_id(), seen, at)
    if is_proposed(match_id, head):
        return to_table(match_id, proposed())
    return to_table(match_id, _("What had been cut is back; everybody is told."))


@bp.post("/care/pause")
@who.signed_in
def pause(match_id: str) -> BaseResponse:
    done(moderation.pause, match_id, reason(), head())
    return to_bench(match_id, _("The match is paused."))


@bp.post("/care/resume")
@who.signed_in
def resume(match_id: str) -> BaseResponse:
    done(moderation.resume, match_id, reason(), head())
    return to_bench(match_id, _("The match goes on."))


@bp.post("/care/extend")
@who.signed_in
def extend(match_id: str) -> BaseResponse:
    moved = done(moderation.extend, match_id, reason(), number("hours"), head())
    return to_bench(match_id, _("The deadline was moved.") if moved else proposed())


@bp.post("/care/close")
@who.freshly_signed_in
def close(match_id: str) -> BaseResponse:
    winners = request.form.getlist("winners", type=int)

    def act(session: Session, match_id: str, carer: int, at: datetime) -> bool:
        return moderation.close(session, match_id, carer, reason(), head(), at, winners)

    closed = done(act, match_id)
    return to_table(match_id, _("The match was closed.") if closed else proposed())


@bp.post("/care/replace")
@who.freshly_signed_in
def replace(match_id: str) -> BaseResponse:
    form = request.form
    email, bot = (form.get(name, "").strip() or None for name in ("email", "bot"))
    wish = (number("seat"), email, bot, reason(), head())
    given_away = done(seating.replace_player, match_id, *wish)
    said = _("The seat is given to somebody else.") if given_away else proposed()
    return to_bench(match_id, said)


@bp.post("/care/owner")
@who.freshly_signed_in
def hand_over(match_id: str) -> BaseResponse:
    done(stewards.hand_over, match_id, number("player"), reason(), head())
    return to_table(match_id, _("The match is in other hands now."))


@bp.post("/care/name")
@who.signed_in
def name(match_id: str) -> BaseResponse:
    done(stewards.name_moderator, match_id, number("player"), head())
    return to_bench(match_id, _("One more person cares for this match."))


@bp.post("/care/invite")
@who.signed_in
def invite(match_id: str) -> BaseResponse:
    invited = done(naming.invite, match_id, request.form.get("email", ""), head())
    said = _("They are written to, and care for it when they accept.")
    return to_bench(match_id, said if invited else proposed())


@bp.post("/care/withdraw")
@who.signed_in
def take_back(match_id: str) -> BaseResponse:
    done(naming.withdraw, match_id, number("number"))
    return to_bench(match_id, _("The invitation is taken back."))


@bp.get("/care/invitation")
@who.signed_in
def invitation(match_id: str) -> str:
    """For whoever signs in with the address that was written to."""
    services = current()
    with services.database.look() as session:
        naming.invitation(session, match_id, who.me(), services.now())
        row = session.get_one(models.Match, match_id)
        return render_template("care/invitation.html", row=row)


@bp.post("/care/invitation")
@who.signed_in
def accept(match_id: str) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        naming.accept(session, match_id, who.me(), services.now())
    return to_bench(match_id, _("You care for this match now."))


@bp.post("/care/dismiss")
@who.signed_in
def dismiss(match_id: str) -> BaseResponse:
    done(stewards.dismiss_moderator, match_id, number("player"), head())
    return to_table(match_id, _("One person fewer cares for this match."))


@bp.post("/care/hide")
@who.signed_in
def hide(match_id: str) -> BaseResponse:
    done(stewards.hide_talk, match_id, number("talk"), reason())
    return to_bench(match_id, _("It is hidden."))


@bp.post("/care/refuse")
@who.signed_in
def refuse(match_id: str) -> BaseResponse:
    done(undo.refuse, match_id, number("asked"), reason())
    return to_bench(match_id, _("The wish is refused; the player is told."))


# What players ask


@bp.get("/undo")
@who.signed_in
def asking(match_id: str) -> str:
    with current().database.look() as session:
        found = caring.asking(session, place(session, match_id))
        return render_template("care/undo.html", asking=found)


@bp.post("/undo")
@who.signed_in
def ask(match_id: str) -> BaseResponse:
    granted = done(undo.ask, match_id, number("to"), reason(), head())
    return to_table(
        match_id,
        _("Undone: nobody had acted since, and nothing was revealed.")
        if granted
        else _("You asked; those whom it concerns are written to."),
    )


@bp.post("/undo/answer")
@who.signed_in
def answer(match_id: str) -> BaseResponse:
    granted = done(undo.answer, match_id, number("asked"), request.form.get("agrees") == "yes")
    return to_table(match_id, _("Everybody agreed: it is undone.") if granted else _("Noted."))


@bp.post("/undo/withdraw")
@who.signed_in
def withdraw(match_id: str) -> BaseResponse:
    done(undo.withdraw, match_id, number("asked"))
    return to_table(match_id, _("You ask for it no more."))


@bp.post("/proposal/answer")
@who.signed_in
def answer_proposal(match_id: str) -> BaseResponse:
    agrees = request.form.get("agrees") == "yes"
    granted = done(proposals.answer, match_id, number("asked"), agrees)
    return to_table(match_id, _("Everybody agreed: it is done.") if granted else _("Noted."))


@bp.post("/proposal/withdraw")
@who.signed_in
def withdraw_proposal(match_id: str) -> BaseResponse:
    done(proposals.withdraw, match_id, number("asked"))
    return to_table(match_id, _("You propose it no more."))


@bp.get("/resign")
@who.signed_in
def resigning(match_id: str) -> str:
    with current().database.look() as session:
        play.own_seat(place(session, match_id))
        return render_template("care/resign.html", match_id=match_id, fresh=who.fresh())


@bp.post("/resign")
@who.freshly_signed_in
def resign(match_id: str) -> BaseResponse:
    done(proposals.resign, match_id, reason(), head())
    flash(_("You have given up your seat."))
    return redirect(url_for("lobby.index"), 303)


@bp.get("/report")
@who.signed_in
def reporting(match_id: str) -> str:
    with current().database.look() as session:
        place(session, match_id)
        return render_template("care/report.html", match_id=match_id)


@bp.post("/report")
@limiter.limit(REPORTS, key_func=account)
@who.signed_in
def report(match_id: str) -> BaseResponse:
    services = current()
    with services.database.session() as session:
        here = place(session, match_id)
        stewards.report(session, here, request.form.get("text"), services.now())
    return to_table(match_id, _("The moderators of this site will look at it."))


# The audit


@bp.get("/audit")
@who.signed_in
def deeds(match_id: str) -> str:
    with current().database.look() as session:
        caring.in_charge(place(session, match_id))
        return render_template(
            "care/audit.html", deeds=audit.deeds(session, match_id), match_id=match_id
        )


@bp.get("/audit.csv")
@who.signed_in
def deeds_file(match_id: str) -> Response:
    with current().database.look() as session:
        caring.in_charge(place(session, match_id))
        return as_csv(audit.everything(session, match_id), f"chasqui-{match_id}-audit.csv")


def as_csv(deeds: Iterable[Deed], name: str) -> Response:
    """Deeds as a file for a spreadsheet."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(("at", "match", "role", "name", "act", "pos", "whom", "reason"))
    for deed in deeds:
        who_did = "" if deed.name is None else translate(deed.name)
        whom = "" if deed.whom is None else translate(deed.whom)
        told = (deed.match_id, deed.role, who_did, deed.act, deed.pos, whom, deed.reason)
        lines.writerow([deed.at.isoformat(), *map(harmless, told)])
    return Response(
        text.getvalue(),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def harmless(value: object) -> str:
    """A cell that no spreadsheet takes for a formula."""
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(FORMULA) else text
