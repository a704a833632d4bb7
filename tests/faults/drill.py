"""A backup restores: copies are taken while matches are played, put elsewhere, and checked match by match."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Event, Thread

import psycopg

from app.eventstore.store import MATCH
from app.operations.backups import restore_backup, save_backup
from app.platform.database import Database
from app.platform.tables import utc_now
from engine.core.match import start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.kept import keep, open_table
from tests.servers import postgresql_programs


@contextmanager
def programs() -> Iterator[None]:
    """PostgreSQL's programs can be found, wherever they come from."""
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{postgresql_programs()}{os.pathsep}{before}"
    yield
    os.environ["PATH"] = before


@contextmanager
def playing(database: Database) -> Iterator[list[int]]:
    """Somebody plays match after match; gives the number of acts so far."""
    stop, acts = Event(), [0]

    def play() -> None:
        number = 0
        while not stop.is_set():
            number += 1
            match = start(find("cuzco"), 2, {}, f"secret {number}", f"drill{number}")
            open_table(database, match)
            keep(database, match, at=utc_now())
            for later in random_acts(match, Random(number)):
                keep(database, later, match.head, utc_now())
                match, acts[0] = later, acts[0] + 1
                if stop.is_set():
                    return

    thread = Thread(target=play)
    thread.start()
    try:
        yield acts
    finally:
        stop.set()
        thread.join()


def run(url: str, folder: Path, count: int, progress: Callable[[], object] = int) -> int:
    """How many of so many backups could be restored and verified; none of them at rest."""
    database, sound = Database(url), 0
    with playing(database) as acts, programs():
        for number in range(count):
            goal = acts[0] + 3
            while acts[0] < goal:
                Event().wait(0.005)
            file = folder / f"{number}.backup"
            save_backup(url, file)
            sound += restored(elsewhere(url, folder, number), file)
            file.unlink()
            progress()
    database.close()
    return sound


def elsewhere(url: str, folder: Path, number: int) -> str:
    """The address of a database that is empty, or not there yet."""
    if url.startswith("sqlite"):
        return f"sqlite:///{folder}/restored-{number}.sqlite3"
    name = f"restored_{os.getpid()}_{number}"
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]  # our own words
    return str(Database(url).url.set(database=name).render_as_string(hide_password=False))


def restored(url: str, file: Path) -> bool:
    """Whether the backup brought matches back; every one of them is verified on the way."""
    restore_backup(url, file, utc_now(), replace=False)
    database = Database(url)
    with database.read() as connection:
        found = connection.execute(MATCH.select()).all()
    database.close()
    return bool(found)
