"""Tables: which there are, opening one, coming in and leaving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from app import company, door, listing, lobby, pace, seen, signin, who
from app.errors import Refused
from app.failures import STATUS
from app.i18n import language_here
from app.limits import GUESTS, MAILING, WRITING, account, limiter
from app.services import current
from app.web.match import check_id

bp = Blueprint("lobby", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=account, methods=["POST"])(bp)
A_DAY = 24 * 3600
MOST_PAGES = 10_000


@bp.get("/tables")
def index() -> str:
    page = min(max(1, request.args.get("page", 1, type=int)), MOST_PAGES)
    with current().database.look() as session:
        return render_template(
            "lobby/index.html", page=page, tables=listing.tables(session, who.player(), page)
        )


# Opening a table


@bp.get("/tables/new")
@who.signed_in
def new() -> str:
    return new_page(request.args.get("game"))


@bp.post("/tables/new")
@limiter.limit(MAILING, key_func=account)
@who.signed_in
def create() -> Response | tuple[str, int]:
    """Opens the table; what cannot be is told above the form as it was filled in."""
    services, form = current(), request.form
    game = chosen_game(form.get("game"))
    try:
        with services.database.session() as session:
            row = lobby.create(
                session,
                who.me(),
                game["key"],
                form.get("title"),
                list(wishes(game["seats"][-1])),
                {name: wished(name, option) for name, option in game["options"].items()},
                pace_of_form(),
                form.get("public") == "yes",
                services.now(),
                hints=form.get("hints") == "yes",
            )
            where = url_for("match.turn", match_id=row.id)
    except Refused as problem:
        return new_page(game["key"], problem), STATUS[problem.code]
    return redirect(where, 303)


def wished(name: str, option: dict[str, Any]) -> Any:
    """What the form says of an option: a tick, or a number; what is no number is left for the rules to refuse."""
    if "limits" not in option:
        return name in request.form.getlist("options")
    told = request.form.get(f"option_{name}", "").strip()
    return int(told) if told.isascii() and told.isdigit() and len(told) < LONGEST_NUMBER else told


LONGEST_NUMBER = 9  # digits


def new_page(key: str | None, problem: Refused | None = None) -> str:
    return render_template(
        "lobby/new.html",
        game=chosen_game(key),
        pace=pace.DEFAULT,
        timeouts=pace.ON_TIMEOUT,
        bots=company.bots_for(chosen_game(key)["key"]),
        problem=problem,
        form=request.form,
    )


def chosen_game(key: str | None) -> dict[str, Any]:
    """The game of that key, else the first there is."""
    found = seen.game_list()
    return next((game for game in found if game["key"] == key), found[0])


def wishes(most: int) -> Iterator[Any]:
    """What the form wants for each seat; those without are left out."""
    for number in range(most):
        match request.form.get(f"seat{number}"):
            case "me":
                yield "me"
            case "open":
                yield None
            case "invite":
                yield {"email": request.form.get(f"email{number}")}
            case str(wish) if wish.startswith("bot:"):
                yield {"bot": wish.removeprefix("bot:")}


def pace_of_form() -> dict[str, Any]:
    form = request.form
    given = {
        "hours": number(form.get("hours")),
        "bank_hours": number(form.get("bank_hours")),
        "reminders": [number(hours) for hours in form.get("reminders", "").split()],
        "days_off": [number(day) for day in form.getlist("days_off")],
        "on_timeout": form.get("on_timeout"),
    }
    return {name: value for name, value in given.items() if value is not None}


def number(text: str | None) -> int | str | None:
    """A whole number; other text stays as it is, to be refused by who knows why."""
    return int(text) if text and text.isascii() and text.isdecimal() and len(text) < 9 else text


# Coming and going


@bp.post("/m/<match_id>/join")
@who.signed_in
def join(match_id: str) -> Response:
    services = current()
    with services.database.session() as session:
        nonce = request.form.get("nonce")
        lobby.join(session, match_id, who.me(), services.now(), nonce=nonce)
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.post("/m/<match_id>/leave")
@who.signed_in
def leave(match_id: str) -> Response:
    with current().database.session() as session:
        lobby.leave(session, match_id, who.me())
    flash(_("You have left the table."))
    return redirect(url_for(".index"), 303)


@bp.post("/m/<match_id>/nonce")
@who.signed_in
def give_nonce(match_id: str) -> Response:
    """Keeps what a player mixes into the chance of a match that has not begun."""
    with current().database.session() as session:
        lobby.give_nonce(session, match_id, who.me(), request.form.get("nonce"))
    flash(_("The words are mixed in."))
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.get("/invitation/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, so that it stays in no history."""
    response = redirect(url_for(".invitation"), 303)
    who.set_cookie(response, "invitation", token, A_DAY)
    return response


@bp.get("/invitation")
def invitation() -> str:
    services = current()
    with services.database.look() as session:
        way = door.find_way(session, services.settings, who.cookie("invitation") or "")
        return render_template(
            "lobby/invitation.html", door=door.behind(session, way, who.player())
        )


@bp.post("/invitation")
@who.signed_in
def accept() -> Response:
    """Takes the seat that the link leads to."""
    services = current()
    with services.database.session() as session:
        way = door.find_way(session, services.settings, who.cookie("invitation") or "")
        lobby.join(
            session,
            way.match_id,
            who.me(),
            services.now(),
            token=way.key,
            by_link=way.key is None,
            nonce=request.form.get("nonce"),
        )
    response = redirect(url_for("match.turn", match_id=way.match_id), 303)
    who.drop_cookie(response, "invitation")
    return response


@bp.post("/demo")
@limiter.limit(GUESTS, exempt_when=lambda: who.player() is not None)
def demo() -> Response:
    """A match to be played at once, against bots or alone; whoever is nobody yet becomes a guest."""
    services, game = current(), request.form.get("game", lobby.DEMO_GAME)
    bot = None if request.form.get("against") == "myself" else lobby.DEMO_BOT
    with services.database.session() as session:
        guest = (
            None if who.player() else signin.guest_login(session, language_here(), services.now())
        )
        newcomer = guest.player if guest else who.me()
        row = lobby.demo(session, newcomer, services.now(), game, bot)
        response = redirect(url_for("match.turn", match_id=row.id), 303)
    return who.welcome(response, guest) if guest else response
