"""Heartbeats: when each chore, and the backup, last went well, and how it failed since; one row each, for health and metrics."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from sqlalchemy.dialects.postgresql import insert as postgresql_insert
from sqlalchemy.dialects.sqlite import insert as sqlite_insert
from sqlmodel import Session, select

from app.platform.database import Database
from app.platform.tables import Heartbeat, Table

LONGEST_WHY = 300
BEAT = Table.metadata.tables["heartbeat"]


class ChoreFailed(Exception):
    """A chore failed and has told the log of it; what it says here is for the heartbeat."""


def note_success(database: Database, name: str, at: datetime, late_after: float) -> None:
    """Notes that it went well at this moment; what went wrong before is history."""
    write_heartbeat(database, name, late_after, ok_at=at, failed_at=None, why="")


def note_failure(database: Database, name: str, at: datetime, late_after: float, why: str) -> None:
    """Notes that it failed; when it last went well stays known."""
    write_heartbeat(database, name, late_after, failed_at=at, why=why[:LONGEST_WHY])


def write_heartbeat(database: Database, name: str, late_after: float, **values: object) -> None:
    upsert = sqlite_insert if database.is_sqlite else postgresql_insert
    told = {"late_after": int(late_after), **values}
    statement = upsert(BEAT).values(name=name, **{"why": "", **told})
    with database.write() as connection:
        connection.execute(statement.on_conflict_do_update(index_elements=["name"], set_=told))


def load_heartbeats(session: Session) -> dict[str, Heartbeat]:
    return {beat.name: beat for beat in session.exec(select(Heartbeat).order_by(Heartbeat.name))}


def find_late_chores(beats: Iterable[Heartbeat], at: datetime) -> list[Heartbeat]:
    """Those that should have gone well again by now."""
    return [
        beat
        for beat in beats
        if beat.ok_at is None or beat.ok_at + timedelta(seconds=beat.late_after) < at
    ]
