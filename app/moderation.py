"""Care of a match: turning it back, pausing, extending, closing it, giving a seat to another.

Each is an event like any other, told to everybody, with a reason.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, select

from app import lobby, models, notices, play, store
from app.db import Database
from app.errors import Forbidden, Stale
from app.words import email_address, plain_text
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.sentence import say
from engine.core.timeline import Closed, Extended, Paused, Resumed, SeatReplaced

LONGEST_REASON = 500
BY = "owner"  # not the name: the log is for ever, and names are not


def rewind(
    database: Database,
    match_id: str,
    player_id: int,
    head: int,
    to: int,
    reason: Any,
    at: datetime,
) -> int:
    """Takes the match back to the end of an earlier order; what is cut stays in the log."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    with database.session() as session:
        before = seen_at(session, match_id, player_id, head)
        after = matches.rewind(before, to, BY, why, secrets.token_hex(32))
        keep(session, before, after, "rewound", at)
    return after.head


def restore(database: Database, match_id: str, player_id: int, head: int, at: datetime) -> int:
    """Brings back what the last rewind cut, while nothing new was played."""
    with database.session() as session:
        before = seen_at(session, match_id, player_id, head)
        after = matches.restore(before, BY)
        keep(session, before, after, "restored", at)
    return after.head


def seen_at(session: Session, match_id: str, player_id: int, head: int) -> Match:
    """The match, if its owner asks and it is still where the owner saw it."""
    here = play.place(session, match_id, player_id)
    if not here.owner:
        raise Forbidden(say("Only the owner of the match may do this."))
    if here.status not in ("running", "paused", "over"):
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=here.status)
        )
    match = store.load(session.connection(), match_id)
    if head != match.head:
        raise Stale(match.head)
    return match


def keep(session: Session, before: Match, after: Match, kind: str, at: datetime) -> None:
    """Writes the turn, and whatever was made for the part that went: drafts and standing orders are void."""
    changes: dict[str, Any] = {}
    if after.over and not before.over:
        changes = {"status": "over", "ended_at": at, "deadline": None}
    elif before.over and not after.over:
        changes = {"status": "running", "ended_at": None}
    store.save(session.connection(), after, before.head, at, **changes)
    void(session, after.id)
    seats = tuple(range(len(after.game.scores(after.state))))
    notices.notify(session, after.id, after.head, seats, kind, at)


# The table


def pause(
    session: Session, match_id: str, player_id: int, reason: Any, head: int | None, at: datetime
) -> None:
    """Lets the match rest: nobody is asked until it is resumed."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    match, _ = in_care(session, match_id, player_id, head, "running")
    noted(session, match, Paused(BY, why), "paused", at, status="paused")


def resume(
    session: Session, match_id: str, player_id: int, reason: Any, head: int | None, at: datetime
) -> None:
    """Lets the match go on; the time that it rested is not counted."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    match, row = in_care(session, match_id, player_id, head, "paused")
    rested = at - (paused_at(session, match) or at)
    deadline = row.deadline and row.deadline + rested
    noted(session, match, Resumed(BY, why), "resumed", at, status="running", deadline=deadline)


def paused_at(session: Session, match: Match) -> datetime | None:
    """When the match was paused last."""
    last = max((e.pos for e in match.log if isinstance(e.event, Paused)), default=None)
    return None if last is None else store.times(session.connection(), match.id, last - 1)[last]


def extend(
    session: Session,
    match_id: str,
    player_id: int,
    reason: Any,
    hours: int,
    head: int | None,
    at: datetime,
) -> None:
    """Gives whoever is asked some hours more."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    match, row = in_care(session, match_id, player_id, head, "running", "paused")
    deadline = row.deadline and row.deadline + timedelta(hours=hours)
    noted(session, match, Extended(BY, why, hours), "extended", at, deadline=deadline)


def close(
    session: Session, match_id: str, player_id: int, reason: Any, head: int | None, at: datetime
) -> None:
    """Ends the match unfinished: its secrets stay secrets."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    match, _ = in_care(session, match_id, player_id, head, "running", "paused")
    ended: dict[str, Any] = {"status": "closed", "ended_at": at, "deadline": None}
    noted(session, match, Closed(BY, why), "closed", at, **ended)
    void(session, match_id)


