"""Care of a match on pages: what its moderators may do, and what players may ask of them and of each other."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import (
    is_freshly_signed_in,
    require_fresh_sign_in,
    require_sign_in,
    signed_in_id,
    signed_in_player,
)
from app.http.error_handlers import STATUS
from app.http.rate_limits import MAILING, REPORTS, limiter, payer
from app.http.request_input import check_number
from app.matches.access import check_own_seat
from app.moderation import commands
from app.moderation.execute import Outcome, execute
from app.moderation.moderator_invitations import load_moderator_invitation
from app.moderation.reports import report_match
from app.platform import tables
from app.platform.errors import Refused
from app.platform.i18n import translate_sentence
from app.platform.services import current_services
from app.views.audit_log import Deed, load_all_deeds, load_deeds
from app.views.moderation_page import (
    check_in_charge,
    load_moderation_page,
    load_turn_back,
    load_undo_choices,
)
from app.web.match import check_id, place

bp = Blueprint("care", __name__, url_prefix="/m/<match_id>")
bp.url_value_preprocessor(check_id)
limiter.limit(MAILING, key_func=payer, methods=["POST"])(bp)
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
    return check_number(request.form.get(name), name)


def head() -> int | None:
    return request.form.get("head", type=int)


def reason() -> str | None:
    return request.form.get("reason")


def run(command: commands.Command) -> Outcome:
    """One command of whoever is signed in, in one transaction."""
    services = current_services()
    return execute(services.database, command, services.now())


def asked(match_id: str) -> dict[str, Any]:
    """By whom, to which match, and where they saw it."""
    return {"match_id": match_id, "by": signed_in_id(), "expected_head": head()}


def answered() -> dict[str, Any]:
    """What a form says to a question: which, and whether its reader agrees."""
    return {"asked": number("asked"), "agrees": request.form.get("agrees") == "yes"}


def to_bench(match_id: str, said: str) -> BaseResponse:
    flash(said)
    return redirect(url_for(".bench", match_id=match_id), 303)


def to_table(match_id: str, said: str) -> BaseResponse:
    flash(said)
    return redirect(url_for("match.turn", match_id=match_id), 303)


def done_or_proposed(outcome: Outcome, done: str) -> str:
    """What is said to a moderator, who may not decide everything alone."""
    if outcome.done:
        return done
    return str(
        _("You may not decide this alone: those whom it concerns are asked whether they agree.")
    )


# What moderators do


@bp.get("/care")
@require_sign_in
def bench(match_id: str) -> str:
    with current_services().database.look() as session:
        found = load_moderation_page(session, place(session, match_id), current_services().now())
        return render_template("care/bench.html", bench=found, fresh=is_freshly_signed_in())


@bp.get("/rewind/<int:to>")
@require_sign_in
def turning(match_id: str, to: int) -> str:
    """The board there, what would be cut and who learned what; the button below it acts."""
    with current_services().database.look() as session:
        found = load_turn_back(session, place(session, match_id), to)
        return render_template("care/rewind.html", turning=found, fresh=is_freshly_signed_in())


@bp.post("/rewind/<int:to>")
@require_fresh_sign_in
def rewind(match_id: str, to: int) -> BaseResponse:
    command = commands.Rewind(
        match_id=match_id, by=signed_in_id(), to=to, reason=reason(), expected_head=number("head")
    )
    taken_back = _("The match was taken back; everybody is told.")
    return to_table(match_id, done_or_proposed(run(command), taken_back))


@bp.post("/restore")
@require_fresh_sign_in
def restore(match_id: str) -> BaseResponse:
    command = commands.Restore(match_id=match_id, by=signed_in_id(), expected_head=number("head"))
    back = _("What had been cut is back; everybody is told.")
    return to_table(match_id, done_or_proposed(run(command), back))


@bp.post("/care/pause")
@require_sign_in
def pause(match_id: str) -> BaseResponse:
    run(commands.Pause(**asked(match_id), reason=reason()))
    return to_bench(match_id, _("The match is paused."))


@bp.post("/care/resume")
@require_sign_in
def resume(match_id: str) -> BaseResponse:
    run(commands.Resume(**asked(match_id), reason=reason()))
    return to_bench(match_id, _("The match goes on."))


@bp.post("/care/extend")
@require_sign_in
def extend(match_id: str) -> BaseResponse:
    outcome = run(commands.Extend(**asked(match_id), reason=reason(), hours=number("hours")))
    return to_bench(match_id, done_or_proposed(outcome, _("The deadline was moved.")))


@bp.post("/care/close")
@require_fresh_sign_in
def close(match_id: str) -> BaseResponse:
    winners = request.form.getlist("winners", type=int)
    outcome = run(commands.Close(**asked(match_id), reason=reason(), winners=winners))
    return to_table(match_id, done_or_proposed(outcome, _("The match was closed.")))


@bp.post("/care/replace")
@require_fresh_sign_in
def replace(match_id: str) -> BaseResponse:
    email, bot = (request.form.get(name, "").strip() or None for name in ("email", "bot"))
    outcome = run(
        commands.ReplacePlayer(
            **asked(match_id), seat=number("seat"), email=email, bot=bot, reason=reason()
        )
    )
    return to_bench(match_id, done_or_proposed(outcome, _("The seat is given to somebody else.")))


@bp.post("/care/owner")
@require_fresh_sign_in
def hand_over(match_id: str) -> BaseResponse:
    run(commands.HandOver(**asked(match_id), player_id=number("player"), reason=reason()))
    return to_table(match_id, _("The match is in other hands now."))


@bp.post("/care/name")
@require_sign_in
def name(match_id: str) -> BaseResponse:
    run(commands.NameModerator(**asked(match_id), player_id=number("player")))
    return to_bench(match_id, _("One more person cares for this match."))


@bp.post("/care/invite")
@require_sign_in
def invite(match_id: str) -> BaseResponse:
    outcome = run(commands.InviteModerator(**asked(match_id), email=request.form.get("email", "")))
    written_to = _("They are written to, and care for it when they accept.")
    return to_bench(match_id, done_or_proposed(outcome, written_to))


@bp.post("/care/withdraw")
@require_sign_in
def take_back(match_id: str) -> BaseResponse:
    which = number("number")
    run(commands.WithdrawModeratorInvitation(match_id=match_id, by=signed_in_id(), number=which))
    return to_bench(match_id, _("The invitation is taken back."))


@bp.get("/care/invitation")
@require_sign_in
def invitation(match_id: str) -> str:
    """For whoever signs in with the address that was written to."""
    services = current_services()
    with services.database.look() as session:
        load_moderator_invitation(session, match_id, signed_in_player(), services.now())
        row = session.get_one(tables.Match, match_id)
        return render_template("care/invitation.html", row=row)


@bp.post("/care/invitation")
@require_sign_in
def accept(match_id: str) -> BaseResponse:
    run(commands.AcceptModeratorInvitation(match_id=match_id, by=signed_in_id()))
    return to_bench(match_id, _("You care for this match now."))


@bp.post("/care/dismiss")
@require_sign_in
def dismiss(match_id: str) -> BaseResponse:
    run(commands.DismissModerator(**asked(match_id), player_id=number("player")))
    return to_table(match_id, _("One person fewer cares for this match."))


@bp.post("/care/hide")
@require_sign_in
def hide(match_id: str) -> BaseResponse:
    talk = number("talk")
    run(commands.HideTalk(match_id=match_id, by=signed_in_id(), talk_id=talk, reason=reason()))
    return to_bench(match_id, _("It is hidden."))


@bp.post("/care/refuse")
@require_sign_in
def refuse(match_id: str) -> BaseResponse:
    wish = number("asked")
    run(commands.RefuseUndo(match_id=match_id, by=signed_in_id(), asked=wish, reason=reason()))
    return to_bench(match_id, _("The wish is refused; the player is told."))


# What players ask


@bp.get("/undo")
@require_sign_in
def asking(match_id: str) -> str:
    with current_services().database.look() as session:
        found = load_undo_choices(session, place(session, match_id))
        return render_template("care/undo.html", asking=found)


@bp.post("/undo")
@require_sign_in
def ask(match_id: str) -> BaseResponse:
    outcome = run(commands.AskUndo(**asked(match_id), to=number("to"), reason=reason()))
    return to_table(
        match_id,
        _("Undone: nobody had acted since, and nothing was revealed.")
        if outcome.done
        else _("You asked; those whom it concerns are written to."),
    )


@bp.post("/undo/answer")
@require_sign_in
def answer(match_id: str) -> BaseResponse:
    outcome = run(commands.AnswerUndo(match_id=match_id, by=signed_in_id(), **answered()))
    return to_table(match_id, _("Everybody agreed: it is undone.") if outcome.done else _("Noted."))


@bp.post("/undo/withdraw")
@require_sign_in
def withdraw(match_id: str) -> BaseResponse:
    wish = number("asked")
    run(commands.WithdrawUndo(match_id=match_id, by=signed_in_id(), asked=wish))
    return to_table(match_id, _("You ask for it no more."))


@bp.post("/proposal/answer")
@require_sign_in
def answer_proposal(match_id: str) -> BaseResponse:
    outcome = run(commands.AnswerProposal(match_id=match_id, by=signed_in_id(), **answered()))
    return to_table(match_id, _("Everybody agreed: it is done.") if outcome.done else _("Noted."))


@bp.post("/proposal/withdraw")
@require_sign_in
def withdraw_proposal(match_id: str) -> BaseResponse:
    wish = number("asked")
    run(commands.WithdrawProposal(match_id=match_id, by=signed_in_id(), asked=wish))
    return to_table(match_id, _("You propose it no more."))


@bp.get("/resign")
@require_sign_in
def resigning(match_id: str) -> str:
    with current_services().database.look() as session:
        check_own_seat(place(session, match_id))
        return render_template("care/resign.html", match_id=match_id, fresh=is_freshly_signed_in())


@bp.post("/resign")
@require_fresh_sign_in
def resign(match_id: str) -> BaseResponse:
    run(commands.Resign(**asked(match_id), reason=reason()))
    flash(_("You have given up your seat."))
    return redirect(url_for("lobby.index"), 303)


@bp.get("/report")
@require_sign_in
def reporting(match_id: str) -> str:
    with current_services().database.look() as session:
        place(session, match_id)
    return report_page(match_id)


def report_page(match_id: str, problem: Refused | None = None) -> str:
    text = request.form.get("text", "")
    return render_template("care/report.html", match_id=match_id, problem=problem, text=text)


@bp.post("/report")
@limiter.limit(REPORTS, key_func=payer)
@require_sign_in
def report(match_id: str) -> BaseResponse | tuple[str, int]:
    services = current_services()
    try:
        with services.database.session() as session:
            here = place(session, match_id)
            report_match(session, here, request.form.get("text"), services.now())
    except Refused as problem:
        return report_page(match_id, problem), STATUS[problem.code]
    return to_table(match_id, _("The moderators of this site will look at it."))


# The audit


@bp.get("/audit")
@require_sign_in
def deeds(match_id: str) -> str:
    with current_services().database.look() as session:
        check_in_charge(place(session, match_id))
        return render_template(
            "care/audit.html", deeds=load_deeds(session, match_id), match_id=match_id
        )


@bp.get("/audit.csv")
@require_sign_in
def deeds_file(match_id: str) -> Response:
    with current_services().database.look() as session:
        check_in_charge(place(session, match_id))
        return as_csv(load_all_deeds(session, match_id), f"chasqui-{match_id}-audit.csv")


def as_csv(deeds: Iterable[Deed], name: str) -> Response:
    """Deeds as a file for a spreadsheet."""
    text = io.StringIO()
    lines = csv.writer(text)
    lines.writerow(("at", "match", "role", "name", "act", "pos", "whom", "reason"))
    for deed in deeds:
        who_did = "" if deed.name is None else translate_sentence(deed.name)
        whom = "" if deed.whom is None else translate_sentence(deed.whom)
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
