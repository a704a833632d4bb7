"""Takes out of the tables what nobody will ask for again. The log, the mails' states and the audits stay for good."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, or_, select, tuple_
from sqlmodel import Session, col

from app import models
from app.signin import LINKS_KEPT, SESSION_LASTS

# A request or a mail that comes once more after so long finds the match elsewhere and is refused for that.
REMEMBERED = timedelta(days=90)
BATCH = 500  # rows in one transaction: nobody waits long


def tidy(session: Session, at: datetime) -> int:
    """Deletes some of what is no longer needed, and says how many rows; 0 when all is tidy."""
    return sum(drop(session, model, stale) for model, stale in needless(at))


def needless(at: datetime) -> list[tuple[Any, ColumnElement[bool]]]:
    """What no longer serves anybody, table by table. Mails that nobody could read wait for somebody to look."""
    long_ago = at - REMEMBERED
    read = col(models.Received.state) != "dead"
    gone = or_(
        col(models.Session.seen_at) < at - SESSION_LASTS, col(models.Session.ended_at) < long_ago
    )
    return [
        (models.Submission, col(models.Submission.at) < long_ago),
        (models.Received, (col(models.Received.at) < long_ago) & read),
        (models.Session, gone),
        (models.Login, col(models.Login.created_at) < at - LINKS_KEPT),
    ]


def drop(session: Session, model: Any, stale: ColumnElement[bool]) -> int:
    """Finds them before it deletes them: looking takes nobody's turn to write."""
    keys = tuple_(*model.__table__.primary_key.columns)
    found = session.execute(select(*keys.clauses).where(stale).limit(BATCH)).all()
    if found:
        session.execute(delete(model).where(keys.in_([tuple(row) for row in found])))
    return len(found)
