"""Looking back: the whole story, every position, the record file and taking one in."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app import given, lookback, records, store, who
from app.errors import BadRecord
from app.limits import COMPARISONS, IMPORTS, account, limiter
from app.record_comparison import UnknownHere, compare_record
from app.record_signing import export_record
from app.services import current
from app.web.match import check_id, place

bp = Blueprint("history", __name__)
bp.url_value_preprocessor(check_id)


@bp.get("/m/<match_id>/history")
def story(match_id: str) -> str:
    with current().database.look() as session:
        here = place(session, match_id)
        return render_template("history/story.html", story=lookback.story(session, here))


@bp.get("/m/<match_id>/history/<int:pos>")
def position(match_id: str, pos: int) -> str:
    eyes = request.args.get("eyes", type=int)
    with current().database.look() as session:
        look = lookback.look(session, place(session, match_id), pos, eyes)
        return render_template(
            "history/position.html", look=look, eyes=eyes, playing="play" in request.args
        )


@bp.get("/m/<match_id>/record")
def record(match_id: str) -> Response:
    """The match as a file: redacted to the viewer's seat while it runs, complete when over."""
    with current().database.look() as session:
        here = place(session, match_id)
        match = store.load(session.connection(), match_id)
    services = current()
    text = export_record(services.settings, match, here.seat, services.now())
    name = f'attachment; filename="chasqui-{here.match_id}.jsonl"'
    return Response(
        text,
        content_type="application/jsonl; charset=us-ascii",
        headers={"Content-Disposition": name},
    )


@bp.get("/import")
@who.signed_in
def import_page() -> str:
    return render_template("history/import.html", problem=None)


@bp.post("/import")
@limiter.limit(IMPORTS, key_func=account)
@who.signed_in
def take_in() -> BaseResponse | tuple[str, int]:
    """Takes a record in as a match of one's own; what is wrong with it is told on the page."""
    services, sent = current(), request.files.get("record")
    try:
        match = records.understood(sent.read() if sent else b"")
        with services.database.session() as session:
            row = records.take_in(session, who.me(), match, services.now())
            where = url_for("match.turn", match_id=row.id)
    except BadRecord as problem:
        return render_template("history/import.html", problem=problem), 422
    return redirect(where, 303)


@bp.get("/compare")
def compare_page() -> str:
    """Where anybody holds a record against our log."""
    return render_template("history/compare.html", match_id=wanted_match(), found=None)


@bp.post("/compare")
@limiter.limit(COMPARISONS, key_func=account)
def compare() -> tuple[str, int]:
    """Says how a record agrees with our log; a match that the asker may not see is as unknown as none."""
    services, sent, match_id = current(), request.files.get("record"), wanted_match()
    content, player = sent.read() if sent else b"", who.player()
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
    return found if given.ID.fullmatch(found) else None
