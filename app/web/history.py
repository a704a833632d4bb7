"""Looking back: the whole story, every position, the record file and taking one in."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app import history, lookback, records, store, who
from app.errors import BadRecord
from app.limits import IMPORTS, account, limiter
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
        text = history.exported(store.load(session.connection(), match_id), here.seat)
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
