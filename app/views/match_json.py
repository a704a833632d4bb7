"""What somebody sees of a match, as plain values: nothing here asks for more than the viewer's view."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlalchemy import Connection, union_all
from sqlmodel import Session, col, select

from app.eventstore.positions import state_at
from app.eventstore.store import (
    code_fingerprint,
    load_match,
    load_readable_match,
)
from app.matches.access import Place, access_match, check_own_seat
from app.people.accounts import display_name
from app.platform import tables
from app.platform.paging import load_page, newest_public, own_matches
from app.platform.rows import SEATED, load_present_match
from app.views.legal_orders import MOST_LISTED
from app.views.scenes import Scene, make_scene
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.sentence import Sentence, say

Loading = Callable[[Connection, str], Match | None]
Sitter = tuple[tables.Seat, tables.Player | None]


@dataclass(frozen=True, slots=True)
class SeenTable:
    """A match, those who sit at it, and the place from which it is seen; without a log before it begins."""

    here: Place
    row: tables.Match
    sitters: tuple[Sitter, ...]
    played: Match | None

    @property
    def match(self) -> Match:
        if self.played is None:
            raise Unknown(say("This match has not begun."))
        return self.played


def load_table(session: Session, here: Place, load: Loading = load_match) -> SeenTable:
    """Everything about a match that an answer may need, read once."""
    row = load_present_match(session, here.match_id)
    played = load(session.connection(), row.id) if row.head else None
    return SeenTable(here, row, tuple(SEATED.found(session, match=row.id)), played)


def game_list() -> list[dict[str, Any]]:
    """The games that can be played, as the referee tells them."""
    return [
        {
            "key": game.key,
            "name": game.name,
            "seats": list(game.seats),
            "options": {name: option.told() for name, option in game.options.items()},
        }
        for game in games().values()
    ]


# A match in a few words


def seat_names(at: SeenTable) -> dict[int, str | Sentence]:
    """What the people in the seats are called."""
    return {s.number: display_name(player) for s, player in at.sitters if s.player_id}


def seat_told(seat: tables.Seat, player: tables.Player | None, here: Place) -> dict[str, Any]:
    """A seat as anybody may know it: a name, never an address."""
    return {
        "seat": seat.number,
        "name": display_name(player) if seat.player_id else None,
        "bot": seat.bot,
        "invited": seat.invited_email is not None,
        "me": seat.player_id is not None and seat.player_id == here.player_id,
        "nonce": seat.nonce,
    }


def summary(at: SeenTable) -> dict[str, Any]:
    """A match in a list: everything but the board."""
    row, match = at.row, at.played
    return {
        "id": row.id,
        "game": row.game,
        "title": row.title,
        "status": row.status,
        "public": row.public,
        "options": row.options,
        "pace": row.pace,
        "head": row.head,
        "hash": row.hash,
        "to_act": list(match.game.to_act(match.state)) if match and asks(row) else [],
        "scores": list(match.game.scores(match.state)) if match else [],
        "winners": list(match.game.winners(match.state)) if match and match.over else [],
        "deadline": row.deadline,
        "created_at": row.created_at,
        "commitment": row.commitment,
        "seats": [seat_told(seat, player, at.here) for seat, player in at.sitters],
        "my_seat": at.here.seat,
    }


def asks(row: tables.Match) -> bool:
    """Whether somebody is waited for: nobody is while the match rests."""
    return row.status == "running"


def tell_match(at: SeenTable) -> dict[str, Any]:
    """A match with the board as the viewer sees it; before the start there is none."""
    match = at.played
    view = make_scene(match, match.state, at.here.seat, match.hash).told if match else None
    return {**summary(at), "view": view}


def tell_view(match: Match, state: Any, seat: int | None) -> dict[str, Any]:
    return match.game.show(match.game.view(state, seat))


def list_matches(
    session: Session, player_id: int | None, page: int, status: str | None, mine: bool
) -> tuple[list[dict[str, Any]], bool]:
    """The matches that somebody may see, or only their own; the newest first, and whether there are more."""
    which = () if status is None else (col(tables.Match.status) == status,)
    shown = newest_public(page, *which)
    if player_id is not None:
        own = own_matches(player_id)
        shown = own if mine else union_all(select(own.subquery()), select(shown.subquery()))
    query = select(tables.Match).where(col(tables.Match.id).in_(shown), *which)
    rows, more = load_page(session, query, page)
    places = (access_match(session, row.id, player_id) for row in rows)
    return [summary(load_table(session, here, load_readable_match)) for here in places], more


def match_fingerprint(at: SeenTable) -> list[Any]:
    """Equal for as long as the viewer would be shown the same: head, hash, seat, row and names."""
    row = at.row.model_dump(mode="json", exclude={"seeds"})
    seats = [{**seat_told(*sitter, at.here), "name": None} for sitter in at.sitters]
    called = [str(name) for name in seat_names(at).values()]
    return [code_fingerprint(), row, at.here.seat, seats, called]


# The board, now and at any position


def list_legal_orders(at: SeenTable, start: int = 0) -> tuple[list[str], int | None]:
    """The orders that the viewer's seat may give now, sorted as the referee does, and where those begin that are too many.

    No position of a match that was played has so many; of one that was made up, each page is sorted by itself.
    """
    seat, game, most = check_own_seat(at.here), at.match.game, MOST_LISTED
    if not asks(at.row):
        return [], None
    page = list(islice(game.legal(at.match.state, seat), start, start + most + 1))
    more = start + most if len(page) > most else None
    return sorted(map(game.format, page[:most])), more


def tell_view_at(at: SeenTable, pos: int) -> dict[str, Any]:
    return scene_at(at, pos).told


def draw_picture(at: SeenTable, pos: int | None = None) -> str:
    """The board as an SVG, now or after a position."""
    return scene_at(at, at.match.head if pos is None else pos).board


def scene_at(at: SeenTable, pos: int) -> Scene:
    match = at.match
    return make_scene(match, state_at(match, pos), at.here.seat, match.log[pos - 1].hash)
