"""Lessons: the path of each game, and a task at a time on the real board."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

from flask import Blueprint, Response, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from flask_limiter import RateLimitExceeded
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import current_player, open_browser_session, require_sign_in, signed_in_id
from app.http.error_handlers import STATUS
from app.http.rate_limits import GUESTS, MAILING, WRITING, limiter, payer, peer_address
from app.http.turn_addresses import TurnAddresses, position_addresses
from app.learning.lessons import (
    Lesson,
    Solved,
    attempt_lesson,
    find_lesson,
    find_path,
    list_paths,
    open_lesson,
    tell_lesson_solution,
)
from app.mail.outgoing.exercise import call_for_lesson
from app.people.sessions import SignedIn, guest_login
from app.people.solved_lessons import load_solved_lessons, write_solved_lesson
from app.platform.errors import LineRefused, Refused
from app.platform.i18n import language_here
from app.platform.services import current_services
from app.views.position_page import preview_position
from app.web.composing import (
    orders_of_address,
    orders_of_form,
    position_brings,
    position_choices,
    position_draft,
    position_page,
)

bp = Blueprint("learn", __name__, url_prefix="/learn")
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
Page = tuple[str, int]


@bp.get("")
def index() -> str:
    return render_template("learn/index.html", paths=list_paths(solved_here()))


@bp.get("/<key>")
def path(key: str) -> str:
    return render_template("learn/path.html", path=find_path(key, solved_here()))


def solved_here() -> Solved:
    """The lessons that whoever asks has solved."""
    player = current_player()
    if player is None or player.id is None:
        return frozenset()
    with current_services().database.look() as session:
        return load_solved_lessons(session, player.id)


@bp.get("/<key>/<name>")
def show(key: str, name: str) -> str:
    """The task, with the draft that the address carries."""
    lesson, orders = find_lesson(key, name), orders_of_address()
    waiting = preview_position(open_lesson(lesson), orders).waiting
    if len(waiting) == 1:  # as in a solution that ends with what draws, reveals or ends the match
        return lesson_page(lesson, orders[:-1], confirm=waiting[0])
    return lesson_page(lesson, orders)


def addresses(lesson: Lesson, orders: list[str]) -> TurnAddresses:
    return position_addresses("learn", orders, key=lesson.game, name=lesson.key)


def lesson_page(
    lesson: Lesson,
    orders: list[str],
    *,
    problem: Refused | None = None,
    typed: str = "",
    confirm: str | None = None,
) -> str:
    return position_page(
        "learn/lesson.html",
        open_lesson(lesson),
        addresses(lesson, orders),
        problem=problem,
        typed=typed or request.args.get("verb", ""),
        confirm=confirm,
        **surroundings(lesson),
    )


def surroundings(lesson: Lesson) -> dict[str, Any]:
    """The lesson, and what stands in the line above the board."""
    path = find_path(lesson.game, solved_here())
    number = path.number(lesson)
    return {
        "lesson": lesson,
        "practice": True,
        "told_solution": tell_lesson_solution(lesson.game, lesson.key),
        "following": path.following(lesson),
        "where": _("Lesson %(number)s of %(all)s", number=number, all=len(path.lessons)),
        "links": (
            (url_for("learn.path", key=lesson.game), _("Lessons")),
            (
                url_for("analysis.show", kind="lesson", key=lesson.game, name=lesson.key),
                _("Analysis"),
            ),
            (url_for("help.game", key=lesson.game), _("Rules")),
        ),
    }


@bp.get("/<key>/<name>/parts")
def parts(key: str, name: str) -> str:
    return lesson_page(find_lesson(key, name), orders_of_address())


@bp.get("/<key>/<name>/choices")
def choices(key: str, name: str) -> Response:
    return position_choices(open_lesson(find_lesson(key, name)))


@bp.get("/<key>/<name>/brings")
def brings(key: str, name: str) -> Response:
    return position_brings(open_lesson(find_lesson(key, name)))


@bp.post("/<key>/<name>/draft")
def draft(key: str, name: str) -> BaseResponse | Page:
    lesson = find_lesson(key, name)
    return position_draft(
        open_lesson(lesson), partial(lesson_page, lesson), partial(addresses, lesson)
    )


@bp.post("/<key>/<name>/commit")
def commit(key: str, name: str) -> BaseResponse | Page:
    """Plays the orders; whoever solves the task is remembered."""
    lesson, orders = find_lesson(key, name), orders_of_form()
    try:
        attempt = attempt_lesson(lesson, orders)
    except LineRefused as problem:
        return lesson_page(lesson, orders, problem=problem), STATUS[problem.code]
    response = redirect(url_for(".played", key=key, name=name, order=orders), 303)
    return remember(lesson, response) if attempt.solved else response


@bp.post("/<key>/<name>/mail")
@limiter.limit(MAILING, key_func=payer)
@require_sign_in
def by_mail(key: str, name: str) -> BaseResponse:
    """Has the lesson written to a member, who answers it by mail."""
    lesson, services = find_lesson(key, name), current_services()
    number = find_path(key).number(lesson)
    with services.database.session() as session:
        call_for_lesson(session, signed_in_id(), lesson.game, number, services.now())
    flash(_("The lesson is on its way to you by mail."))
    return redirect(url_for(".path", key=key), 303)


def remember(lesson: Lesson, response: BaseResponse) -> BaseResponse:
    """Keeps that a lesson is solved; whoever is nobody yet becomes a guest, so that there is somebody to keep it for."""
    services = current_services()
    guest = None if current_player() else new_guest()
    if guest is None and current_player() is None:
        return response
    player_id = guest.player.id if guest else signed_in_id()
    with services.database.session() as session:
        write_solved_lesson(session, player_id or 0, lesson.game, lesson.key, services.now())
    return open_browser_session(response, guest) if guest else response


def new_guest() -> SignedIn | None:
    """A guest; None where so many came from one address that no more are made: a lesson is played all the same."""
    services = current_services()
    with (
        suppress(RateLimitExceeded),
        limiter.limit(GUESTS, key_func=peer_address),
        services.database.session() as session,
    ):
        return guest_login(session, language_here(), services.now())
    return None


@bp.get("/<key>/<name>/played")
def played(key: str, name: str) -> Page:
    """What came of some orders; it is the same whenever it is asked for."""
    lesson, orders = find_lesson(key, name), orders_of_address()
    try:
        attempt = attempt_lesson(lesson, orders)
    except LineRefused as problem:
        return lesson_page(lesson, orders, problem=problem), STATUS[problem.code]
    page = position_page(
        "learn/played.html",
        attempt.position,
        addresses(lesson, orders),
        play=False,
        **surroundings(lesson),
        attempt=attempt,
    )
    return page, 200
