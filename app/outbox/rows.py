"""The outbox table's only writer beside the relay: INSERT in the transaction of what the mails tell of.

What is settled long ago `operations/cleanup` deletes; everybody else only reads the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, insert, update
from sqlmodel import Session, col, select

from app.outbox.mail_count import count_mail
from app.platform.statements import Statement
from app.platform.tables import Outbox, Table

LATEST_AGAIN = timedelta(days=14)
OUTBOX = Table.metadata.tables["outbox"]
POST = Statement(insert(OUTBOX), [column.name for column in OUTBOX.c if column.name != "id"])
BLANK = {**dict.fromkeys(OUTBOX.c.keys()), "pos": 0, "number": 0, "state": "waiting", "tries": 0}


def enqueue_rows(
    connection: Connection, kind: str, at: datetime, *recipients: dict[str, Any]
) -> None:
    """Puts mails into the outbox, in the transaction of what they tell of; a recipient may set any column."""
    blank: dict[str, Any] = {
        **BLANK,
        "kind": kind,
        "created_at": at,
        "not_before": at,
        "payload": {},
    }
    for recipient in recipients:
        count_mail(recipient.get("player_id"), recipient.get("email"))
    if recipients:
        POST.run(connection, *({**blank, **recipient} for recipient in recipients))


def requeue_mails(session: Session, causes: Iterable[str], at: datetime) -> int:
    """Lets mails wait again that died for one of these causes; how many they are. Those of long ago stay dead."""
    dead = select(Outbox).where(
        Outbox.state == "dead",
        col(Outbox.why).in_(list(causes)),
        col(Outbox.created_at) > at - LATEST_AGAIN,
    )
    rows = list(session.exec(dead))
    for row in rows:
        row.state, row.why, row.tries, row.sent_at, row.not_before = "waiting", None, 0, None, at
        session.add(row)
    return len(rows)


def mark_returned(session: Session, row: Outbox, why: str) -> None:
    """Notes that a mail was sent and did not arrive."""
    row.state, row.why = "dead", why
    session.add(row)
    session.flush()


def enqueue_mail(session: Session, kind: str, at: datetime, **more: Any) -> None:
    session.flush()  # what the mail is about may be new
    enqueue_rows(session.connection(), kind, at, more)


def requeue_mail(
    session: Session, row: Outbox, at: datetime, payload: dict[str, Any] | None = None
) -> None:
    """Has a mail sent once more, as a mail of this moment; with another payload, if one is given."""
    row.state, row.why, row.tries, row.sent_at = "waiting", None, 0, None
    row.created_at = row.not_before = at
    row.payload = row.payload if payload is None else payload
    count_mail(row.player_id, row.email)
    session.add(row)


def drop_waiting_mails(session: Session, *which: ColumnElement[bool]) -> None:
    """Lets no mail of these go out that still waits."""
    waiting = col(Outbox.state) == "waiting"
    session.execute(update(Outbox).where(waiting, *which).values(state="dropped", payload={}))


def forget_mails(session: Session, which: ColumnElement[bool]) -> None:
    """Mails that wait are not sent, and those that were sent do not say to whom."""
    drop_waiting_mails(session, which)
    session.execute(update(Outbox).where(which).values(email=None, payload={}))


def readdress_mails(session: Session, old: str, new: str, kinds: tuple[str, ...]) -> None:
    """Mails to an address without an account follow the person; about a match that has written to the new one, both stay."""
    asked = select(col(Outbox.match_id)).where(
        col(Outbox.email) == new, col(Outbox.kind).in_(kinds)
    )
    mails = (
        col(Outbox.email) == old,
        col(Outbox.kind).in_(kinds),
        col(Outbox.match_id).not_in(asked),
    )
    moved = update(Outbox).where(*mails).values(email=new)
    session.execute(moved.execution_options(synchronize_session=False))
