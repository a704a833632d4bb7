"""Nightly backup: taken, verified from the file itself, and noted where health and metrics see it."""

from __future__ import annotations

import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any

from sqlalchemy import Boolean, Column

from app.operations.backups import NoBackup, check, is_sqlite, save_backup
from app.operations.heartbeats import note_failure, note_success
from app.platform.database import Database
from app.platform.database_address import driver_address
from app.platform.tables import Moment, Table, written

NAME = "backup"
LATE_AFTER = 26 * 3600  # seconds: a night, and as long as the timer may be late
READ_BACK = ("match", "event")  # what the chain and the seeds are in
COPY = re.compile(r"COPY \S+\.\"?(\w+)\"? \((.+)\) FROM stdin;")
ESCAPED = re.compile(r"\\(.)")
MEANT = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
ENDING = ".backup"


def back_up_nightly(
    database: Database, folder: Path, at: datetime, keep: timedelta, seed_keys: Sequence[str]
) -> Path:
    """Saves, reads back and verifies a backup, notes how it went, and only then lets old ones go."""
    file = folder / f"{at:%Y-%m-%dT%H%M%S}{ENDING}"
    url = database.url.render_as_string(hide_password=False)
    try:
        save_backup(url, file)
        verify_backup(url, file, seed_keys)
    except NoBackup as refusal:
        note_failure(database, NAME, at, LATE_AFTER, str(refusal))
        raise
    note_success(database, NAME, at, LATE_AFTER)
    for old in folder.glob(f"*{ENDING}"):
        if old != file and old.stat().st_mtime < (at - keep).timestamp():
            old.unlink()
    return file


def verify_backup(url: str, file: Path, seed_keys: Sequence[str]) -> None:
    """Refuses a file from which some match could not be played on; needs no second server."""
    with TemporaryDirectory(prefix=".verify-", dir=file.parent) as made:
        copy = Path(made) / "copy.sqlite3"
        if is_sqlite(driver_address(url)):
            shutil.copy(file, copy)
        else:
            read_dump(file, copy)
        copy.chmod(0o600)
        check(f"sqlite:///{copy}", seed_keys)


def read_dump(file: Path, copy: Path) -> None:
    """Brings the matches and their logs out of a dump of PostgreSQL into a file of SQLite, as they stand in the dump."""
    database = Database(f"sqlite:///{copy}")
    database.migrate()
    database.close()
    program = shutil.which("pg_restore")
    if program is None:
        raise NoBackup("pg_restore is not here: install PostgreSQL's client programs.")
    wanted = [f"--table={name}" for name in READ_BACK]
    with (
        closing(sqlite3.connect(copy, isolation_level=None)) as connection,
        subprocess.Popen(  # noqa: S603 - a program of PostgreSQL's, without a shell
            [program, "--data-only", "--file=-", *wanted, str(file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="strict",
        ) as told,
    ):
        assert told.stdout is not None  # noqa: S101 - for the type checker
        connection.execute("BEGIN")
        for name, columns, rows in copied_tables(told.stdout):
            connection.executemany(inserting(name, columns), rows)
        connection.execute("COMMIT")
        complaint = told.stderr.read() if told.stderr else ""
    if told.returncode:
        raise NoBackup(f"pg_restore cannot read {file}: {complaint.strip()}")


def copied_tables(lines: IO[str]) -> Iterator[tuple[str, list[str], Iterator[list[Any]]]]:
    """The tables of a dump in PostgreSQL's text format: name, columns, rows."""
    for line in lines:
        if found := COPY.fullmatch(line.rstrip("\n")):
            name, columns = found[1], [word.strip(' "') for word in found[2].split(",")]
            yield name, columns, copied_rows(lines, name, columns)


def copied_rows(lines: IO[str], name: str, columns: list[str]) -> Iterator[list[Any]]:
    table = Table.metadata.tables[name]
    kinds = [table.c[column] for column in columns]
    for line in lines:
        if line == "\\.\n":
            return
        parts = line.rstrip("\n").split("\t")
        yield [understood(part, kind) for part, kind in zip(parts, kinds, strict=True)]


def understood(part: str, column: Column[Any]) -> Any:
    """A value of the text format as SQLite keeps it."""
    if part == "\\N":
        return None
    text = ESCAPED.sub(lambda found: MEANT.get(found[1], found[1]), part)
    if isinstance(column.type, Boolean):
        return int(text == "t")
    return written(datetime.fromisoformat(text)) if isinstance(column.type, Moment) else text


def inserting(name: str, columns: list[str]) -> str:
    named, marks = ", ".join(f'"{column}"' for column in columns), ", ".join("?" * len(columns))
    return f'INSERT INTO "{name}" ({named}) VALUES ({marks})'  # noqa: S608 - names of our own tables
