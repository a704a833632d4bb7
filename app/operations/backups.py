"""Backup and restore of the whole database: a copy counts when every match in it verifies."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from sqlalchemy import URL, Connection, Engine, MetaData, inspect, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import col, select

from app.eventstore.store import LogBroken, reread_match
from app.matches.rematches import find_rematch_fault
from app.operations.reseeding import reseed_matches
from app.platform import tables
from app.platform.database import Database, migration_engine
from app.platform.database_address import driver_address
from app.platform.seed_vault import WrongSeedKey
from engine.core import record
from engine.core.refusal import Refusal

GUARDS = """
    SELECT oid::regprocedure FROM pg_proc
    WHERE pronamespace = current_schema()::regnamespace AND prorettype = 'trigger'::regtype
"""


class NoBackup(Exception):
    """It cannot be done; the sentence says why, and that nothing was changed."""


def is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


# Saving


def save_backup(url: str, file: Path) -> None:
    """Writes the whole database into one file, as it is at one moment, while others go on writing."""
    if file.exists():
        raise NoBackup(f"{file} exists already; a backup never overwrites another.")
    with unfinished(file) as copy:
        if is_sqlite(driver_address(url)):
            save_sqlite(driver_address(url), copy)
        else:
            postgresql("pg_dump", driver_address(url), "--format=custom", f"--file={copy}")


@contextmanager
def unfinished(file: Path) -> Iterator[Path]:
    """A place beside the file; what is there at the end becomes the file, whole and for its owner alone."""
    try:
        folder = TemporaryDirectory(prefix=".backup-", dir=file.parent)
    except OSError as fault:
        raise NoBackup(f"{file.parent} cannot be written to: {fault.strerror}.") from fault
    with folder as made:
        copy = Path(made) / file.name
        yield copy
        copy.chmod(0o600)
        with copy.open("rb") as written:
            os.fsync(written.fileno())
        os.link(copy, file)


def save_sqlite(url: URL, copy: Path) -> None:
    source = Path(url.database or "")
    if not source.exists():
        raise NoBackup(f"There is no database at {source}.")
    with closing(sqlite3.connect(source)) as connection:
        connection.execute("VACUUM INTO ?", (str(copy),))


# Putting back


def restore_backup(
    url: str, file: Path, at: datetime, *, replace: bool, seed_keys: Sequence[str] = ()
) -> Path | None:
    """Puts a backup in the database's place after checking it; says where the old one went, if there was one."""
    if not file.is_file():
        raise NoBackup(f"There is no backup at {file}.")
    if is_sqlite(driver_address(url)):
        return restore_sqlite(driver_address(url), file, at, seed_keys, replace=replace)
    restore_postgresql(driver_address(url), file, seed_keys, at)
    return None


def restore_sqlite(
    url: URL, file: Path, at: datetime, seed_keys: Sequence[str], *, replace: bool
) -> Path | None:
    """The service must not run: whoever has the old file open would go on writing into it."""
    target = Path(url.database or "")
    if target.exists() and not replace:
        raise NoBackup(f"{target} exists; --replace moves it aside. Stop the service first.")
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=".restore-", dir=target.parent) as made:
        copy = Path(shutil.copy(file, Path(made) / "copy.sqlite3"))
        copy.chmod(0o600)
        check(f"sqlite:///{copy}", seed_keys)
        play_on(f"sqlite:///{copy}", seed_keys, at)
        aside = move_aside(target, at) if target.exists() else None
        copy.rename(target)
    return aside


def move_aside(target: Path, at: datetime) -> Path:
    """Keeps the old database under another name, with what SQLite had not yet written into it."""
    with closing(sqlite3.connect(target, timeout=1)) as connection:
        try:  # leaving the WAL needs the file for oneself: whoever has it open, even idly, is noticed
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as fault:
            raise NoBackup(f"{target} is in use: stop the service first.") from fault
    aside = target.with_name(f"{target.name}.{at:%Y%m%dT%H%M%S}")
    target.rename(aside)
    for left in ("-wal", "-shm"):
        target.with_name(target.name + left).unlink(missing_ok=True)
    return aside


