"""Looking back at a match that is over: what could be expected turn by turn, where it turned, and what else could have been."""

from __future__ import annotations

from flask import Blueprint, redirect, render_template, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import require_sign_in
from app.http.rate_limits import REVIEWS, limiter, payer
from app.learning.notebook import pack_notebook
from app.learning.review import Crossroads, ask_review, load_review
from app.platform.services import current_services
from app.views.hope_chart import draw_hope_chart
from app.views.score_chart import NARROW, WIDE, draw_score_charts
from app.web.match import check_id, place

bp = Blueprint("review", __name__)
bp.url_value_preprocessor(check_id)


@bp.get("/m/<match_id>/review")
def show(match_id: str) -> BaseResponse | str:
    """The review; while the match is under way, its table."""
    with current_services().database.look() as session:
        found = load_review(session, place(session, match_id), current_services().now())
    if found is None:
        return redirect(url_for("match.turn", match_id=match_id), 303)

    def analysis(moment: Crossroads) -> str:
        packed = pack_notebook(moment.book)
        return url_for("analysis.show", match_id=match_id, pos=moment.turn.start, a=packed)

    match, turns = found.match, found.turns
    hopes = [(0, turns[0].before), *((one.last, one.after) for one in turns)] if turns else []
    marked = [moment.turn.last for moment in found.moments]
    went, expected = _("The scores over the match"), _("What a bot would have expected")
    return render_template(
        "result/review.html",
        look=found,
        scores=draw_score_charts(match, found.series, went),
        chart=[draw_hope_chart(match, hopes, marked, expected, frame) for frame in (WIDE, NARROW)],
        analysis=analysis,
    )


@bp.post("/m/<match_id>/review")
@limiter.limit(REVIEWS, key_func=payer)
@require_sign_in
def ask(match_id: str) -> BaseResponse:
    """Asks for the review of a match that ended long ago; a bot takes it up behind the pages."""
    services = current_services()
    with services.database.session() as session:
        place(session, match_id)
        ask_review(session, match_id)
    return redirect(url_for("review.show", match_id=match_id), 303)
