"""The row lock of a match: whoever writes beside its log holds it until the transaction ends."""

from __future__ import annotations

from sqlmodel import Session

from app.eventstore.store import unknown_match
from app.platform import tables


def lock_match_row(session: Session, match_id: str) -> tables.Match:
    """SELECT … FOR NO KEY UPDATE on the match row, read anew; on PostgreSQL others wait until we are done."""
    session.flush()  # what was not written yet would be read over
    row = session.get(
        tables.Match, match_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None:
        raise unknown_match(match_id)
    return row
