"""The rules of the games."""

from __future__ import annotations

from flask import Blueprint, render_template

from app import manuals

bp = Blueprint("help", __name__, url_prefix="/help")


@bp.get("")
def index() -> str:
    return render_template("help/index.html", picture=manuals.showpiece)


@bp.get("/<key>")
def game(key: str) -> str:
    return render_template(
        "help/game.html", key=key, page=manuals.page(key), contents=manuals.contents(key)
    )
