"""Care of a match: turning it back, pausing, extending, closing it.

Each is an event like any other, told to everybody, with a reason; the log keeps the role of who did it, the audit
keeps who it was.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, delete

from app.clocks.clocks import extend_clocks, plan_turn_back
from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.access import access_match
from app.matches.commit import ToTable, commit_match
from app.moderation.audit import note_audit
from app.moderation.commands import Carer, Close, Extend, Operator, Pause, Restore, Resume, Rewind
from app.moderation.consent import await_leave
from app.outbox.rows import drop_waiting_mails
from app.platform import tables
from app.platform.errors import Forbidden, Stale
from app.platform.rows import MINE
from app.platform.tables import UNDER_WAY
from app.platform.text_input import LONGEST_REASON, check_plain_text
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say
from engine.core.timeline import TABLE_EVENTS, ActProposed, Closed, Extended, Paused, Resumed

LEFT_AFTER_A_TURN_BACK = timedelta(hours=24)  # at least, for those asked then who did not wish it
BEGUN = (*UNDER_WAY, "over")


@dataclass(frozen=True, slots=True)
class Care:
    """A match in the hands of somebody who may care for it, one person at a time."""

    session: Session
    row: tables.Match
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
        return MINE.found(self.session, match=self.row.id, me=self.player_id)


def take_care(session: Session, command: Any, at: datetime, *states: str) -> Care:
    """The match of a command, if who gives it may care for it, it is in one of these states, and still where they saw it."""
    row = lock_match_row(session, command.match_id)
    role = role_of(session, command.match_id, command.by)
    if row.status not in states:
        raise Forbidden(
            say("This cannot be done to a match whose status is {status}.", status=row.status)
        )
    match = load_match(session.connection(), command.match_id)
    head = getattr(command, "expected_head", None)
    if head is not None and head != match.head:
        raise Stale(match.head)
    player_id = command.by if isinstance(command.by, int) else None
    return Care(session, row, match, role, player_id, at)


def load_running_match(session: Session, row: tables.Match, head: int | None) -> Match:
    """The match of somebody who plays, if it runs and is still where they saw it."""
    if row.status != "running":
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=row.status)
        )
    match = load_match(session.connection(), row.id)
    if head is not None and head != match.head:
        raise Stale(match.head)
    return match


def role_of(session: Session, match_id: str, carer: Carer) -> str:
    """As what somebody may care for the match; refuses those who may not."""
    if isinstance(carer, Operator):
        return "operator"
    role = access_match(session, match_id, carer).role
    if role is None:
        raise Forbidden(say("Only the moderators of the match may do this."))
    return role


def check_reason(reason: Any) -> str:
    return check_plain_text(reason, say("The reason"), LONGEST_REASON)


# Turning back


def rewind_match(session: Session, command: Rewind, at: datetime) -> bool:
    why = check_reason(command.reason)
    care = take_care(session, command, at, *BEGUN)
    care.match.timeline.check_rewind(command.to)
    if await_leave(care, ActProposed(care.role, "rewind", why, to=command.to)):
        return False
    take_match_back(care, command.to, why)
    return True


def take_match_back(care: Care, to: int, why: str) -> None:
    after = matches.rewind(care.match, to, care.role, why, secrets.token_hex(32))
    write_turn_back(care.session, care.match, after, "rewound", care.at, wished_by=care.own_seats)
    audit_act(care, "rewind", why)


def restore_match(session: Session, command: Restore, at: datetime) -> bool:
    care = take_care(session, command, at, *BEGUN)
    care.match.timeline.check_restore()
    if await_leave(care, ActProposed(care.role, "restore", "")):
        return False
    bring_match_back(care)
    return True


def bring_match_back(care: Care) -> None:
    after = matches.restore(care.match, care.role)
    write_turn_back(care.session, care.match, after, "restored", care.at, wished_by=care.own_seats)
    audit_act(care, "restore")


def write_turn_back(
    session: Session,
    before: Match,
    after: Match,
    kind: str,
    at: datetime,
    *,
    wished_by: Collection[int] = (),
    runs_on: bool = False,
    told: Collection[int] = (),
) -> None:
    """Writes the turn; whatever was made for the part that went is void: drafts, standing orders, mails.

    `wished_by` are the seats of the one player who asked for it: it gives them no time. Who was `told` hears no more.
    """
    back = plan_turn_back(
        session,
        before,
        after,
        at,
        floor=LEFT_AFTER_A_TURN_BACK,
        wished_by=wished_by,
        runs_on=runs_on,
    )
    void_prepared(session, after.id)
    void_mails(session, before)
    commit_match(session, before, after, at, ToTable(kind, told), back=back)


def void_mails(session: Session, before: Match) -> None:
    """Lets no mail go out that asks for what is asked no more; facts about the table and talk stay true."""
    facts = [entry.pos for entry in before.log if isinstance(entry.event, TABLE_EVENTS)]
    drop_waiting_mails(
        session,
        col(tables.Outbox.match_id) == before.id,
        col(tables.Outbox.player_id).is_not(None),
        col(tables.Outbox.pos) <= before.head,
        col(tables.Outbox.pos).not_in(facts),
        col(tables.Outbox.kind) != "talk",
    )


# The table


def pause_match(session: Session, command: Pause, at: datetime) -> bool:
    why = check_reason(command.reason)
    care = take_care(session, command, at, "running")
    write_table_fact(care, Paused(care.role, why), "paused", status="paused")
    return True


def resume_match(session: Session, command: Resume, at: datetime) -> bool:
    why = check_reason(command.reason)
    care = take_care(session, command, at, "paused")
    write_table_fact(care, Resumed(care.role, why), "resumed", status="running")
    return True


def extend_match(session: Session, command: Extend, at: datetime) -> bool:
    why, hours = check_reason(command.reason), command.hours
    care = take_care(session, command, at, *UNDER_WAY)
    matches.check_fact(care.match, Extended(care.role, why, hours))
    if await_leave(care, ActProposed(care.role, "extend", why, hours=hours)):
        return False
    give_time(care, hours, why)
    return True


def give_time(care: Care, hours: int, why: str) -> None:
    extend_clocks(care.session, care.row.id, care.at, hours)
    write_table_fact(care, Extended(care.role, why, hours), "extended")


def close_match(session: Session, command: Close, at: datetime) -> bool:
    why = check_reason(command.reason)
    won = settle_winners(command.winners)
    care = take_care(session, command, at, *UNDER_WAY)
    matches.check_fact(care.match, Closed(care.role, why, won))
    if await_leave(care, ActProposed(care.role, "close", why, winners=won)):
        return False
    end_match(care, won, why)
    return True


def end_match(care: Care, won: tuple[int, ...], why: str) -> None:
    ended: dict[str, Any] = {"status": "closed", "ended_at": care.at}
    after = matches.close(care.match, Closed(care.role, why, won))
    commit_match(care.session, care.match, after, care.at, ToTable("closed"), **ended)
    audit_act(care, "Closed", why)
    void_prepared(care.session, care.row.id)


def settle_winners(winners: Any) -> tuple[int, ...]:
    if not isinstance(winners, (list, tuple)) or not all(type(seat) is int for seat in winners):
        raise NotUnderstood(say("winners is a list of seats."))
    return tuple(sorted(set(winners)))


# What they share


def write_table_fact(care: Care, event: Any, kind: str, **changes: Any) -> Match:
    """Writes a fact about the table, tells everybody there, and keeps who it was."""
    after = matches.note(care.match, event)
    commit_match(care.session, care.match, after, care.at, ToTable(kind), **changes)
    audit_act(care, type(event).__name__, getattr(event, "reason", ""))
    return after


def audit_act(care: Care, act: str, reason: str = "") -> None:
    """Keeps who did it, at the position of the fact itself: an end appends what it opens behind it."""
    note_audit(
        care.session,
        act,
        care.role,
        care.player_id,
        care.at,
        match_id=care.match.id,
        pos=care.match.head + 1,
        reason=reason,
    )


def void_prepared(session: Session, match_id: str, seat: int | None = None) -> None:
    """Drops what was prepared for a match; of one seat also what its player wrote down."""
    for model in (tables.Draft, tables.Standing, *((tables.Note,) if seat is not None else ())):
        dropped = delete(model).where(col(model.match_id) == match_id)
        session.exec(dropped if seat is None else dropped.where(col(model.seat) == seat))
    if seat is None:
        of_it = col(tables.Match.id) == match_id
        session.exec(update(tables.Match).where(of_it).values(standing_at=None))
