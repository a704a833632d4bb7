"""The home page, the choice of language, and what machines ask for."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import current_player, read_next_page, set_cookie, signed_in_id
from app.http.metrics import Meter
from app.learning.puzzles import puzzle_of_day
from app.matches.record_signing import ADDRESS, describe_public_keys
from app.operations.health import find_health_problems
from app.people.accounts import change_language, settle_language
from app.platform.i18n import language_here
from app.platform.paths import STATIC
from app.platform.services import current_services
from app.views.help_pages import draw_showpiece, list_showcases
from app.views.lobby_lists import load_watched
from app.web.my_matches import my_matches_page

bp = Blueprint("pages", __name__)
A_YEAR = 365 * 24 * 3600
A_DAY = 24 * 3600
BADGE = (
    '<circle cx="44" cy="44" r="19" fill="#fff"/><circle cx="44" cy="44" r="17" fill="#a3231b"/>'
    '<text x="44" y="52" fill="#fff" font-family="sans-serif" font-weight="700" font-size="23" '
    'text-anchor="middle">{}</text></svg>'
)


@bp.get("/")
def home() -> str:
    """What waits for a member; to everybody else, what this is."""
    player = current_player()
    if player and not player.guest:
        return my_matches_page()
    with current_services().database.look() as session:
        return render_template(
            "home.html",
            showcases=list_showcases(language_here()),
            watched=load_watched(session, player),
            today=puzzle_of_day(current_services().now().date()),
        )


@bp.get("/games/<key>/<language>.svg")
def showpiece(key: str, language: str) -> Response:
    """The board of a game well under way; the address has the language, so that it may be kept."""
    picture = draw_showpiece(key, settle_language(language))
    response = Response(str(picture), content_type="image/svg+xml; charset=utf-8")
    response.cache_control.public = True
    response.cache_control.max_age = A_DAY
    return response


@bp.get("/icon/<int:count>.svg")
def icon(count: int) -> Response:
    """Our mark with how many matches wait on it, for the tab of a browser."""
    drawn = (STATIC / "icon.svg").read_text().replace("</svg>", BADGE.format(min(count, 99)))
    response = Response(drawn, content_type="image/svg+xml; charset=utf-8")
    response.cache_control.public = True
    response.cache_control.max_age = A_YEAR
    return response


@bp.post("/language")
def language() -> BaseResponse:
    """Speaks another language from now on, here and in the account."""
    chosen = settle_language(request.form.get("language"))
    response = redirect(read_next_page(), 303)
    set_cookie(response, "language", chosen, A_YEAR)
    if current_player():
        with current_services().database.session() as session:
            change_language(session, signed_in_id(), chosen)
    return response


@bp.get("/health/live")
def live() -> Response:
    return jsonify(status="live")


@bp.get("/health/ready")
def ready() -> tuple[Response, int]:
    problems = find_health_problems(current_services().database)
    return jsonify(status="waiting" if problems else "ready", problems=problems), (
        503 if problems else 200
    )


@bp.get(ADDRESS)
def record_keys() -> Response:
    """The public keys by which our records are signed."""
    return jsonify(describe_public_keys(current_services().settings))


@bp.get("/metrics")
def metrics() -> Response:
    meter: Meter = current_app.extensions["chasqui-meter"]
    return Response(meter.text(), content_type="text/plain; version=0.0.4; charset=utf-8")
