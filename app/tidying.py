"""Takes out of the tables what nobody will ask for again. The log, the audits and the mails of matches stay for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, or_, select, tuple_
from sqlmodel import Session, col

from app import access_log, address_changes, models, passkeys
from app.signin import LINKS_KEPT, SESSION_ENDS, SESSION_LASTS

# A mail, or a request that names its head, comes too late after so long: the match has moved, so it is refused.
REMEMBERED = timedelta(days=90)
BATCH = 500  # rows in one transaction: nobody waits long

Rows = list[tuple[Any, list[tuple[Any, ...]]]]  # of which model, and their keys


def found(session: Session, at: datetime) -> Rows:
    """Some of what is no longer needed; nothing when all is tidy."""
    rows: Rows = []
    for model, stale in needless(at):
        some = session.execute(select(*keys_of(model)).where(stale).limit(BATCH))
        rows.append((model, [tuple(row) for row in some]))
    return [(model, keys) for model, keys in rows if keys]


def needless(at: datetime) -> list[tuple[Any, ColumnElement[bool]]]:
    """What no longer serves anybody, table by table. Mails that nobody could read wait for somebody to look."""
    long_ago = at - REMEMBERED
    read = col(models.Received.state) != "dead"
    unseen = or_(
        col(models.Session.seen_at) < at - SESSION_LASTS,
        col(models.Session.created_at) < at - SESSION_ENDS,
    )
    # The addresses of those who asked for a link and never came; in the mailbox of an embedded service first.
    old = (col(models.Outbox.created_at) < long_ago) & (col(models.Outbox.state) != "waiting")
    links = (
        col(models.Outbox.kind).in_(("login", access_log.MAIL, *address_changes.MAILS.values()))
        & old
    )
    kept = exists().where(col(models.Letter.outbox_id) == col(models.Outbox.id))
    return [
        (models.Submission, col(models.Submission.at) < long_ago),
        (models.Received, (col(models.Received.at) < long_ago) & read),
        (models.Session, or_(unseen, col(models.Session.ended_at) < long_ago)),
        (models.Login, col(models.Login.created_at) < at - LINKS_KEPT),
        (models.Challenge, col(models.Challenge.created_at) < at - passkeys.CHALLENGE_LASTS),
        (models.AddressChange, col(models.AddressChange.created_at) < at - address_changes.KEPT),
        (models.AccessEvent, col(models.AccessEvent.at) < at - access_log.KEPT),
        (
            models.Letter,
            col(models.Letter.outbox_id).in_(select(col(models.Outbox.id)).where(links)),
        ),
        (models.Outbox, links & ~kept),
    ]


def drop(session: Session, rows: Rows) -> int:
    """Deletes what was found, and says how many rows; another tidier may have been there before."""
    for model, keys in rows:
        session.execute(delete(model).where(tuple_(*keys_of(model)).in_(keys)))
    return sum(len(keys) for _, keys in rows)


def keys_of(model: Any) -> list[Any]:
    return list(model.__table__.primary_key.columns)
