"""How a match ended: the page, the rematch, and what is shared of it with anybody."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import require_sign_in, signed_in_player
from app.http.rate_limits import MAILING, limiter, payer
from app.matches.access import Place, access_match
from app.matches.tables import create_rematch
from app.platform.services import current_services
from app.views.result import load_result
from app.views.share import find_shared, load_share_picture, make_result_token
from app.web.match import check_id, place

bp = Blueprint("result", __name__)
bp.url_value_preprocessor(check_id)


@bp.get("/m/<match_id>/result")
def show(match_id: str) -> BaseResponse | str:
    """The result; while the match is under way, its table."""
    with current_services().database.look() as session:
        page = result_page(place(session, match_id))
    return page or redirect(url_for("match.turn", match_id=match_id), 303)


def result_page(here: Place) -> str | None:
    services = current_services()
    with services.database.look() as session:
        found = load_result(session, here)
    if found is None:
        return None
    token = make_result_token(services.settings, here.match_id)
    base = services.settings.base_url
    return render_template(
        "result/show.html",
        result=found,
        viewer=here,
        link=base + url_for("result.shared", token=token),
        image=base + url_for("result.shared_picture", token=token),
    )


@bp.post("/m/<match_id>/rematch")
@limiter.limit(MAILING, key_func=payer)
@require_sign_in
def rematch(match_id: str) -> BaseResponse:
    """Opens the same table again, or joins the rematch that another has opened."""
    services = current_services()
    with services.database.session() as session:
        access_match(session, match_id, signed_in_player().id)
        row = create_rematch(session, match_id, signed_in_player(), services.now())
        where = url_for("match.turn", match_id=row.id)
    return redirect(where, 303)


@bp.get("/r/<token>")
def shared(token: str) -> BaseResponse | str:
    """The result for whoever has the link; only what is over has one."""
    with current_services().database.look() as session:
        here = find_shared(session, current_services().settings, token)
    return result_page(here) or redirect(url_for("pages.home"), 303)


@bp.get("/r/<token>/picture.png")
def shared_picture(token: str) -> Response:
    """The picture for those who show links with one; a worker has drawn it, or will soon."""
    with current_services().database.look() as session:
        here = find_shared(session, current_services().settings, token)
        return picture(load_share_picture(session, here))


@bp.get("/m/<match_id>/picture.png")
def public_picture(match_id: str) -> Response:
    """The same of a match that everybody may watch: the board as spectators see it, perhaps some turns old."""
    with current_services().database.look() as session:
        return picture(load_share_picture(session, access_match(session, match_id, None)))


def picture(png: bytes) -> Response:
    response = Response(png, content_type="image/png")
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    response.cache_control.max_age = 3600
    response.make_conditional(request)
    return response
