"""Takes out of the tables what nobody will ask for again. The log, the audits and the mails of matches stay for good.

Guests who do not come back are seen off too. The log is never changed, theirs neither: a match of a guest is closed, with the
reason as its last event, so that no clock runs, no bot is asked and no list has it; drafts, notes and sessions go with the account.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, exists, or_, select, tuple_
from sqlmodel import Session, col

from app import access_log, address_changes, leaving, models, moderation, passkeys
from app.models import UNDER_WAY
from app.moderation import OPERATOR
from app.signin import LINKS_KEPT, SESSION_ENDS, SESSION_LASTS

# A mail, or a request that names its head, comes too late after so long: the match has moved, so it is refused.
REMEMBERED = timedelta(days=90)
BATCH = 500  # rows in one transaction: nobody waits long
GUESTS_STAY = timedelta(days=30)  # since they last did something
GUEST_LEFT = "The guest who played here has not come back for 30 days."  # as its last event says, in the log's own language

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
        (models.Arrival, col(models.Arrival.hour) < at - LINKS_KEPT),
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


def guests_gone(session: Session, at: datetime, *which: ColumnElement[bool]) -> list[int]:
    """Guests who have done nothing for long, some of them at a time."""
    since = at - GUESTS_STAY
    active = exists().where(
        col(models.Session.player_id) == col(models.Player.id), col(models.Session.seen_at) >= since
    )
    query = select(col(models.Player.id)).where(
        col(models.Player.guest),
        col(models.Player.deleted_at).is_(None),
        col(models.Player.created_at) < since,
        ~active,
        *which,
    )
    return list(session.execute(query.order_by(col(models.Player.id)).limit(BATCH)).scalars())


def end_guest(session: Session, player_id: int, at: datetime) -> bool:
    """Closes what a guest left unfinished and ends the account; False if they came back at this very moment."""
    if not guests_gone(session, at, col(models.Player.id) == player_id):
        return False
    unfinished = select(col(models.Match.id)).where(
        col(models.Match.owner_id) == player_id, col(models.Match.status).in_(UNDER_WAY)
    )
    for match_id in session.execute(unfinished.order_by(col(models.Match.id))).scalars().all():
        moderation.close(session, match_id, OPERATOR, GUEST_LEFT, None, at)
    leaving.delete_account(session, player_id, at)
    return True


def keys_of(model: Any) -> list[Any]:
    return list(model.__table__.primary_key.columns)
