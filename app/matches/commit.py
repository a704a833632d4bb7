"""One commit for whatever is added to the log of a match: clocks, status, log, row and notices, in this order.

The only caller of the event store's `save_match`. Whoever calls says who hears of it: a notice cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.clocks.clocks import TurnBack, arrange_clocks
from app.eventstore.store import save_match
from app.outbox.notifications import newly_asked, notify_after_act, notify_seats
from app.platform import tables
from engine.core.match import Match
from engine.core.timeline import NOT_PLAYED


@dataclass(frozen=True, slots=True)
class ToAsked:
    """Whoever is newly asked hears of it, and at the end of the match everybody; some of them only `later`."""

    later: Mapping[int, datetime] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToTable:
    """Everybody at the table hears of it by a mail of this kind, but for some."""

    kind: str
    but_not: Collection[int] = ()


@dataclass(frozen=True, slots=True)
class ToSeats:
    """Those in these seats hear of it by a mail of this kind."""

    kind: str
    seats: tuple[int, ...]


TO_NOBODY = ToSeats("", ())  # who reads the log learns it, or the caller writes a mail of its own
Notice = ToAsked | ToTable | ToSeats


def commit_match(
    session: Session,
    before: Match | None,
    after: Match,
    at: datetime,
    notice: Notice,
    *,
    back: TurnBack | None = None,
    **changes: Any,
) -> None:
    """Writes what `after` has and `before` had not, in the caller's transaction; `changes` are to the match's row.

    `back` is what a turn back means for the clocks.
    """
    since = before.head if before else 0
    changes = {**ending(before, after, at), **changes}
    fresh = newly_asked(before, after) if back is None else ()
    if fresh or clocks_follow(before, after):
        changes["deadline"] = arrange_clocks(
            session,
            after.id,
            after.game.to_act(after.state),
            at,
            changes.get("status"),
            head=after.head,
            fresh=fresh,
            back=back,
        )
    save_match(session.connection(), after, since, at, **changes)
    forget_row(session, after.id)
    notify(session, before, after, at, notice)


def ending(before: Match | None, after: Match, at: datetime) -> dict[str, Any]:
    """What the row says of a match that has just ended, or that was over and goes on."""
    if before is None or before.over == after.over:
        return {}
    if after.over:
        return {"status": "over", "ended_at": at}
    return {"status": "running", "ended_at": None}


def clocks_follow(before: Match | None, after: Match) -> bool:
    """Whether somebody else is asked, or something was done to the table: an order within a turn stops no clock."""
    if before is None or before.game.to_act(before.state) != after.game.to_act(after.state):
        return True
    return any(type(entry.event) in NOT_PLAYED for entry in after.log[before.head :])


def forget_row(session: Session, match_id: str) -> None:
    """Lets the session read the row anew, if it has it: the log was written past it."""
    known = session.identity_map.get(session.identity_key(tables.Match, match_id))
    if known is not None:
        session.expire(known)


def notify(
    session: Session, before: Match | None, after: Match, at: datetime, notice: Notice
) -> None:
    pos = after.log[-1].act  # the fact itself: a closing reveals more behind it
    match notice:
        case ToAsked(later):
            notify_after_act(session, before, after, at, later)
        case ToTable(kind, but_not):
            seats = tuple(s for s in range(after.log[0].event.seats) if s not in but_not)
            notify_seats(session, after.id, pos, seats, kind, at=at)
        case ToSeats(kind, seats) if seats:
            notify_seats(session, after.id, pos, seats, kind, at=at)
