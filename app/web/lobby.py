"""Tables: which there are, opening one, coming in and leaving."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from flask import Blueprint, flash, redirect, render_template, request, url_for
from flask_babel import gettext as _
from sqlmodel import Session
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response

from app.clocks.pace import DEFAULT_PACE, ON_TIMEOUT
from app.http.auth import (
    current_browser,
    current_player,
    drop_cookie,
    open_browser_session,
    read_cookie,
    require_sign_in,
    session_token,
    set_cookie,
    signed_in_player,
)
from app.http.error_handlers import STATUS
from app.http.rate_limits import GUESTS, MAILING, SIGN_IN, WRITING, limiter, payer
from app.matches import tables
from app.matches.bot_names import bots_for, default_bot_of
from app.matches.invitations import Way, find_invitation_way, invited_address
from app.matches.tables import (
    create_demo,
    create_table,
    join_table,
    leave_table,
)
from app.people.accounts import take_timezone
from app.people.sessions import enter_by_invitation, guest_login, knows_address
from app.platform.errors import Refused
from app.platform.i18n import language_here
from app.platform.services import current_services
from app.views.lobby_lists import Wishes, load_lobby
from app.views.match_json import game_list
from app.views.waiting_room import load_table_behind, load_waiting_room
from app.web.match import check_id, place, waiting_page

bp = Blueprint("lobby", __name__)
bp.url_value_preprocessor(check_id)
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
A_DAY = 24 * 3600
MOST_PAGES = 10_000


@bp.get("/tables")
def index() -> str:
    page = min(max(1, request.args.get("page", 1, type=int)), MOST_PAGES)
    wishes = Wishes(*(request.args.get(name) or None for name in ("game", "pace", "language")))
    with current_services().database.look() as session:
        found = load_lobby(session, current_player(), page, wishes)
        return render_template("lobby/index.html", page=page, tables=found, wishes=wishes)


# Opening a table


@bp.get("/tables/new")
@require_sign_in
def new() -> str:
    return new_page(request.args.get("game"), form=preset_form())


# What a press on a preset fills in; everything can be changed below.
PRESETS = {
    "friends": {"public": "", "seat": "open"},
    "anybody": {"public": "yes", "seat": "open"},
    "bots": {"public": "", "seat": "bot"},
}


def preset_form() -> MultiDict[str, str]:
    """The form as a preset and a pace fill it in; empty where neither was pressed."""
    chosen = PRESETS.get(request.args.get("preset", ""))
    form = MultiDict[str, str]()
    if chosen:
        form["public"] = chosen["public"]
        game = chosen_game(request.args.get("game"))
        bot = chosen["seat"] == "bot"
        other = f"bot:{default_bot_of(game['key'])}" if bot else chosen["seat"]
        form.update({f"seat{n}": "me" if n == 0 else other for n in range(game["seats"][0])})
    if (days := request.args.get("days", type=int)) in (1, 2, 3):
        form["hours"] = str(24 * days)
        form["reminders"] = str(12 * days)
    if request.args.get("weekends") == "off":
        form.setlist("days_off", ["5", "6"])
    return form


@bp.post("/tables/new")
@limiter.limit(MAILING, key_func=payer)
@require_sign_in
def create() -> Response | tuple[str, int]:
    """Opens the table; what cannot be is told above the form as it was filled in."""
    services, form = current_services(), request.form
    game = chosen_game(form.get("game"))
    try:
        with services.database.session() as session:
            row = create_table(
                session,
                signed_in_player(),
                game["key"],
                form.get("title"),
                list(wishes(game["seats"][-1])),
                options={name: wished(name, option) for name, option in game["options"].items()},
                pace=pace_of_form(),
                public=form.get("public") == "yes",
                at=services.now(),
                hints=form.get("hints") == "yes",
            )
            where = url_for("match.turn", match_id=row.id)
    except Refused as problem:
        return new_page(game["key"], problem), STATUS[problem.code]
    return redirect(where, 303)


def wished(name: str, option: dict[str, Any]) -> Any:
    """What the form says of an option: a tick, or a number; what is no number is left for the rules to refuse.

    A form without a field for the number, such as an old page, takes the usual one.
    """
    if "limits" not in option:
        return name in request.form.getlist("options")
    told = request.form.get(f"option_{name}", str(option["default"])).strip()
    return int(told) if told.isascii() and told.isdigit() and len(told) < LONGEST_NUMBER else told


LONGEST_NUMBER = 9  # digits


def new_page(
    key: str | None,
    problem: Refused | None = None,
    form: MultiDict[str, str] | None = None,
) -> str:
    return render_template(
        "lobby/new.html",
        game=chosen_game(key),
        pace=DEFAULT_PACE,
        timeouts=ON_TIMEOUT,
        bots=bots_for(chosen_game(key)["key"]),
        problem=problem,
        form=request.form if form is None else form,
        filled=bool(request.form),
        preset={name: request.args.get(name) for name in ("preset", "days", "weekends")},
    )


def chosen_game(key: str | None) -> dict[str, Any]:
    """The game of that key, else the first there is."""
    found = game_list()
    return next((game for game in found if game["key"] == key), found[0])


def wishes(most: int) -> Iterator[Any]:
    """What the form wants for each seat; those without are left out."""
    for number in range(most):
        yield from wishes_for(
            request.form.get(f"seat{number}", ""), request.form.get(f"email{number}")
        )


def wishes_for(wish: str, email: str | None) -> Iterator[Any]:
    """What a choice in the form means for a seat; nothing where there is to be none."""
    match wish:
        case "me":
            yield "me"
        case "open":
            yield None
        case "invite":
            yield {"email": email}
        case str() if wish.startswith("bot:"):
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
@require_sign_in
def join(match_id: str) -> Response:
    services = current_services()
    with services.database.session() as session:
        nonce = request.form.get("nonce")
        join_table(session, match_id, signed_in_player(), services.now(), nonce=nonce)
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.post("/m/<match_id>/seat/<int:number>")
@limiter.limit(MAILING, key_func=payer)
@require_sign_in
def change_seat(match_id: str, number: int) -> Response | tuple[str, int]:
    """Gives a seat that nobody has taken to a bot or an address, opens it to anybody, or takes it away."""
    services, form = current_services(), request.form
    wish, player = form.get("wish", ""), signed_in_player()
    try:
        with services.database.session() as session:
            if wish == "none":
                tables.drop_seat(session, match_id, player, number, services.now())
            else:
                wanted = next(iter(wishes_for(wish, form.get("email"))), None)
                tables.set_seat(
                    session, match_id, player, number=number, wish=wanted, at=services.now()
                )
    except Refused as problem:
        with services.database.look() as session:
            if room := load_waiting_room(session, place(session, match_id), player):
                return waiting_page(room, problem, number), STATUS[problem.code]
        raise
    services.nudge()
    if wish == "invite":
        flash(_("The seat is kept for that address now."))
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.post("/m/<match_id>/leave")
@require_sign_in
def leave(match_id: str) -> Response:
    with current_services().database.session() as session:
        leave_table(session, match_id, signed_in_player())
    flash(_("You have left the table."))
    return redirect(url_for(".index"), 303)


@bp.post("/m/<match_id>/nonce")
@require_sign_in
def give_nonce(match_id: str) -> Response:
    """Keeps what a player mixes into the chance of a match that has not begun."""
    with current_services().database.session() as session:
        tables.give_nonce(session, match_id, signed_in_player(), request.form.get("nonce"))
    flash(_("The words are mixed in."))
    return redirect(url_for("match.turn", match_id=match_id), 303)


@bp.get("/invitation/<token>")
def follow(token: str) -> Response:
    """Takes the secret out of the address, so that it stays in no history."""
    response = redirect(url_for(".invitation"), 303)
    set_cookie(response, "invitation", token, A_DAY)
    return response


@bp.get("/invitation")
def invitation() -> str:
    services = current_services()
    with services.database.look() as session:
        way = find_invitation_way(session, services.settings, read_cookie("invitation") or "")
        return invitation_page(session, way)


def invitation_page(session: Session, way: Way, problem: Refused | None = None) -> str:
    """The table behind a link; whoever is new and got it by mail need only say what to call them."""
    address = invited_address(session, way)
    member = current_player() is not None and not signed_in_player().guest
    return render_template(
        "lobby/invitation.html",
        door=load_table_behind(session, way, current_player()),
        newcomer=address is not None and not member and not knows_address(session, address),
        problem=problem,
        form=request.form,
    )


@bp.post("/invitation/enter")
@limiter.limit(SIGN_IN)
def enter() -> Response | tuple[str, int]:
    """Makes an account for whoever got the link by mail, and gives them the seat."""
    services = current_services()
    token = read_cookie("invitation") or ""
    try:
        with services.database.session() as session:
            way = find_invitation_way(session, services.settings, token)
            new = enter_by_invitation(
                session,
                invited_address(session, way),
                name=request.form.get("name"),
                language=language_here(),
                at=services.now(),
                before=session_token(),
                browser=current_browser(),
            )
            take_timezone(new.player, request.form.get("timezone"))
            join_table(session, way.match_id, new.player, services.now(), token=way.key)
    except Refused as problem:
        with services.database.look() as session:
            way = find_invitation_way(session, services.settings, token)
            return invitation_page(session, way, problem), STATUS[problem.code]
    response = redirect(url_for("match.turn", match_id=way.match_id), 303)
    open_browser_session(response, new)
    drop_cookie(response, "invitation")
    return response


@bp.post("/invitation")
@require_sign_in
def accept() -> Response:
    """Takes the seat that the link leads to."""
    services = current_services()
    with services.database.session() as session:
        way = find_invitation_way(session, services.settings, read_cookie("invitation") or "")
        join_table(
            session,
            way.match_id,
            signed_in_player(),
            services.now(),
            token=way.key,
            by_link=way.key is None,
            nonce=request.form.get("nonce"),
        )
    response = redirect(url_for("match.turn", match_id=way.match_id), 303)
    drop_cookie(response, "invitation")
    return response


@bp.post("/demo")
@limiter.limit(GUESTS, exempt_when=lambda: current_player() is not None)
def demo() -> Response:
    """A match to be played at once, against bots or alone; whoever is nobody yet becomes a guest."""
    services, form = current_services(), request.form
    alone = form.get("against") == "myself"
    with services.database.session() as session:
        guest = None if current_player() else guest_login(session, language_here(), services.now())
        newcomer = guest.player if guest else signed_in_player()
        row = create_demo(session, newcomer, services.now(), form.get("game"), alone=alone)
        response = redirect(url_for("match.turn", match_id=row.id), 303)
    return open_browser_session(response, guest) if guest else response
