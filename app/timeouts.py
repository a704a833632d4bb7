"""What happens when the moment of a clock has come: a reminder, the bank, the end of all time, or of a standstill.

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

from app import clock as clocks
from app import models, notices, pace, seating, store
from app.models import Clock
from engine.core import match as matches
from engine.core.timeline import StoodIn


class Due(NamedTuple):
    """A clock at which somebody must look, as it was seen."""

    match_id: str
    seat: int
    wake_at: datetime


def due(session: Session, at: datetime, most: int, skip: int = 0) -> list[Due]:
    """The clocks whose moment has come, the longest waiting first."""
    query = select(Clock.match_id, Clock.seat, Clock.wake_at).where(col(Clock.wake_at) <= at)
    order = (col(Clock.wake_at), col(Clock.match_id), col(Clock.seat))
    return [Due(*row) for row in session.exec(query.order_by(*order).offset(skip).limit(most))]


def fire(session: Session, seen: Due, at: datetime) -> bool:
    """Does what a clock is due to do, unless another sweeper did it or it has moved meanwhile."""
    row = clocks.held(session, seen.match_id)
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
        clock.wake_at = clocks.next_look(row.pace, clock.due_at, at)
        remind(session, row, clock, at)
    elif clock.phase == "turn" and clock.bank:
        open_bank(session, row, clock, at)
    else:
        run_out(session, row, clock, at)
    session.flush()
    return True


def claimed(session: Session, seen: Due) -> bool:
    """Takes the clock in one statement: of several sweepers one finds it as it was seen."""
    table: Any = models.Table.metadata.tables["clock"]
    as_seen = (
        table.c.match_id == seen.match_id,
        table.c.seat == seen.seat,
        table.c.wake_at == seen.wake_at,
    )
    taken = session.connection().execute(update(table).where(*as_seen).values(wake_at=None))
    return taken.rowcount == 1


def run_on(session: Session, row: models.Match, thawed_at: datetime) -> None:
    """A clock has stood still for long enough: it runs from the moment at which it should have."""
    match = store.load(session.connection(), row.id)
    asked = match.game.to_act(match.state)
    row.deadline = clocks.arrange(session, row.id, asked, thawed_at, row.status)
    session.add(row)
    session.flush()


def open_bank(session: Session, row: models.Match, clock: Clock, at: datetime) -> None:
    """The turn's hours are over: from the moment they were, the seat lives on its bank."""
    seat = session.get_one(models.Seat, (row.id, clock.seat))
    player = session.get_one(models.Player, seat.player_id)
    calendar = clocks.calendar_of(session, row, player)
    ended = clock.due_at or at
    clock.phase = "bank"
    clocks.set_due(clock, row.pace, calendar.later(ended, clocks.span(clock.bank)), at)
    show(session, row)
    remind(session, row, clock, at)


def run_out(session: Session, row: models.Match, clock: Clock, at: datetime) -> None:
    """Nothing is left; the match agreed on what happens then."""
    clock.phase, clock.bank, clock.wake_at = "over", 0, None
    session.flush()
    AT_THE_END[{**pace.DEFAULT, **row.pace}["on_timeout"]](session, row, clock, at)


def show(session: Session, row: models.Match) -> None:
    """Lets the match tell the deadline that its clocks have now."""
    row.deadline = clocks.deadline({c.seat: c for c in clocks.looked_up(session, row.id)})
    session.add(row)


# The end


def ask_moderators(session: Session, row: models.Match, clock: Clock, at: datetime) -> None:
    remind(session, row, clock, at)
    named = select(models.Moderator.player_id).where(models.Moderator.match_id == row.id)
    carers = {row.owner_id, *session.exec(named)} - {None}
    for player_id in sorted(carer for carer in carers if carer is not None):
        post(session, row, "timeout", player_id, {"seat": clock.seat}, at)


def stand_in(session: Session, row: models.Match, clock: Clock, at: datetime) -> None:
    """Lets a bot play on for the seat; its player keeps it, and is back with the next order."""
    before = store.load(session.connection(), row.id)
    seat = session.get_one(models.Seat, (row.id, clock.seat))
    seat.bot = seating.default_bot(before.game)
    session.add(seat)
    session.flush()
    after = matches.note(before, StoodIn(clock.seat, seat.bot))
    asked = after.game.to_act(after.state)
    deadline = clocks.arrange(session, row.id, asked, at, row.status, head=after.head)
    store.save(session.connection(), after, before.head, at, deadline=deadline)
    session.refresh(row)
    tell(session, row, seat, {"phase": "over", "hours": 0, "bot": seat.bot}, at)


def remind(session: Session, row: models.Match, clock: Clock, at: datetime) -> None:
    """Writes to the player how much is left of what."""
    left = (clock.due_at or at) - at
    hours = max(0, round(left.total_seconds() / 3600))
    seat = session.get_one(models.Seat, (row.id, clock.seat))
    tell(session, row, seat, {"phase": clock.phase, "hours": hours, "bot": None}, at)


def tell(
    session: Session, row: models.Match, seat: models.Seat, said: dict[str, Any], at: datetime
) -> None:
    if seat.player_id is not None:
        post(session, row, "reminder", seat.player_id, {"seat": seat.number, **said}, at)


def post(
    session: Session,
    row: models.Match,
    kind: str,
    player_id: int,
    payload: dict[str, Any],
    at: datetime,
) -> None:
    """One more mail of that kind at this position: they are numbered."""
    same = (
        models.Outbox.match_id == row.id,
        models.Outbox.pos == row.head,
        models.Outbox.player_id == player_id,
        models.Outbox.kind == kind,
    )
    number = session.exec(select(func.count()).select_from(models.Outbox).where(*same)).one()
    notices.to_player(
        session, row.id, row.head, player_id, kind, at, payload=payload, number=number
    )


AT_THE_END: dict[str, Callable[[Session, models.Match, Clock, datetime], None]] = {
    "remind": remind,
    "moderator": ask_moderators,
    "bot": stand_in,
}
