"""`chasqui archive`: the records of finished matches as files, one each, so that they outlive the service that ran them.

Nothing leaves the database: its log can only be added to, and whoever played may look back for ever. A file is written beside its
place, read back, and moved there whole; what is there already and ends where the match ends is left alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Literal

from sqlalchemy import Connection, select

from app.eventstore.store import MATCH, reread_match
from app.matches.record_signing import export_record
from app.operations.backups import problem
from app.platform.database import Database
from app.platform.settings import Settings
from engine.core import record

ENDED = ("over", "closed")
Outcome = Literal["written", "there"]


class NotArchived(Exception):
    """A match whose log is not sound, or a folder that takes no files; the sentence says which."""


def find_ended_matches(database: Database, before: datetime) -> list[tuple[str, str]]:
    """Ids and last hashes of the matches that ended before that moment, in the order in which they ended."""
    query = (
        select(MATCH.c.id, MATCH.c.hash)
        .where(MATCH.c.status.in_(ENDED), MATCH.c.ended_at < before, MATCH.c.head > 0)
        .order_by(MATCH.c.ended_at, MATCH.c.id)
    )
    with database.read() as connection:
        return [(row.id, row.hash) for row in connection.execute(query)]


def archive_matches(
    database: Database,
    settings: Settings,
    folder: Path,
    ended: Sequence[tuple[str, str]],
    at: datetime,
) -> Iterator[Outcome | NotArchived]:
    """Writes each record that is not there yet; each match is read by itself, so that nobody waits for us."""
    for match_id, head in ended:
        file = archive_file(folder, match_id)
        if ends_with(file, head):
            yield "there"
            continue
        try:
            with database.read() as connection:
                write_record(connection, settings, match_id, file, at)
        except NotArchived as refusal:
            yield refusal
        else:
            yield "written"


def archive_file(folder: Path, match_id: str) -> Path:
    """Where a record lies: a folder holds some thousand of them, not a million."""
    return folder / match_id[:2] / f"{match_id}.jsonl"


def ends_with(file: Path, head: str) -> bool:
    """Whether a record is there, and the match was not played on since."""
    try:
        last = file.read_text(encoding="ascii").rstrip("\n").rpartition("\n")[2]
        return bool(json.loads(last).get("hash") == head)
    except (OSError, ValueError, AttributeError):
        return False


def write_record(
    connection: Connection, settings: Settings, match_id: str, file: Path, at: datetime
) -> None:
    """Refuses a match that does not verify, and a file that cannot be read back."""
    if told := problem(connection, match_id):
        raise NotArchived(told)
    text = export_record(settings, reread_match(connection, match_id), None, at)
    made = file.with_suffix(".part")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        made.unlink(missing_ok=True)
        with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as writing:
            writing.write(text)
            writing.flush()
            os.fsync(writing.fileno())
        record.read(record.parse(made.read_text(encoding="ascii")))
        made.replace(file)
    except OSError as fault:
        raise NotArchived(f"{file} cannot be written: {fault.strerror}.") from fault