def restore_postgresql(url: URL, file: Path, seed_keys: Sequence[str], at: datetime) -> None:
    """Into an empty database only, which is empty again if the backup is damaged."""
    engine = migration_engine(url)
    try:
        if inspect(engine).get_table_names():
            raise NoBackup(
                f"The database {url.database} holds tables already: make an empty one "
                "and name it in CHASQUI_DATABASE_URL."
            )
        options = ("--no-owner", "--no-privileges", "--single-transaction", "--exit-on-error")
        postgresql("pg_restore", url, *options, str(file))
        restored = url.render_as_string(hide_password=False)
        try:
            check(restored, seed_keys)
        except NoBackup:
            take_back(engine)
            raise
        play_on(restored, seed_keys, at)
    finally:
        engine.dispose()


def play_on(url: str, seed_keys: Sequence[str], at: datetime) -> None:
    """Makes what was put back ready to be played on: with tables of today, and seeds that nobody has seen draws of."""
    database = Database(url, seed_keys)
    try:
        database.migrate()
        reseed_matches(database, at)
    finally:
        database.close()


def take_back(engine: Engine) -> None:
    """Drops what a backup brought into an empty database: tables, and the functions that guard them."""
    tables = MetaData()
    with engine.begin() as connection:
        tables.reflect(connection)
        tables.drop_all(connection)
        for guard in connection.scalars(text(GUARDS)).all():
            connection.execute(text(f"DROP FUNCTION {guard}"))


def postgresql(program: str, url: URL, *options: str) -> None:
    """Runs a program of PostgreSQL; the password travels where other users of the machine cannot see it."""
    found = shutil.which(program)
    if found is None:
        raise NoBackup(f"{program} is not here: install PostgreSQL's client programs.")
    from app.platform.postgresql import libpq_words  # noqa: PLC0415 - the driver, where it is used

    plain, secret = libpq_words(url)
    done = subprocess.run(  # noqa: S603 - a program of PostgreSQL's, without a shell
        [found, f"--dbname={plain}", *options],
        env={**os.environ, **secret},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise NoBackup(f"{program} says: {done.stderr.strip() or done.returncode}")


# Checking


def check(url: str, seed_keys: Sequence[str] = ()) -> None:
    """Refuses a database that is damaged, whose seeds other keys sealed, or in which a match does not verify."""
    database = Database(url, seed_keys)
    try:
        found = problems(database)
    except WrongSeedKey as fault:
        raise NoBackup(str(fault)) from fault
    except (DatabaseError, sqlite3.DatabaseError) as fault:
        raise NoBackup("This is no backup of Chasqui, or it is damaged.") from fault
    finally:
        database.close()
    if found:
        raise NoBackup("\n".join(found))


def problems(database: Database) -> list[str]:
    """What is wrong with the matches of a database, a sentence each."""
    begun = select(tables.Match.id).where(tables.Match.head > 0).order_by(col(tables.Match.id))
    with database.look() as session:
        told = [problem(session.connection(), match_id) for match_id in session.exec(begun)]
    return [sentence for sentence in told if sentence]


def problem(connection: Connection, match_id: str) -> str | None:
    """Why the log of a match is not the one that was played; every link of its chain is looked at."""
    try:
        match = reread_match(connection, match_id)
        told = record.read(record.export(match))
    except (Refusal, LogBroken) as refusal:
        return f"Match {match_id} does not verify: {refusal}"
    except (LookupError, TypeError, ValueError) as fault:
        return f"Match {match_id} cannot be read: {type(fault).__name__}."
    wrong = record.seed_problems(told, told.seeds)
    found = wrong[0] if wrong else find_rematch_fault(connection, match)
    return f"Match {match_id} does not verify: {found}" if found else None
