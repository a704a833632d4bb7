"""Rematches: whether the match that a log calls the one before is there, had ended, and had the same people."""

from __future__ import annotations

from sqlalchemy import Connection, select, union

from app.platform.tables import Table
from engine.core.match import Match
from engine.core.timeline import SeatsTurned

T = Table.metadata.tables
MATCH, EVENT, SEAT, CHANGE = (T[name] for name in ("match", "event", "seat", "seat_change"))
ENDS = ("SeedRevealed", "Closed")


def find_rematch_fault(connection: Connection, match: Match) -> str | None:
    """Why the seats of this match cannot have been turned: inventing a match before it avoids the lot.

    Of people one in common is asked for, since whoever is gone leaves a seat to others. An imported match was seated elsewhere.
    """
    turned = next((e.event for e in match.log if isinstance(e.event, SeatsTurned)), None)
    row = connection.execute(select(MATCH).where(MATCH.c.id == match.id)).one()
    if turned is None or row.imported:
        return None
    if row.rematch_of is None or turned.before not in (None, row.rematch_of):
        return "its seats were turned, but it is no rematch of the match that it names."
    before = connection.execute(select(MATCH).where(MATCH.c.id == row.rematch_of)).one_or_none()
    if before is None or before.game != row.game:
        return f"its seats were turned since match {row.rematch_of}, which there is none of in its game."
    if not had_ended(connection, before.id, row.started_at):
        return f"its seats were turned since match {before.id}, which had not ended."
    if not people_of(connection, row.id) & people_of(connection, before.id):
        return f"its seats were turned since match {before.id}, where none of its people played."
    return None


def had_ended(connection: Connection, match_id: str, at: object) -> bool:
    """Whether a match was over or closed at that time; it may have been taken back since."""
    end = select(EVENT.c.pos).where(
        EVENT.c.match_id == match_id, EVENT.c.kind.in_(ENDS), EVENT.c.at <= at
    )
    return connection.execute(end.limit(1)).first() is not None


def people_of(connection: Connection, match_id: str) -> set[int]:
    """Whoever has or had a seat."""
    found = union(*(select(t.c.player_id).where(t.c.match_id == match_id) for t in (SEAT, CHANGE)))
    return {player for player in connection.execute(found).scalars() if player is not None}
