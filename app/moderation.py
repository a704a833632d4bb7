"""Care of a match: turning it back, pausing, extending, closing it.

Each is an event like any other, told to everybody, with a reason; the log keeps the role of who did it, the audit
keeps who it was.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import update
from sqlmodel import Session, col, delete

from app import audit, clock, consent, glance, models, notices, play, store
from app.db import Database
from app.errors import Forbidden, Stale
from app.models import UNDER_WAY
from app.words import plain_text
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say
from engine.core.timeline import TABLE_EVENTS, ActProposed, Closed, Extended, Paused, Resumed

LONGEST_REASON = 500
LEFT_AFTER_A_TURN_BACK = timedelta(hours=24)  # at least, for those asked then who did not wish it
BEGUN = (*UNDER_WAY, "over")


class Operator:
    """Whoever sits at the machine's own command line."""


OPERATOR: Final = Operator()
Carer = int | Operator  # a player's id, or the operator


@dataclass(frozen=True, slots=True)
class Care:
    """A match in the hands of somebody who may care for it, one person at a time."""

    session: Session
    row: models.Match
    match: Match
    role: str
    player_id: int | None
    at: datetime

    @property
    def seats(self) -> tuple[int, ...]:
        return tuple(range(self.row.seats))

    @property
    def own_seats(self) -> list[int]:
        """Where whoever cares for the match plays in it themselves."""
        return glance.MINE.found(self.session, match=self.row.id, me=self.player_id)


def in_care(
    session: Session,
    match_id: str,
    carer: Carer,
    head: int | None,
    at: datetime,
    *states: str,
) -> Care:
    """The match, if who asks may care for it, it is in one of these states, and still where they saw it."""
    row = play.take_turn(session, match_id)
    role = role_of(session, match_id, carer)
    if row.status not in states:
        raise Forbidden(
            say("This cannot be done to a match whose status is {status}.", status=row.status)
        )
    match = store.load(session.connection(), match_id)
    if head is not None and head != match.head:
        raise Stale(match.head)
    player_id = carer if isinstance(carer, int) else None
    return Care(session, row, match, role, player_id, at)


def running(session: Session, row: models.Match, head: int | None) -> Match:
    """The match of somebody who plays, if it runs and is still where they saw it."""
    if row.status != "running":
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=row.status)
        )
    match = store.load(session.connection(), row.id)
    if head is not None and head != match.head:
        raise Stale(match.head)
    return match


def role_of(session: Session, match_id: str, carer: Carer) -> str:
    """As what somebody may care for the match; refuses those who may not."""
    if isinstance(carer, Operator):
        return "operator"
    role = play.place(session, match_id, carer).role
    if role is None:
        raise Forbidden(say("Only the moderators of the match may do this."))
    return role


def given_reason(reason: Any) -> str:
    return plain_text(reason, say("The reason"), LONGEST_REASON)


# Turning back


def rewind(
    database: Database,
    match_id: str,
    carer: Carer,
    head: int | None,
    to: int,
    reason: Any,
    at: datetime,
) -> int:
    """Takes the match back to the end of an earlier order, or proposes it; what is cut stays in the log."""
    why = given_reason(reason)
    with database.session() as session:
        care = in_care(session, match_id, carer, head, at, *BEGUN)
        care.match.timeline.check_rewind(to)
        wish = ActProposed(care.role, "rewind", why, to=to)
        return consent.await_leave(care, wish) or take_back(care, to, why)


def take_back(care: Care, to: int, why: str) -> int:
    after = matches.rewind(care.match, to, care.role, why, secrets.token_hex(32))
    turned(care.session, care.match, after, "rewound", care.at, care.own_seats)
    audited(care, "rewind", after, why)
    return after.head


def restore(database: Database, match_id: str, carer: Carer, head: int | None, at: datetime) -> int:
    """Brings back what the last rewind cut, or proposes it, while nothing new was played."""
    with database.session() as session:
        care = in_care(session, match_id, carer, head, at, *BEGUN)
        care.match.timeline.check_restore()
        wish = ActProposed(care.role, "restore", "")
        return consent.await_leave(care, wish) or bring_back(care)


def bring_back(care: Care) -> int:
    after = matches.restore(care.match, care.role)
    turned(care.session, care.match, after, "restored", care.at, care.own_seats)
    audited(care, "restore", after)
    return after.head


def turned(
    session: Session,
    before: Match,
    after: Match,
    kind: str,
    at: datetime,
    wished_by: Collection[int] = (),
    *,
    runs_on: bool = False,
    told: Collection[int] = (),
) -> None:
    """Writes the turn; whatever was made for the part that went is void: drafts, standing orders, mails.

    `wished_by` are the seats of the one player who asked for it: it gives them no time. Who was `told` hears no more.
    """
    changes: dict[str, Any] = {}
    if after.over and not before.over:
        changes = {"status": "over", "ended_at": at}
    elif before.over and not after.over:
        changes = {"status": "running", "ended_at": None}
    back = clock.plan_turn_back(
        session, before, after, at, LEFT_AFTER_A_TURN_BACK, wished_by, runs_on=runs_on
    )
    deadline = timed(session, after, at, changes, back)
    store.save(session.connection(), after, before.head, at, **changes, deadline=deadline)
    session.expire(session.get_one(models.Match, after.id))
    void(session, after.id)
    void_mails(session, before)
    seats = tuple(seat for seat in every_seat(after) if seat not in told)
    notices.notify(session, after.id, after.head, seats, kind, at)


