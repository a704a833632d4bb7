"""The clocks of the seats: each runs while its seat is asked, for the turn's hours and then from its bank.

The log knows nothing of them. Whoever writes an act calls `arrange` in the same transaction; the sweep (`timeouts`)
finds those whose moment has come by `wake_at`. The match's row is taken first, always: nobody waits in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from app import models, pace, store, vacation
from app.models import UNDER_WAY, Clock
from app.pace import Calendar

NOTHING = timedelta(0)
RUNNING = ("turn", "bank")


def arrange(
    session: Session,
    match_id: str,
    asked: Collection[int],
    at: datetime,
    status: str = "running",
    *,
    fresh: Collection[int] = (),
    floor: timedelta = NOTHING,
) -> datetime | None:
    """Lets the clocks run of those who are asked and of nobody else; the deadline of the match that follows.

    `fresh` begin anew even if they were asked before; nobody has less left than the `floor`. Bots need no time, and
    while the match rests or a player's mails come back, the clock stands still.
    """
    row = held(session, match_id)
    clocks = of_match(session, row)
    row.bot_at = None
    for seat, player in sitters(session, match_id):
        clock = clocks[seat.number]
        if seat.number in asked and status == "running" and seat.bot is not None:
            row.bot_at = at
        awaited = seat.number in asked and status in UNDER_WAY and seat.bot is None
        if clock.phase == "idle" and not awaited:
            continue
        calendar = calendar_of(session, row, player)
        if not awaited or player is None:
            stop(clock, calendar, at)
            continue
        if clock.phase == "idle" or seat.number in fresh:
            stop(clock, calendar, at)
            start(clock, calendar, row.pace, at)
        if floor:
            raise_to(clock, row.pace, at, floor)
        if status == "paused" or player.bouncing_at is not None:
            freeze(clock, calendar, at)
        else:
            thaw(clock, calendar, row.pace, at)
    session.flush()
    return deadline(clocks)


def extend(session: Session, match_id: str, at: datetime, hours: int) -> None:
    """Gives whoever is asked some hours more; who had none left has these from now on."""
    row, more = held(session, match_id), timedelta(hours=hours)
    clocks = of_match(session, row)
    for seat, player in sitters(session, match_id):
        clock, calendar = clocks[seat.number], calendar_of(session, row, player)
        if clock.left is not None:
            clock.left += hours * 3600
        elif clock.phase == "over":
            clock.phase = "turn"
            set_due(clock, row.pace, calendar.later(at, more), at)
        elif clock.due_at is not None:
            set_due(clock, row.pace, calendar.later(clock.due_at, more), at)
    session.flush()


@contextmanager
def stopped(session: Session, player_id: int, at: datetime) -> Iterator[None]:
    """Something about a player changes that their clocks depend on: they stop, and go on as it is then."""
    seated = select(models.Seat.match_id).where(models.Seat.player_id == player_id)
    query = select(models.Match.id).where(
        col(models.Match.id).in_(seated), col(models.Match.status).in_(UNDER_WAY)
    )
    ids = list(session.exec(query.order_by(col(models.Match.id))))
    for match_id in ids:
        row = held(session, match_id)
        clocks = of_match(session, row)
        for seat, player in sitters(session, match_id):
            if player is not None and player.id == player_id:
                freeze(clocks[seat.number], calendar_of(session, row, player), at)
    yield
    session.flush()
    for match_id in ids:
        row, match = held(session, match_id), store.load(session.connection(), match_id)
        asked = match.game.to_act(match.state)
        row.deadline = arrange(session, match_id, asked, at, row.status)
        session.add(row)


# Looking


def held(session: Session, match_id: str) -> models.Match:
    """The match's row, for us alone until we are done."""
    return session.get_one(models.Match, match_id, with_for_update={"key_share": True})


def of_match(session: Session, row: models.Match) -> dict[int, Clock]:
    """The clocks of all seats, made where there were none; for whoever holds the match's row."""
    found = {clock.seat: clock for clock in looked_up(session, row.id)}
    for seat in range(row.seats):
        if seat not in found:
            bank = int(pace.bank_time(row.pace).total_seconds())
            found[seat] = Clock(match_id=row.id, seat=seat, bank=bank)
            session.add(found[seat])
    return found


def looked_up(session: Session, match_id: str) -> list[Clock]:
    query = select(Clock).where(Clock.match_id == match_id).order_by(col(Clock.seat))
    return list(session.exec(query))


def sitters(session: Session, match_id: str) -> list[tuple[models.Seat, models.Player | None]]:
    query = (
        select(models.Seat, models.Player)
        .join(models.Player, isouter=True)
        .where(models.Seat.match_id == match_id)
    )
    return [(seat, player) for seat, player in session.exec(query)]


def calendar_of(session: Session, row: models.Match, player: models.Player | None) -> Calendar:
    """The time that counts for a player in a match."""
    return pace.calendar(row.pace, vacation.spans(session, player) if player else ())


def deadline(clocks: Mapping[int, Clock]) -> datetime | None:
    """When the first of those who are asked must have answered."""
    return min((clock.due_at for clock in clocks.values() if clock.due_at), default=None)


def remaining(clock: Clock, calendar: Calendar, at: datetime) -> timedelta:
    """What is left until the end of the turn's hours, or of the bank."""
    if clock.left is not None:
        return timedelta(seconds=clock.left)
    return calendar.between(at, clock.due_at) if clock.due_at is not None else NOTHING


# Running


def start(clock: Clock, calendar: Calendar, agreed: dict[str, Any], at: datetime) -> None:
    clock.phase = "turn"
    set_due(clock, agreed, calendar.later(at, pace.turn_time(agreed)), at)


def stop(clock: Clock, calendar: Calendar, at: datetime) -> None:
    """The seat is not asked any more: what was not used of its bank it keeps."""
    if clock.phase == "bank":
        clock.bank = min(clock.bank, seconds(remaining(clock, calendar, at)))
    clock.phase, clock.due_at, clock.left, clock.wake_at = "idle", None, None, None


def freeze(clock: Clock, calendar: Calendar, at: datetime) -> None:
    if clock.phase in RUNNING and clock.left is None:
        clock.left = seconds(remaining(clock, calendar, at))
        clock.due_at = clock.wake_at = None


def thaw(clock: Clock, calendar: Calendar, agreed: dict[str, Any], at: datetime) -> None:
    if clock.left is not None:
        set_due(clock, agreed, calendar.later(at, timedelta(seconds=clock.left)), at)


def raise_to(clock: Clock, agreed: dict[str, Any], at: datetime, floor: timedelta) -> None:
    """Sees to it that so much is left; who had nothing left begins again with it."""
    if clock.phase == "over":
        clock.phase = "turn"
    if clock.left is not None:
        clock.left = max(clock.left, seconds(floor))
    elif clock.due_at is None or clock.due_at < at + floor:
        set_due(clock, agreed, at + floor, at)


def set_due(clock: Clock, agreed: dict[str, Any], due: datetime, at: datetime) -> None:
    clock.due_at, clock.left = due, None
    clock.wake_at = next_look(agreed, due, at)


def next_look(agreed: dict[str, Any], due: datetime, at: datetime) -> datetime:
    """When the sweep must look at a clock: at the next reminder, or when its time is up."""
    moments = (due - before for before in pace.reminders(agreed))
    return min((moment for moment in moments if at < moment < due), default=due)


def seconds(time: timedelta) -> int:
    return int(time.total_seconds())


def span(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)
