"""What somebody sees of a match, as plain values: nothing here asks for more than the viewer's view."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from sqlmodel import Session, col, or_, select

from app import accounts, choices, history, models, store
from app.boards import board
from app.errors import Forbidden
from app.lobby import paged
from app.play import Place, own_seat, place
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.registry import games
from engine.core.sentence import Sentence, say

Sitter = tuple[models.Seat, models.Player | None]


@dataclass(frozen=True, slots=True)
class Table:
    """A match, those who sit at it, and the place from which it is seen; without a log before it begins."""

    here: Place
    row: models.Match
    sitters: tuple[Sitter, ...]
    played: Match | None

    @property
    def match(self) -> Match:
        if self.played is None:
            raise Unknown(say("This match has not begun."))
        return self.played


def table(session: Session, here: Place) -> Table:
    """Everything about a match that an answer may need, read once."""
    row = session.get(models.Match, here.match_id)
    if row is None:
        raise store.no_match(here.match_id)
    query = (
        select(models.Seat, models.Player)
        .where(models.Seat.match_id == here.match_id)
        .join(models.Player, isouter=True)
        .order_by(col(models.Seat.number))
    )
    played = store.load(session.connection(), row.id) if row.head else None
    return Table(here, row, tuple((seat, player) for seat, player in session.exec(query)), played)


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


def names(at: Table) -> dict[int, str | Sentence]:
    """What the people in the seats are called."""
    return {s.number: accounts.display_name(player) for s, player in at.sitters if s.player_id}


def seat_told(seat: models.Seat, player: models.Player | None, here: Place) -> dict[str, Any]:
    """A seat as anybody may know it: a name, never an address."""
    return {
        "seat": seat.number,
        "name": accounts.display_name(player) if seat.player_id else None,
        "bot": seat.bot,
        "invited": seat.invited_email is not None,
        "me": seat.player_id is not None and seat.player_id == here.player_id,
        "nonce": seat.nonce,
    }


def summary(at: Table) -> dict[str, Any]:
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


def asks(row: models.Match) -> bool:
    """Whether somebody is waited for: nobody is while the match rests."""
    return row.status == "running"


def told(at: Table) -> dict[str, Any]:
    """A match with the board as the viewer sees it; before the start there is none."""
    match = at.played
    return {**summary(at), "view": view(match, match.state, at.here.seat) if match else None}


def view(match: Match, state: Any, seat: int | None) -> dict[str, Any]:
    return match.game.show(match.game.view(state, seat))


def listed(
    session: Session, player_id: int | None, page: int, status: str | None, mine: bool
) -> tuple[list[dict[str, Any]], bool]:
    """The matches that somebody may see, or only their own; the newest first, and whether there are more."""
    sits = select(models.Seat.match_id).where(models.Seat.player_id == player_id)
    own = or_(col(models.Match.id).in_(sits), models.Match.owner_id == player_id)
    shown = own if mine else or_(own, col(models.Match.public))
    query = select(models.Match).where(col(models.Match.public) if player_id is None else shown)
    if status is not None:
        query = query.where(models.Match.status == status)
    rows, more = paged(session, query, page)
    places = (place(session, row.id, player_id) for row in rows)
    return [summary(table(session, here)) for here in places], more


def stamp(at: Table) -> list[Any]:
    """Equal for as long as the viewer would be shown the same: head, hash, seat, row and names."""
    row = at.row.model_dump(mode="json", exclude={"seeds"})
    seats = [{**seat_told(*sitter, at.here), "name": None} for sitter in at.sitters]
    called = [str(name) for name in names(at).values()]
    return [store.fingerprint(), row, at.here.seat, seats, called]


# The board, now and at any position


def legal(at: Table, start: int = 0) -> tuple[list[str], int | None]:
    """The orders that the viewer's seat may give now, sorted as the referee does, and where those begin that are too many.

    No position of a match that was played has so many; of one that was made up, each page is sorted by itself.
    """
    seat, game, most = own_seat(at.here), at.match.game, choices.MOST_LISTED
    if not asks(at.row):
        return [], None
    page = list(islice(game.legal(at.match.state, seat), start, start + most + 1))
    more = start + most if len(page) > most else None
    return sorted(map(game.format, page[:most])), more


def view_at(at: Table, pos: int) -> dict[str, Any]:
    return view(at.match, history.state_at(at.match, pos), at.here.seat)


def picture(at: Table, pos: int | None = None) -> str:
    """The board as an SVG, now or after a position."""
    match, number = at.match, at.match.head if pos is None else pos
    state = history.state_at(match, number)
    return board(match.game, state, at.here.seat, match.log[number - 1].hash)


# Mails


def mails_known(here: Place) -> Any:
    """The mails that somebody may know of: what another asked by mail is nobody else's business."""
    theirs = models.Outbox.player_id == here.player_id
    return or_(models.Outbox.kind != "answer", theirs)


def mails(session: Session, at: Table, *which: Any) -> list[dict[str, Any]]:
    """The match's mail log, for its table: no contents, no addresses."""
    if not at.here.at_table:
        raise Forbidden(say("You have no seat in this match."))
    seats = {s.player_id: s.number for s, _ in reversed(at.sitters) if s.player_id is not None}
    known = mails_known(at.here)
    query = select(models.Outbox).where(models.Outbox.match_id == at.row.id, known, *which)
    return [
        {
            "kind": mail.kind,
            "seat": seats.get(mail.player_id) if mail.player_id is not None else None,
            "pos": mail.pos
            if mail.player_id is not None
            else 0,  # an invitation counts seats there
            "state": mail.state,
            "at": mail.sent_at or mail.created_at,
        }
        for mail in session.exec(query.order_by(col(models.Outbox.id)))
    ]
