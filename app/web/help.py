"""The rules of the games."""

from __future__ import annotations

from flask import Blueprint, render_template

from app import i18n, manuals

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("")
def index() -> str:
    return render_template(
        "help/index.html", picture=lambda key: manuals.showpiece(key, i18n.language_here())
    )


@bp.get("/<key>")
def game(key: str) -> str:
    language = i18n.language_here()
    return render_template(
        "help/game.html",
        key=key,
        page=manuals.page(key, language),
        contents=manuals.contents(key, language),
    )
