"""Puzzles: the list of each game, and one at a time on the real board."""

from __future__ import annotations

from functools import partial
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask_babel import gettext as _
from werkzeug.wrappers import Response as BaseResponse

from app.http.auth import current_player, open_browser_session, signed_in_id
from app.http.error_handlers import STATUS
from app.http.rate_limits import WRITING, limiter, payer
from app.http.turn_addresses import TurnAddresses, position_addresses
from app.learning.puzzles import (
    Puzzle,
    PuzzleAttempt,
    Tallies,
    Tries,
    ask_puzzle,
    attempt_puzzle,
    find_collection,
    find_puzzle,
    list_collections,
    open_puzzle,
    puzzle_of_day,
    say_value,
    tell_puzzle_solution,
)
from app.people.puzzle_tries import (
    load_puzzle_tallies,
    load_puzzle_tries,
    write_puzzle_shown,
    write_puzzle_try,
)
from app.platform.errors import LineRefused, Refused
from app.platform.services import current_services
from app.web.composing import (
    orders_of_address,
    orders_of_form,
    position_brings,
    position_choices,
    position_draft,
    position_page,
)
from app.web.learn import new_guest

bp = Blueprint("puzzles", __name__, url_prefix="/puzzles")
limiter.limit(WRITING, key_func=payer, methods=["POST"])(bp)
Page = tuple[str, int]


@bp.get("")
def index() -> str:
    today = puzzle_of_day(current_services().now().date())
    return render_template(
        "puzzles/index.html", collections=list_collections(*so_far()), today=today
    )


@bp.get("/<key>")
def game(key: str) -> str:
    found = find_collection(key, *so_far())
    return render_template("puzzles/index.html", collections=[found], single=True)


def so_far() -> tuple[Tries, Tallies]:
    """What whoever asks, and what everybody, made of puzzles."""
    with current_services().database.look() as session:
        player = current_player()
        mine = load_puzzle_tries(session, player.id) if player and player.id else {}
        return mine, load_puzzle_tallies(session)


@bp.get("/<key>/<name>")
def show(key: str, name: str) -> str:
    """The puzzle, with the draft that the address carries."""
    return puzzle_page(find_puzzle(key, name), orders_of_address())


def addresses(puzzle: Puzzle, orders: list[str]) -> TurnAddresses:
    return position_addresses("puzzles", orders, key=puzzle.game, name=puzzle.key)


def puzzle_page(
    puzzle: Puzzle,
    orders: list[str],
    *,
    problem: Refused | None = None,
    typed: str = "",
    confirm: str | None = None,
    solution: bool = False,
) -> str:
    return position_page(
        "puzzles/puzzle.html",
        open_puzzle(puzzle),
        addresses(puzzle, orders),
        problem=problem,
        typed=typed or request.args.get("verb", ""),
        confirm=confirm,
        solution=solution or knows_solution(puzzle),
        **surroundings(puzzle),
    )


def knows_solution(puzzle: Puzzle) -> bool:
    """Whether whoever asks has found the solution or was shown it."""
    player = current_player()
    if player is None or player.id is None:
        return False
    with current_services().database.look() as session:
        mine = load_puzzle_tries(session, player.id).get((puzzle.game, puzzle.key))
    return mine is not None and (mine.solved or mine.shown)


def surroundings(puzzle: Puzzle) -> dict[str, Any]:
    """The puzzle, and what stands in the line above the board."""
    return {
        "puzzle": puzzle,
        "practice": True,
        "told_solution": tell_puzzle_solution(puzzle.game, puzzle.key),
        "question": ask_puzzle(puzzle.game, puzzle.key),
        "best": say_value(puzzle, puzzle.best),
        "where": open_puzzle(puzzle).match.game.name,
        "links": (
            (url_for("puzzles.game", key=puzzle.game), _("Puzzles")),
            (
                url_for("analysis.show", kind="puzzle", key=puzzle.game, name=puzzle.key),
                _("Analysis"),
            ),
            (url_for("help.game", key=puzzle.game), _("Rules")),
        ),
    }


@bp.get("/<key>/<name>/parts")
def parts(key: str, name: str) -> str:
    return puzzle_page(find_puzzle(key, name), orders_of_address())


@bp.get("/<key>/<name>/choices")
def choices(key: str, name: str) -> Response:
    return position_choices(open_puzzle(find_puzzle(key, name)))


@bp.get("/<key>/<name>/brings")
def brings(key: str, name: str) -> Response:
    return position_brings(open_puzzle(find_puzzle(key, name)))


@bp.post("/<key>/<name>/draft")
def draft(key: str, name: str) -> BaseResponse | Page:
    puzzle = find_puzzle(key, name)
    return position_draft(
        open_puzzle(puzzle), partial(puzzle_page, puzzle), partial(addresses, puzzle)
    )


@bp.post("/<key>/<name>/commit")
def commit(key: str, name: str) -> BaseResponse | Page:
    """Plays the orders, and keeps what they came to."""
    puzzle, orders = find_puzzle(key, name), orders_of_form()
    try:
        attempt = attempt_puzzle(puzzle, orders)
    except LineRefused as problem:
        return puzzle_page(puzzle, orders, problem=problem), STATUS[problem.code]
    response = redirect(url_for(".played", key=key, name=name, order=orders), 303)
    return remember(puzzle, response, attempt) or response


@bp.post("/<key>/<name>/solution")
def solution(key: str, name: str) -> BaseResponse | str:
    """Shows the solution; whoever sees it has not solved the puzzle."""
    puzzle = find_puzzle(key, name)
    response = redirect(url_for(".show", key=key, name=name), 303)
    return remember(puzzle, response) or puzzle_page(puzzle, [], solution=True)


def remember(
    puzzle: Puzzle, response: BaseResponse, attempt: PuzzleAttempt | None = None
) -> BaseResponse | None:
    """Keeps a try or, without one, that the solution was shown; None where there is nobody to keep it for."""
    services = current_services()
    guest = None if current_player() else new_guest()
    if guest is None and current_player() is None:
        return None
    player_id = (guest.player.id if guest else signed_in_id()) or 0
    of = player_id, puzzle.game, puzzle.key
    with services.database.session() as session:
        if attempt is None:
            write_puzzle_shown(session, of, services.now())
        else:
            write_puzzle_try(session, of, attempt.value, services.now(), solved=attempt.solved)
    return open_browser_session(response, guest) if guest else response


@bp.get("/<key>/<name>/played")
def played(key: str, name: str) -> Page:
    """What came of some orders; it is the same whenever it is asked for."""
    puzzle, orders = find_puzzle(key, name), orders_of_address()
    try:
        attempt = attempt_puzzle(puzzle, orders)
    except LineRefused as problem:
        return puzzle_page(puzzle, orders, problem=problem), STATUS[problem.code]
    page = position_page(
        "puzzles/played.html",
        attempt.position,
        addresses(puzzle, orders),
        play=False,
        **surroundings(puzzle),
        attempt=attempt,
    )
    return page, 200
