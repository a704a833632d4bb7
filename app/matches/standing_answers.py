"""What standing orders answer, at a moment of its own: a row says when, and whoever sweeps gives the answer once."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.sleeping_seats import load_wishes, next_answer, remember
from app.matches.submissions import keep_played
from app.platform import tables
from app.platform.database import Database
from engine.core import match as matches

Due = tuple[str, datetime]  # the match, and the moment as it was seen


def load_due(session: Session, at: datetime, most: int) -> list[Due]:
    """The matches in which standing orders are to answer by now, the longest waiting first."""
    query = select(tables.Match.id, tables.Match.standing_at).where(
        col(tables.Match.standing_at) <= at, tables.Match.status == "running"
    )
    found = session.exec(query.order_by(col(tables.Match.standing_at)).limit(most))
    return [(match_id, moment) for match_id, moment in found if moment is not None]


def give_answer(database: Database, seen: Due, at: datetime) -> bool:
    """Answers the question for the first who sleeps; False if it was answered, cut or taken back meanwhile.

    The answer, the note whose it was and the moment of the next one are written in one transaction.
    """
    match_id, moment = seen
    with database.session() as session:
        row = lock_match_row(session, match_id)
        if row.standing_at != moment or row.status != "running":
            return False
        before = load_match(session.connection(), match_id)
        action = next_answer(before, load_wishes(session, match_id))
        if action is None:  # the person is asked after all: their mail waits in the outbox
            row.standing_at = None
            session.add(row)
            return False
        after = matches.act(before, action)
        keep_played(session, before, after, at)
        remember(session, match_id, before.head + 1, action.seat)
    return True
