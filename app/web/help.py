"""The rules of the games."""

from __future__ import annotations

from flask import Blueprint, render_template

from app.platform.i18n import language_here
from app.views.help_pages import draw_showpiece, list_help_contents, render_help_page

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("")
def index() -> str:
    return render_template(
        "help/index.html", picture=lambda key: draw_showpiece(key, language_here())
    )


@bp.get("/<key>")
def game(key: str) -> str:
    language = language_here()
    return render_template(
        "help/game.html",
        key=key,
        page=render_help_page(key, language),
        contents=list_help_contents(key, language),
    )
