"""A player's page: theirs to show or not."""

from __future__ import annotations

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app.http.auth import current_player, require_sign_in, signed_in_id
from app.http.rate_limits import WRITING, limiter, payer
from app.platform.services import current_services
from app.views.profile import load_profile, show_profile

bp = Blueprint("profile", __name__, url_prefix="/players")
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)


@bp.get("/<int:player_id>")
def show(player_id: int) -> str:
    viewer = current_player()
    with current_services().database.look() as session:
        found = load_profile(session, player_id, viewer.id if viewer else None)
        return render_template("account/profile.html", profile=found)


@bp.get("/me")
@require_sign_in
def me() -> Response:
    return redirect(url_for(".show", player_id=signed_in_id()), 303)


@bp.post("/me")
@require_sign_in
def change() -> Response:
    """Shows the page to others or to nobody else, with a rating or without."""
    shown, rated = (request.form.get(name) == "yes" for name in ("shown", "rated"))
    with current_services().database.session() as session:
        show_profile(session, signed_in_id(), shown=shown, rated=rated)
    flash(_("Kept."))
    return redirect(url_for(".show", player_id=signed_in_id()), 303)
