"""Looking back: the whole story, every position, the record file and taking one in."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app.eventstore.store import MATCH_ID, load_match
from app.http.auth import current_player, require_sign_in, signed_in_player
from app.http.rate_limits import COMPARISONS, IMPORTS, limiter, payer
from app.matches.record_import import import_record, read_record
from app.matches.record_signing import export_record
from app.platform.errors import BadRecord
from app.platform.services import current_services
from app.views.history_page import load_position_page, load_story_page
from app.views.record_comparison import UnknownHere, compare_record
from app.web.match import check_id, place

bp = Blueprint("history", __name__)
bp.url_value_preprocessor(check_id)


@bp.get("/m/<match_id>/history")
def story(match_id: str) -> BaseResponse | str:
    """All turns; with a position in the form, that position."""
    if (pos := request.args.get("pos", type=int)) is not None:
        eyes = request.args.get("eyes", type=int)
        return redirect(url_for(".position", match_id=match_id, pos=max(1, pos), eyes=eyes), 303)
    with current_services().database.look() as session:
        here = place(session, match_id)
        return render_template("history/story.html", story=load_story_page(session, here))


@bp.get("/m/<match_id>/history/<int:pos>")
def position(match_id: str, pos: int) -> str:
    eyes = request.args.get("eyes", type=int)
    with current_services().database.look() as session:
        look = load_position_page(session, place(session, match_id), pos, eyes)
        return render_template(
            "history/position.html", look=look, eyes=eyes, playing="play" in request.args
        )


@bp.get("/m/<match_id>/record")
def record(match_id: str) -> Response:
    """The match as a file: redacted to the viewer's seat while it runs, complete when over."""
    with current_services().database.look() as session:
        here = place(session, match_id)
        match = load_match(session.connection(), match_id)
    services = current_services()
    text = export_record(services.settings, match, here.seat, services.now())
    name = f'attachment; filename="chasqui-{here.match_id}.jsonl"'
    return Response(
        text,
        content_type="application/jsonl; charset=us-ascii",
        headers={"Content-Disposition": name},
    )


@bp.get("/import")
@require_sign_in
def import_page() -> str:
    return render_template("history/import.html", problem=None)


@bp.post("/import")
@limiter.limit(IMPORTS, key_func=payer)
@require_sign_in
def take_in() -> BaseResponse | tuple[str, int]:
    """Takes a record in as a match of one's own; what is wrong with it is told on the page."""
    services, sent = current_services(), request.files.get("record")
    try:
        match = read_record(sent.read() if sent else b"")
        with services.database.session() as session:
            row = import_record(session, signed_in_player(), match, services.now())
            where = url_for("match.turn", match_id=row.id)
    except BadRecord as problem:
        return render_template("history/import.html", problem=problem), 422
    return redirect(where, 303)


@bp.get("/compare")
def compare_page() -> str:
    """Where anybody holds a record against our log."""
    return render_template("history/compare.html", match_id=wanted_match(), found=None)


@bp.post("/compare")
@limiter.limit(COMPARISONS, key_func=payer)
def compare() -> tuple[str, int]:
    """Says how a record agrees with our log; a match that the asker may not see is as unknown as none."""
    services, sent, match_id = current_services(), request.files.get("record"), wanted_match()
    content, player = sent.read() if sent else b"", current_player()
    asker = player.id if player else None
    found, problem, code = None, None, 200
    try:
        with services.database.look() as session:
            found = compare_record(session, services.settings, asker, content, match_id)
    except BadRecord as refusal:
        problem, code = refusal.sentence, 422
    except UnknownHere as refusal:
        problem, code = refusal.sentence, 404
    page = render_template("history/compare.html", match_id=match_id, found=found, problem=problem)
    return page, code


def wanted_match() -> str | None:
    """The match that the page was opened for; otherwise the record says which."""
    found = request.values.get("match", "")
    return found if MATCH_ID.fullmatch(found) else None
