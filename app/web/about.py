"""What this is and who runs it, for people; and what search engines and browsers ask every site for."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify, render_template, url_for

from app.http.static_files import asset_address
from app.learning.lessons import list_paths
from app.platform.paths import STATIC
from app.platform.services import current_services
from app.views.match_json import game_list

bp = Blueprint("about", __name__)
# What is for everybody to find; matches and people are not.
FOUND = (
    "pages.home", "lobby.index", "learn.index", "puzzles.index", "help.index", "about.show", "about.privacy",
)  # fmt: skip
HIDDEN = (
    "/m/", "/r/", "/players/", "/account", "/matches", "/invitation", "/sign-in", "/unsubscribe", "/analysis/", "/api/",
)  # fmt: skip


@bp.get("/about")
def show() -> str:
    return render_template("about/show.html", settings=current_services().settings)


@bp.get("/privacy")
def privacy() -> str:
    return render_template("about/privacy.html", settings=current_services().settings)


@bp.get("/robots.txt")
def robots() -> Response:
    base = current_services().settings.base_url
    lines = [
        "User-agent: *",
        *(f"Disallow: {path}" for path in HIDDEN),
        f"Sitemap: {base}/sitemap.xml",
    ]
    return Response("\n".join(lines) + "\n", content_type="text/plain; charset=utf-8")


@bp.get("/sitemap.xml")
def sitemap() -> Response:
    base = current_services().settings.base_url
    places = [url_for(name) for name in FOUND]
    places += [url_for("help.game", key=game["key"]) for game in game_list()]
    places += [url_for("learn.path", key=path.key) for path in list_paths()]
    page = render_template("about/sitemap.xml", places=[base + place for place in places])
    return Response(page, content_type="application/xml; charset=utf-8")


@bp.get("/manifest.webmanifest")
def manifest() -> Response:
    """What a device needs to know to install us."""
    drawn = {"src": asset_address("icon.svg"), "sizes": "any", "type": "image/svg+xml"}
    icons = [
        {"src": asset_address(f"icon-{size}.png"), "sizes": f"{size}x{size}", "type": "image/png"}
        for size in (192, 512)
    ]
    response = jsonify(
        name="Chasqui",
        short_name="Chasqui",
        start_url="/",
        display="standalone",
        background_color="#f3ead6",
        theme_color="#8a3f1d",
        icons=[*icons, {**icons[-1], "purpose": "maskable"}, drawn],
    )
    response.content_type = "application/manifest+json; charset=utf-8"
    return response


@bp.get("/offline")
def offline() -> str:
    """What a device shows when it cannot reach us: it keeps the page, whoever uses it next, so the page names nobody."""
    return render_template("about/offline.html", player=None, waiting=tuple)


@bp.get("/worker.js")
def worker() -> Response:
    """The service worker; at the root, so that it may speak for every page."""
    source = (STATIC / "worker.js").read_text()
    return Response(source, content_type="text/javascript; charset=utf-8")
