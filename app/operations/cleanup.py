"""Retention: deletes from the tables what nobody will ask for again. The log, the audits and the mails of matches stay for good.

Guests who do not come back are seen off too. The log is never changed, theirs neither: a match of a guest is closed, with the
reason as its last event, so that no clock runs, no bot is asked and no list has it; drafts, notes and sessions go with the account.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, or_, select, tuple_
from sqlmodel import Session, col

from app.moderation.commands import OPERATOR, Close
from app.moderation.departures import delete_account
from app.moderation.execute import execute
from app.people.access_log import ACCESS_LOG_KEPT, MAIL
from app.people.address_changes import ADDRESS_CHANGES_KEPT, MAILS
from app.people.passkeys import CHALLENGE_LASTS
from app.people.sessions import LINKS_KEPT, SESSION_ENDS, SESSION_LASTS
from app.platform import tables
from app.platform.tables import UNDER_WAY

# A mail, or a request that names its head, comes too late after so long: the match has moved, so it is refused.
REMEMBERED = timedelta(days=90)
BATCH = 500  # rows in one transaction: nobody waits long
GUESTS_STAY = timedelta(days=30)  # since they last did something
GUEST_LEFT = "The guest who played here has not come back for 30 days."  # as its last event says, in the log's own language
Rows = list[tuple[Any, list[tuple[Any, ...]]]]  # of which model, and their keys


def find_needless(session: Session, at: datetime, keep_mails: timedelta | None = None) -> Rows:
    """Some of what is no longer needed; nothing when all is tidy. Mails stay for good unless it is said how long."""
    rows: Rows = []
    old = old_mails(at - keep_mails) if keep_mails else []
    for model, stale in (*needless(at), *old):
        some = session.execute(select(*keys_of(model)).where(stale).limit(BATCH))
        rows.append((model, [tuple(row) for row in some]))
    return [(model, keys) for model, keys in rows if keys]


def needless(at: datetime) -> list[tuple[Any, ColumnElement[bool]]]:
    """What no longer serves anybody, table by table. Mails that nobody could read wait for somebody to look."""
    long_ago = at - REMEMBERED
    read = col(tables.Received.state) != "dead"
    unseen = or_(
        col(tables.Session.seen_at) < at - SESSION_LASTS,
        col(tables.Session.created_at) < at - SESSION_ENDS,
    )
    # The addresses of those who asked for a link and never came; in the mailbox of an embedded service first.
    old = (col(tables.Outbox.created_at) < long_ago) & (col(tables.Outbox.state) != "waiting")
    links = col(tables.Outbox.kind).in_(("login", MAIL, *MAILS.values())) & old
    kept = exists().where(col(tables.Letter.outbox_id) == col(tables.Outbox.id))
    return [
        (tables.Submission, col(tables.Submission.at) < long_ago),
        (tables.Received, (col(tables.Received.at) < long_ago) & read),
        (tables.Session, or_(unseen, col(tables.Session.ended_at) < long_ago)),
        (tables.Login, col(tables.Login.created_at) < at - LINKS_KEPT),
        (tables.Arrival, col(tables.Arrival.hour) < at - LINKS_KEPT),
        (tables.Challenge, col(tables.Challenge.created_at) < at - CHALLENGE_LASTS),
        (tables.AddressChange, col(tables.AddressChange.created_at) < at - ADDRESS_CHANGES_KEPT),
        (tables.AccessEvent, col(tables.AccessEvent.at) < at - ACCESS_LOG_KEPT),
        (
            tables.Letter,
            col(tables.Letter.outbox_id).in_(select(col(tables.Outbox.id)).where(links)),
        ),
        (tables.Outbox, links & ~kept),
    ]


def old_mails(before: datetime) -> list[tuple[Any, ColumnElement[bool]]]:
    """What became of mails that an operator wants no longer than so; letters of an embedded service first."""
    ended = col(tables.Outbox.state).in_(("sent", "dropped"))
    old = ended & (col(tables.Outbox.not_before) < before)
    kept = exists().where(col(tables.Letter.outbox_id) == col(tables.Outbox.id))
    which = select(col(tables.Outbox.id)).where(old)
    return [
        (tables.Letter, col(tables.Letter.outbox_id).in_(which)),
        (tables.Outbox, old & ~kept),
    ]


def delete_needless(session: Session, rows: Rows) -> int:
    """Deletes what was found, and says how many rows; another tidier may have been there before."""
    for model, keys in rows:
        session.execute(delete(model).where(tuple_(*keys_of(model)).in_(keys)))
    return sum(len(keys) for _, keys in rows)


def guests_gone(session: Session, at: datetime, *which: ColumnElement[bool]) -> list[int]:
    """Guests who have done nothing for long, some of them at a time."""
    since = at - GUESTS_STAY
    active = exists().where(
        col(tables.Session.player_id) == col(tables.Player.id), col(tables.Session.seen_at) >= since
    )
    query = select(col(tables.Player.id)).where(
        col(tables.Player.guest),
        col(tables.Player.deleted_at).is_(None),
        col(tables.Player.created_at) < since,
        ~active,
        *which,
    )
    return list(session.execute(query.order_by(col(tables.Player.id)).limit(BATCH)).scalars())


def end_guest(session: Session, player_id: int, at: datetime) -> bool:
    """Closes what a guest left unfinished and ends the account; False if they came back at this very moment."""
    if not guests_gone(session, at, col(tables.Player.id) == player_id):
        return False
    unfinished = select(col(tables.Match.id)).where(
        col(tables.Match.owner_id) == player_id, col(tables.Match.status).in_(UNDER_WAY)
    )
    for match_id in session.execute(unfinished.order_by(col(tables.Match.id))).scalars().all():
        execute(session, Close(match_id=match_id, by=OPERATOR, reason=GUEST_LEFT), at)
    delete_account(session, player_id, at)
    return True


def keys_of(model: Any) -> list[Any]:
    return list(model.__table__.primary_key.columns)