def void_mails(session: Session, before: Match) -> None:
    """Lets no mail go out that asks for what is asked no more; facts about the table and talk stay true."""
    facts = [entry.pos for entry in before.log if isinstance(entry.event, TABLE_EVENTS)]
    waiting = (
        col(models.Outbox.match_id) == before.id,
        col(models.Outbox.state) == "waiting",
        col(models.Outbox.player_id).is_not(None),
        col(models.Outbox.pos) <= before.head,
        col(models.Outbox.pos).not_in(facts),
        col(models.Outbox.kind) != "talk",
    )
    session.exec(update(models.Outbox).where(*waiting).values(state="dropped", payload={}))


# The table


def pause(
    session: Session, match_id: str, carer: Carer, reason: Any, head: int | None, at: datetime
) -> None:
    """Lets the match rest: nobody is asked until it is resumed."""
    why = given_reason(reason)
    care = in_care(session, match_id, carer, head, at, "running")
    noted(care, Paused(care.role, why), "paused", status="paused")


def resume(
    session: Session, match_id: str, carer: Carer, reason: Any, head: int | None, at: datetime
) -> None:
    """Lets the match go on; the time that it rested is not counted."""
    why = given_reason(reason)
    care = in_care(session, match_id, carer, head, at, "paused")
    noted(care, Resumed(care.role, why), "resumed", status="running")


def extend(
    session: Session,
    match_id: str,
    carer: Carer,
    reason: Any,
    hours: int,
    head: int | None,
    at: datetime,
) -> bool:
    """Gives whoever is asked some hours more; False if others must agree first."""
    why = given_reason(reason)
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    matches.check_fact(care.match, Extended(care.role, why, hours))
    if consent.await_leave(care, ActProposed(care.role, "extend", why, hours=hours)):
        return False
    give_time(care, hours, why)
    return True


def give_time(care: Care, hours: int, why: str) -> None:
    clock.extend(care.session, care.row.id, care.at, hours)
    noted(care, Extended(care.role, why, hours), "extended")


def close(
    session: Session,
    match_id: str,
    carer: Carer,
    reason: Any,
    head: int | None,
    at: datetime,
    winners: Any = (),
) -> bool:
    """Ends the match unfinished, void or with winners; its seeds are told, which opens every secret.

    False if others must agree first.
    """
    why = given_reason(reason)
    won = settle_winners(winners)
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    matches.check_fact(care.match, Closed(care.role, why, won))
    if consent.await_leave(care, ActProposed(care.role, "close", why, winners=won)):
        return False
    end(care, won, why)
    return True


def end(care: Care, won: tuple[int, ...], why: str) -> None:
    ended: dict[str, Any] = {"status": "closed", "ended_at": care.at}
    after = matches.close(care.match, Closed(care.role, why, won))
    told(care.session, care.match, after, "closed", care.at, **ended)
    audited(care, "Closed", after, why)
    void(care.session, care.row.id)


def settle_winners(winners: Any) -> tuple[int, ...]:
    if not isinstance(winners, (list, tuple)) or not all(type(seat) is int for seat in winners):
        raise NotUnderstood(say("winners is a list of seats."))
    return tuple(sorted(set(winners)))


# What they share


def noted(care: Care, event: Any, kind: str, **changes: Any) -> Match:
    """Writes a fact about the table, tells everybody there, and keeps who it was."""
    after = matches.note(care.match, event)
    told(care.session, care.match, after, kind, care.at, **changes)
    audited(care, type(event).__name__, after, getattr(event, "reason", ""))
    return after


def told(
    session: Session, before: Match, after: Match, kind: str, at: datetime, **changes: Any
) -> None:
    written(session, before, after, at, **changes)
    pos = after.log[-1].act  # the fact itself: a closing reveals more behind it
    notices.notify(session, after.id, pos, every_seat(after), kind, at)


def written(session: Session, before: Match, after: Match, at: datetime, **changes: Any) -> None:
    """Keeps what was done to the table, and lets the clocks go by it."""
    changes["deadline"] = timed(session, after, at, changes)
    store.save(session.connection(), after, before.head, at, **changes)
    session.refresh(session.get_one(models.Match, after.id))


def timed(
    session: Session,
    match: Match,
    at: datetime,
    changes: dict[str, Any],
    back: clock.TurnBack | None = None,
) -> datetime | None:
    """The deadline of a match that was cared for, as its clocks have it."""
    status = changes.get("status") or session.get_one(models.Match, match.id).status
    asked = match.game.to_act(match.state)
    return clock.arrange(session, match.id, asked, at, status, head=match.head, back=back)


def audited(care: Care, act: str, after: Match, reason: str = "") -> None:
    audit.note(
        care.session,
        act,
        care.role,
        care.player_id,
        care.at,
        match_id=after.id,
        pos=after.head,
        reason=reason,
    )


def every_seat(match: Match) -> tuple[int, ...]:
    return tuple(range(len(match.game.scores(match.state))))


def void(session: Session, match_id: str, seat: int | None = None) -> None:
    """Drops what was prepared for a match; of one seat also what its player wrote down."""
    for model in (models.Draft, models.Standing, *((models.Note,) if seat is not None else ())):
        dropped = delete(model).where(col(model.match_id) == match_id)
        session.exec(dropped if seat is None else dropped.where(col(model.seat) == seat))
    if seat is None:
        of_it = col(models.Match.id) == match_id
        session.exec(update(models.Match).where(of_it).values(standing_at=None))
