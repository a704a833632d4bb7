"""Timeouts, when the moment of a clock has come: a reminder, the bank, the end of all time, or of a standstill.

Each is done once, whoever sweeps: the clock is claimed, and what follows is written, in one transaction. Mails:
`reminder` to the player, with `{"seat", "phase", "hours", "bot"}`: the phase that runs now ("over" when none does), the
whole hours that are left of it, and the bot that plays on, if one does. `timeout` to those who care for the match, with
`{"seat"}`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import func, update
from sqlmodel import Session, col, select

from app.clocks.clocks import (
    arrange_clocks,
    calendar_of_seat,
    earliest_deadline,
    load_clocks,
    next_clock_look,
    set_clock_due,
    whole_seconds,
)
from app.clocks.pace import DEFAULT_PACE
from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.bot_names import default_bot
from app.matches.commit import TO_NOBODY, commit_match
from app.outbox.notifications import notify_player
from app.platform import tables
from app.platform.tables import Clock
from engine.core import match as matches
from engine.core.timeline import StoodIn


class Due(NamedTuple):
    """A clock at which somebody must look, as it was seen."""

    match_id: str
    seat: int
    wake_at: datetime


def load_due_clocks(session: Session, at: datetime, most: int, skip: int = 0) -> list[Due]:
    """The clocks whose moment has come, the longest waiting first."""
    query = select(Clock.match_id, Clock.seat, Clock.wake_at).where(col(Clock.wake_at) <= at)
    order = (col(Clock.wake_at), col(Clock.match_id), col(Clock.seat))
    return [Due(*row) for row in session.exec(query.order_by(*order).offset(skip).limit(most))]


def fire_clock(session: Session, seen: Due, at: datetime) -> bool:
    """Does what a clock is due to do, unless another sweeper did it or it has moved meanwhile."""
    row = lock_match_row(session, seen.match_id)
    if not claimed(session, seen):
        return False
    clock = session.get_one(Clock, (seen.match_id, seen.seat), populate_existing=True)
    if row.status != "running":
        return False
    if clock.left is not None:
        run_on(session, row, seen.wake_at)
        return True
    if clock.due_at is None:
        return False
    if clock.due_at > at:
        clock.wake_at = next_clock_look(row.pace, clock.due_at, at)
        remind(session, row, clock, at)
    elif clock.phase == "turn" and clock.bank:
        open_bank(session, row, clock, at)
    else:
        run_out(session, row, clock, at)
    session.flush()
    return True


def claimed(session: Session, seen: Due) -> bool:
    """Takes the clock in one statement: of several sweepers one finds it as it was seen."""
    table: Any = tables.Table.metadata.tables["clock"]
    as_seen = (
        table.c.match_id == seen.match_id,
        table.c.seat == seen.seat,
        table.c.wake_at == seen.wake_at,
    )
    taken = session.connection().execute(update(table).where(*as_seen).values(wake_at=None))
    return taken.rowcount == 1


def run_on(session: Session, row: tables.Match, thawed_at: datetime) -> None:
    """A clock has stood still for long enough: it runs from the moment at which it should have."""
    match = load_match(session.connection(), row.id)
    asked = match.game.to_act(match.state)
    row.deadline = arrange_clocks(session, row.id, asked, thawed_at)
    session.add(row)
    session.flush()


def open_bank(session: Session, row: tables.Match, clock: Clock, at: datetime) -> None:
    """The turn's hours are over: from the moment they were, the seat lives on its bank."""
    seat = session.get_one(tables.Seat, (row.id, clock.seat))
    player = session.get_one(tables.Player, seat.player_id)
    calendar = calendar_of_seat(session, row, player)
    ended = clock.due_at or at
    clock.phase = "bank"
    set_clock_due(clock, row.pace, calendar.later(ended, whole_seconds(clock.bank)), at)
    show(session, row)
    remind(session, row, clock, at)


def run_out(session: Session, row: tables.Match, clock: Clock, at: datetime) -> None:
    """Nothing is left; the match agreed on what happens then."""
    clock.phase, clock.bank, clock.wake_at = "over", 0, None
    seat = session.get_one(tables.Seat, (row.id, clock.seat))
    if seat.player_id is not None:  # who is given more time and lets it pass too was late once
        session.merge(tables.LateTurn(match_id=row.id, pos=row.head, player_id=seat.player_id))
    session.flush()
    AT_THE_END[{**DEFAULT_PACE, **row.pace}["on_timeout"]](session, row, clock, at)


def show(session: Session, row: tables.Match) -> None:
    """Lets the match tell the deadline that its clocks have now."""
    row.deadline = earliest_deadline({c.seat: c for c in load_clocks(session, row.id)})
    session.add(row)


# The end


def ask_moderators(session: Session, row: tables.Match, clock: Clock, at: datetime) -> None:
    remind(session, row, clock, at)
    named = select(tables.Moderator.player_id).where(tables.Moderator.match_id == row.id)
    carers = {row.owner_id, *session.exec(named)} - {None}
    for player_id in sorted(carer for carer in carers if carer is not None):
        post(session, row, "timeout", player_id, {"seat": clock.seat}, at)


def stand_in(session: Session, row: tables.Match, clock: Clock, at: datetime) -> None:
    """Lets a bot play on for the seat; its player keeps it, and is back with the next order."""
    before = load_match(session.connection(), row.id)
    seat = session.get_one(tables.Seat, (row.id, clock.seat))
    seat.bot = default_bot(before.game)
    session.add(seat)
    session.flush()
    after = matches.note(before, StoodIn(clock.seat, seat.bot))
    commit_match(session, before, after, at, TO_NOBODY)
    tell(session, row, seat, {"phase": "over", "hours": 0, "bot": seat.bot}, at)


def remind(session: Session, row: tables.Match, clock: Clock, at: datetime) -> None:
    """Writes to the player how much is left of what."""
    left = (clock.due_at or at) - at
    hours = max(0, round(left.total_seconds() / 3600))
    seat = session.get_one(tables.Seat, (row.id, clock.seat))
    tell(session, row, seat, {"phase": clock.phase, "hours": hours, "bot": None}, at)


def tell(
    session: Session, row: tables.Match, seat: tables.Seat, said: dict[str, Any], at: datetime
) -> None:
    if seat.player_id is not None:
        post(session, row, "reminder", seat.player_id, {"seat": seat.number, **said}, at)


def post(
    session: Session,
    row: tables.Match,
    kind: str,
    player_id: int,
    payload: dict[str, Any],
    at: datetime,
) -> None:
    """One more mail of that kind at this position: they are numbered."""
    same = (
        tables.Outbox.match_id == row.id,
        tables.Outbox.pos == row.head,
        tables.Outbox.player_id == player_id,
        tables.Outbox.kind == kind,
    )
    number = session.exec(select(func.count()).select_from(tables.Outbox).where(*same)).one()
    notify_player(session, row.id, row.head, player_id, kind, at=at, payload=payload, number=number)


AT_THE_END: dict[str, Callable[[Session, tables.Match, Clock, datetime], None]] = {
    "remind": remind,
    "moderator": ask_moderators,
    "bot": stand_in,
}
