"""The clocks of the seats: each runs while its seat is asked, for the turn's hours and then from its bank.

The log knows nothing of them. Whoever writes an act calls `arrange` in the same transaction; the sweep (`timeouts`)
finds those whose moment has come by `wake_at`. The match's row is taken first, always: nobody waits in a circle.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, delete, select

from app.clocks.pace import Calendar, Span, bank_time, calendar_of_pace, reminder_times, turn_time
from app.clocks.vacations import vacation_spans
from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_event_times, load_match
from app.platform import tables
from app.platform.tables import UNDER_WAY, Clock, ClockStop, Phase
from engine.core.match import Match
from engine.core.timeline import Paused, Resumed, Rewound

NOTHING = timedelta(0)
RUNNING = ("turn", "bank")


@dataclass(frozen=True, slots=True)
class Rest:
    """What a clock goes on with: so many seconds of a phase."""

    phase: Phase
    left: int


@dataclass(frozen=True, slots=True)
class TurnBack:
    """What going back means for the clocks.

    `resumed` go on with what they had; `raised` have at least the `floor`. Whoever is asked no more, and did not
    wish it, has used nothing of the bank: the question was taken away.
    """

    floor: timedelta
    raised: frozenset[int] = frozenset()
    resumed: Mapping[int, Rest] = field(default_factory=dict)
    wished_by: frozenset[int] = frozenset()


def arrange_clocks(
    session: Session,
    match_id: str,
    asked: Collection[int],
    at: datetime,
    status: str | None = None,
    *,
    head: int | None = None,
    fresh: Collection[int] = (),
    back: TurnBack | None = None,
) -> datetime | None:
    """Lets the clocks run of those who are asked and of nobody else; the deadline of the match that follows.

    `fresh` begin anew even if they were asked before; `head` and `status` are where the match stands after what was
    done, if not where its row says. Bots need no time, and while the match rests or a player's mails come back, the clock stands still.
    """
    row = lock_match_row(session, match_id)
    clocks = of_match(session, row)
    status = status or row.status
    row.bot_at = None
    pos = row.head if head is None else head
    for seat, player in sitters(session, match_id):
        clock = clocks[seat.number]
        if seat.number in asked and status == "running" and seat.bot is not None:
            row.bot_at = at
        awaited = seat.number in asked and status in UNDER_WAY and seat.bot is None
        if clock.phase == "idle" and not awaited:
            continue
        calendar = calendar_of_seat(session, row, player)
        if not awaited or player is None:
            spared = back is not None and seat.number not in back.wished_by
            stop(session, clock, calendar, at, pos, spared=spared)
            continue
        if back is not None and seat.number in back.resumed:
            go_on(clock, calendar, row.pace, at, back.resumed[seat.number])
        elif clock.phase == "idle" or seat.number in fresh:
            stop(session, clock, calendar, at, pos)
            start(clock, calendar, row.pace, at)
        if back is not None and seat.number in back.raised:
            raise_to(clock, row.pace, at, back.floor)
        if status == "paused":
            freeze(clock, calendar, at)
            clock.wake_at = None
        elif is_frozen(player, at):
            freeze(clock, calendar, at)
            clock.wake_at = player.frozen_until if clock.phase in RUNNING else None
        else:
            thaw(clock, calendar, row.pace, at)
    if not asked or status not in UNDER_WAY:
        session.exec(delete(ClockStop).where(col(ClockStop.match_id) == match_id))
    session.flush()
    return earliest_deadline(clocks)


def extend_clocks(session: Session, match_id: str, at: datetime, hours: int) -> None:
    """Gives whoever is asked some hours more; who had none left has these from now on."""
    row, more = lock_match_row(session, match_id), timedelta(hours=hours)
    clocks = of_match(session, row)
    for seat, player in sitters(session, match_id):
        clock, calendar = clocks[seat.number], calendar_of_seat(session, row, player)
        if clock.left is not None:
            clock.left += hours * 3600
        elif clock.phase == "over":
            clock.phase = "turn"
            set_clock_due(clock, row.pace, calendar.later(at, more), at)
        elif clock.due_at is not None:
            set_clock_due(clock, row.pace, calendar.later(clock.due_at, more), at)
    session.flush()


@contextmanager
def clocks_stopped(session: Session, player_id: int, at: datetime) -> Iterator[None]:
    """Something about a player changes that their clocks depend on: they stop, and go on as it is then."""
    seated = select(tables.Seat.match_id).where(tables.Seat.player_id == player_id)
    query = select(tables.Match.id).where(
        col(tables.Match.id).in_(seated), col(tables.Match.status).in_(UNDER_WAY)
    )
    ids = list(session.exec(query.order_by(col(tables.Match.id))))
    for match_id in ids:
        row = lock_match_row(session, match_id)
        clocks = of_match(session, row)
        for seat, player in sitters(session, match_id):
            if player is not None and player.id == player_id:
                freeze(clocks[seat.number], calendar_of_seat(session, row, player), at)
    yield
    session.flush()
    for match_id in ids:
        row, match = lock_match_row(session, match_id), load_match(session.connection(), match_id)
        asked = match.game.to_act(match.state)
        row.deadline = arrange_clocks(session, match_id, asked, at)
        session.add(row)


def is_frozen(player: tables.Player, at: datetime) -> bool:
    """Whether a player's clocks stand still because mails come back."""
    return player.frozen_until is not None and at < player.frozen_until