def replace_player(
    session: Session,
    match_id: str,
    player: models.Player,
    number: int,
    email: str | None,
    bot: str | None,
    reason: Any,
    head: int | None,
    at: datetime,
) -> None:
    """Gives a seat to another: at once if the address is a player's, else it is kept for that address."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    match, row = in_care(session, match_id, player.id or 0, head, "running", "paused")
    if (email is None) == (bot is None):
        raise NotUnderstood(say("A seat is given to an address or to a bot: name one of them."))
    if email is None:
        raise Unknown(say("There is no bot {bot} yet.", bot=repr(bot)[:40]))
    lobby.check_address(player)
    if match.name != match.id:
        raise Forbidden(
            say("This match was taken in from a record that tells its seed; nobody else may join.")
        )
    seats = lobby.seats_of(session, match_id)
    if number not in range(len(seats)):
        raise Unknown(say("There is no seat {seat} in this match.", seat=number))
    seat, before = seats[number], seats[number].player_id
    address = email_address(email)
    newcomer = session.exec(
        select(models.Player).where(col(models.Player.email) == address)
    ).one_or_none()
    check_newcomer(seats, address, newcomer)
    after = matches.note(match, SeatReplaced(BY, why, number))
    seat.player_id = seat.bot = seat.invited_email = seat.invite_hash = None
    if newcomer is None:
        lobby.invite(session, row, seat, address, at, after.head)
    else:
        seat.player_id = newcomer.id
    session.add(seat)
    session.flush()
    void(session, match_id, number)
    told(session, match, after, "replaced", at)
    if before is not None and before not in {other.player_id for other in seats}:
        notices.to_player(session, match_id, after.head, before, "replaced", at)
    if row.status == "running":
        notices.to_newcomer(session, after, number, at)


def check_newcomer(seats: list[models.Seat], address: str, newcomer: models.Player | None) -> None:
    """Nobody sits twice, and nobody takes over from themselves."""
    for seat in seats:
        sits = newcomer is not None and seat.player_id == newcomer.id
        if sits or seat.invited_email == address:
            raise Forbidden(say("That person has a seat in this match already."))


def in_care(
    session: Session, match_id: str, player_id: int, head: int | None, *states: str
) -> tuple[Match, models.Match]:
    """The match, if its owner asks, it is in one of these states, and still where the owner saw it."""
    here = play.place(session, match_id, player_id)
    if not here.owner:
        raise Forbidden(say("Only the owner of the match may do this."))
    row = play.take_turn(session, match_id)
    if row.status not in states:
        raise Forbidden(
            say(
                "This cannot be done to a match whose status is {status}.",
                status=row.status,
            )
        )
    match = store.load(session.connection(), match_id)
    if head is not None and head != match.head:
        raise Stale(match.head)
    return match, row


def noted(
    session: Session, before: Match, event: Any, kind: str, at: datetime, **changes: Any
) -> None:
    told(session, before, matches.note(before, event), kind, at, **changes)


def told(
    session: Session, before: Match, after: Match, kind: str, at: datetime, **changes: Any
) -> None:
    """Writes what was done to the table, and tells everybody there."""
    store.save(session.connection(), after, before.head, at, **changes)
    session.refresh(session.get_one(models.Match, after.id))
    seats = tuple(range(len(after.game.scores(after.state))))
    notices.notify(session, after.id, after.head, seats, kind, at)


def void(session: Session, match_id: str, seat: int | None = None) -> None:
    """Drops what was prepared for a match; of one seat also what its player wrote down."""
    for model in (models.Draft, models.Standing, *((models.Note,) if seat is not None else ())):
        dropped = delete(model).where(col(model.match_id) == match_id)
        session.exec(dropped if seat is None else dropped.where(col(model.seat) == seat))
