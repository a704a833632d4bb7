"""The rules of the games: by chapter, on one page, and searched."""

from __future__ import annotations

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from app.people.accounts import settle_language
from app.platform.i18n import language_here
from app.views.help_pages import (
    draw_example,
    find_chapter,
    find_clause,
    list_chapters,
    list_help_contents,
    list_things,
    render_help_page,
    search_rules,
)

bp = Blueprint("help", __name__, url_prefix="/help")
A_DAY = 24 * 3600
LONGEST_QUERY = 80


@bp.get("")
def index() -> str:
    return render_template("help/index.html")


@bp.get("/<key>")
def game(key: str) -> str:
    """What a game is about, its chapters, and what was found in them."""
    language, query = language_here(), request.args.get("q", "")[:LONGEST_QUERY]
    return render_template(
        "help/game.html",
        key=key,
        chapters=list_chapters(key, language),
        query=query,
        found=search_rules(key, language, query),
    )


@bp.get("/<key>/all")
def whole(key: str) -> str:
    """All chapters on one page."""
    language = language_here()
    return render_template(
        "help/whole.html",
        key=key,
        page=render_help_page(key, language),
        contents=list_help_contents(key, language),
    )


@bp.get("/<key>/pieces")
def pieces(key: str) -> str:
    """A picture of every card, and of what is laid and done on the board."""
    return render_template("help/pieces.html", key=key, things=list_things(key))


@bp.get("/<key>/<name>")
def chapter(key: str, name: str) -> str:
    language = language_here()
    number, all_ = find_chapter(key, name, language), list_chapters(key, language)
    return render_template(
        "help/chapter.html",
        key=key,
        chapter=all_[number],
        before=all_[number - 1] if number > 1 else None,
        after=all_[number + 1] if number + 1 < len(all_) else None,
    )


@bp.get("/<key>/rule/<name>")
def clause(key: str, name: str) -> BaseResponse:
    """The sentence that states a clause, which refusals name."""
    slug, at = find_clause(key, name, language_here())
    return redirect(url_for(".chapter", key=key, name=slug, _anchor=at), 303)


@bp.get("/<key>/picture/<kind>/<name>/<language>.svg")
def example(key: str, kind: str, name: str, language: str) -> Response:
    """The picture of an example; the address has the language, so that it may be kept."""
    drawn = draw_example(key, kind, name, settle_language(language))
    response = Response(str(drawn), content_type="image/svg+xml; charset=utf-8")
    response.cache_control.public = True
    response.cache_control.max_age = A_DAY
    return response