# Looking


def of_match(session: Session, row: tables.Match) -> dict[int, Clock]:
    """The clocks of all seats, made where there were none; for whoever holds the match's row."""
    found = {clock.seat: clock for clock in load_clocks(session, row.id)}
    for seat in range(row.seats):
        if seat not in found:
            bank = int(bank_time(row.pace).total_seconds())
            found[seat] = Clock(match_id=row.id, seat=seat, bank=bank)
            session.add(found[seat])
    return found


def load_clocks(session: Session, match_id: str) -> list[Clock]:
    query = select(Clock).where(Clock.match_id == match_id).order_by(col(Clock.seat))
    return list(session.exec(query))


def sitters(session: Session, match_id: str) -> list[tuple[tables.Seat, tables.Player | None]]:
    query = (
        select(tables.Seat, tables.Player)
        .join(tables.Player, isouter=True)
        .where(tables.Seat.match_id == match_id)
    )
    return [(seat, player) for seat, player in session.exec(query)]


def calendar_of_seat(session: Session, row: tables.Match, player: tables.Player | None) -> Calendar:
    """The time that counts for a player in a match."""
    return calendar_of_pace(row.pace, vacation_spans(session, player) if player else ())


def earliest_deadline(clocks: Mapping[int, Clock]) -> datetime | None:
    """When the first of those who are asked must have answered."""
    return min((clock.due_at for clock in clocks.values() if clock.due_at), default=None)


def remaining(clock: Clock, calendar: Calendar, at: datetime) -> timedelta:
    """What is left until the end of the turn's hours, or of the bank."""
    if clock.left is not None:
        return timedelta(seconds=clock.left)
    return calendar.between(at, clock.due_at) if clock.due_at is not None else NOTHING


# Going back


def plan_turn_back(
    session: Session,
    before: Match,
    after: Match,
    at: datetime,
    *,
    floor: timedelta,
    wished_by: Collection[int],
    runs_on: bool,
) -> TurnBack:
    """What becomes of the clocks: who wished it has no more than before, the others have a floor if one of them had acted.

    With `runs_on` the clocks of those who wished it go on as if their acts had not stopped them.
    """
    had, has = ({e.pos for e in match.timeline.effective} for match in (before, after))
    played = {e.pos: e.seat for e in (*before.timeline.effective, *after.timeline.effective)}
    others = {played[pos] for pos in had ^ has} - {None, *wished_by}
    asked = after.game.to_act(after.state)
    resumed = {
        seat: rest(session, before, noted, at, runs_on=runs_on)
        for seat in asked
        if seat in wished_by and (noted := stop_after(session, before, seat, max(had & has)))
    }
    raised = frozenset(asked).difference(wished_by) if others else frozenset[int]()
    return TurnBack(floor, raised, resumed, frozenset(wished_by))


def stop_after(session: Session, match: Match, seat: int, to: int) -> ClockStop | None:
    """What the seat had left when what followed `to` stopped its clock; None if that runs still.

    A stop that an earlier turn back has cut is none: the clock was set right then.
    """
    query = select(ClockStop).where(
        ClockStop.match_id == match.id, ClockStop.seat == seat, col(ClockStop.pos) > to
    )
    for stopped_then in session.exec(query.order_by(col(ClockStop.id))):
        later = match.log[stopped_then.pos :]
        if not any(isinstance(e.event, Rewound) and e.event.to < stopped_then.pos for e in later):
            return stopped_then
    return None


