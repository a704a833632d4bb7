"""The home page, the choice of language, and what machines ask for."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, jsonify, redirect, render_template, request
from werkzeug.wrappers import Response as BaseResponse

from app import accounts, health, i18n, manuals, who
from app.record_signing import ADDRESS, describe_public_keys
from app.services import current

bp = Blueprint("pages", __name__)
A_YEAR = 365 * 24 * 3600
FLAGSHIP = "cuzco"


@bp.get("/")
def home() -> str:
    return render_template("home.html", picture=manuals.showpiece(FLAGSHIP, i18n.language_here()))


@bp.post("/language")
def language() -> BaseResponse:
    """Speaks another language from now on, here and in the account."""
    chosen = accounts.settle_language(request.form.get("language"))
    response = redirect(who.next_page(), 303)
    who.set_cookie(response, "language", chosen, A_YEAR)
    if who.player():
        with current().database.session() as session:
            accounts.change_language(session, who.my_id(), chosen)
    return response


@bp.get("/health/live")
def live() -> Response:
    return jsonify(status="live")


@bp.get("/health/ready")
def ready() -> tuple[Response, int]:
    problems = health.problems(current().database)
    return jsonify(status="waiting" if problems else "ready", problems=problems), (
        503 if problems else 200
    )


@bp.get(ADDRESS)
def record_keys() -> Response:
    """The public keys by which our records are signed."""
    return jsonify(describe_public_keys(current().settings))


@bp.get("/metrics")
def metrics() -> Response:
    meter: health.Meter = current_app.extensions["chasqui-meter"]
    return Response(meter.text(), content_type="text/plain; version=0.0.4; charset=utf-8")
