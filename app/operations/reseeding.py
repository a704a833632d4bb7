"""Fresh seeds after a restore: what was drawn between the backup and the disaster was seen, and must not come again."""

from __future__ import annotations

import secrets
from datetime import datetime

from sqlmodel import Session, col, select

from app.eventstore.store import load_match, seal_seeds
from app.matches.commit import TO_NOBODY, commit_match
from app.platform import tables
from app.platform.database import Database
from app.platform.tables import UNDER_WAY
from engine.core.chance import commitment
from engine.core.match import reseed

OPERATOR_ROLE = "operator"
REASON = "A backup was put back."  # as the log says it, in the log's own language


def reseed_matches(database: Database, at: datetime) -> int:
    """Gives every match that can still draw a seed that nobody has seen draws of, one transaction each; says how many."""
    wanted = select(tables.Match.id).where(col(tables.Match.status).in_((*UNDER_WAY, "open")))
    with database.look() as session:
        found = session.exec(wanted.order_by(col(tables.Match.id))).all()
    for match_id in found:
        with database.session() as session:
            reseed_match(session, session.get_one(tables.Match, match_id), at)
    return len(found)


def reseed_match(session: Session, row: tables.Match, at: datetime) -> None:
    """A match that runs commits to its new seed in its log; a table that is open, before anybody gives a nonce again."""
    seed, connection = secrets.token_hex(32), session.connection()
    if row.head:
        before = load_match(connection, row.id)
        if before.revealed:  # it draws nothing more
            return
        after = reseed(before, OPERATOR_ROLE, REASON, seed)
        commit_match(session, before, after, at, TO_NOBODY)
        return
    row.seeds, row.commitment = seal_seeds(connection, ((1, seed),)), commitment(seed)
    for seat in session.exec(select(tables.Seat).where(tables.Seat.match_id == row.id)):
        seat.nonce = None  # a nonce counts because the seed was committed to before it