def rest(session: Session, match: Match, noted: ClockStop, at: datetime, *, runs_on: bool) -> Rest:
    """What is left of a clock that was stopped, or would be if it had run on."""
    used = 0
    if runs_on:
        row, seat = (
            lock_match_row(session, match.id),
            session.get_one(tables.Seat, (match.id, noted.seat)),
        )
        calendar = calendar_of_seat(session, row, session.get(tables.Player, seat.player_id))
        stretches = not_paused(session, match, noted, at)
        used = seconds(sum((calendar.between(*stretch) for stretch in stretches), NOTHING))
    left = noted.left - used
    if left < 0 and noted.phase == "turn":
        return Rest("bank", max(0, noted.bank + left))
    return Rest(noted.phase, max(0, left))


def not_paused(session: Session, match: Match, noted: ClockStop, at: datetime) -> Iterator[Span]:
    """The stretches of time since a clock stopped in which the match did not rest."""
    times = load_event_times(session.connection(), match.id, noted.pos)
    start: datetime | None = noted.at
    for entry in match.log[noted.pos :]:
        if isinstance(entry.event, Paused) and start is not None:
            yield start, times[entry.pos]
            start = None
        elif isinstance(entry.event, Resumed):
            start = times[entry.pos]
    if start is not None:
        yield start, at


# Running


def start(clock: Clock, calendar: Calendar, agreed: dict[str, Any], at: datetime) -> None:
    clock.phase = "turn"
    set_clock_due(clock, agreed, calendar.later(at, turn_time(agreed)), at)


def stop(
    session: Session,
    clock: Clock,
    calendar: Calendar,
    at: datetime,
    pos: int,
    *,
    spared: bool = False,
) -> None:
    """The seat is not asked any more: what was not used of its bank it keeps, and what it had left is noted."""
    left = seconds(remaining(clock, calendar, at))
    if clock.phase == "bank" and not spared:
        clock.bank = min(clock.bank, left)
    if clock.phase != "idle":
        session.add(
            ClockStop(
                match_id=clock.match_id,
                seat=clock.seat,
                pos=pos,
                phase=clock.phase,
                left=left,
                bank=clock.bank,
                at=at,
            )
        )
    clock.phase, clock.due_at, clock.left, clock.wake_at = "idle", None, None, None


def go_on(
    clock: Clock, calendar: Calendar, agreed: dict[str, Any], at: datetime, rest: Rest
) -> None:
    """Runs on with what was left, and with no more of the bank than today; where that is nothing, the sweep finds it at once."""
    if clock.phase == "bank":
        clock.bank = min(clock.bank, seconds(remaining(clock, calendar, at)))
    clock.phase = "bank" if rest.phase == "over" else rest.phase
    left = min(rest.left, clock.bank) if clock.phase == "bank" else rest.left
    set_clock_due(clock, agreed, calendar.later(at, whole_seconds(left)), at)


def freeze(clock: Clock, calendar: Calendar, at: datetime) -> None:
    if clock.phase in RUNNING and clock.left is None:
        clock.left = seconds(remaining(clock, calendar, at))
        clock.due_at = clock.wake_at = None


def thaw(clock: Clock, calendar: Calendar, agreed: dict[str, Any], at: datetime) -> None:
    if clock.left is not None:
        set_clock_due(clock, agreed, calendar.later(at, timedelta(seconds=clock.left)), at)


def raise_to(clock: Clock, agreed: dict[str, Any], at: datetime, floor: timedelta) -> None:
    """Sees to it that so much is left; who had nothing left begins again with it."""
    if clock.phase == "over":
        clock.phase = "turn"
    if clock.left is not None:
        clock.left = max(clock.left, seconds(floor))
    elif clock.due_at is None or clock.due_at < at + floor:
        set_clock_due(clock, agreed, at + floor, at)


def set_clock_due(clock: Clock, agreed: dict[str, Any], due: datetime, at: datetime) -> None:
    clock.due_at, clock.left = due, None
    clock.wake_at = next_clock_look(agreed, due, at)


def next_clock_look(agreed: dict[str, Any], due: datetime, at: datetime) -> datetime:
    """When the sweep must look at a clock: at the next reminder, or when its time is up."""
    moments = (due - before for before in reminder_times(agreed))
    return min((moment for moment in moments if at < moment < due), default=due)


def seconds(time: timedelta) -> int:
    return int(time.total_seconds())


def whole_seconds(seconds: int) -> timedelta:
    return timedelta(seconds=seconds)
