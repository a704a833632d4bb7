"""My matches: what waits for me, what runs, what is over; and the way to the next that waits."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import require_sign_in, signed_in_id, signed_in_player
from app.http.rate_limits import WRITING, limiter, payer
from app.learning.puzzles import puzzle_of_day
from app.matches.access import access_match
from app.matches.chat import read_talk
from app.matches.waiting import list_waiting
from app.platform.services import current_services
from app.views.my_matches import load_my_matches
from app.views.waiting_room import load_door, load_invitations
from app.web.match import check_id

bp = Blueprint("my_matches", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
MOST_PAGES = 10_000


@bp.get("/matches")
@require_sign_in
def index() -> str:
    return my_matches_page()


def my_matches_page() -> str:
    player, page, finished = signed_in_player(), wanted_page("page"), wanted_page("finished")
    with current_services().database.look() as session:
        kept = load_invitations(session, player)
        return render_template(
            "lobby/mine.html",
            mine=load_my_matches(session, player, page, finished),
            invitations=[load_door(session, row, player) for row in kept],
            today=puzzle_of_day(current_services().now().date()),
            page=page,
            finished=finished,
        )


def wanted_page(name: str) -> int:
    return min(max(1, request.args.get(name, 1, type=int)), MOST_PAGES)


@bp.get("/next")
@require_sign_in
def following() -> BaseResponse:
    """Goes to the match that waits most urgently, but for the one that somebody comes from."""
    with current_services().database.look() as session:
        found = list_waiting(session, signed_in_id())
    others = [match_id for match_id in found if match_id != request.args.get("after")]
    if not others:
        return redirect(url_for(".index"), 303)
    return redirect(url_for("match.turn", match_id=others[0]), 303)


@bp.get("/waiting")
@require_sign_in
def waiting() -> Response:
    """How many matches wait, for pages that stay open."""
    with current_services().database.look() as session:
        return jsonify(count=len(list_waiting(session, signed_in_id())))


@bp.post("/m/<match_id>/read")
@require_sign_in
def read(match_id: str) -> BaseResponse:
    """Keeps that what is said at a table was read."""
    with current_services().database.session() as session:
        read_talk(session, access_match(session, match_id, signed_in_id()))
    return Response(status=204)
