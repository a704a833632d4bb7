"""The store against the bare drivers: appending an act, reading a log, rebuilding a match."""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from statistics import median
from time import perf_counter
from typing import Any

import msgspec
import psycopg
from rich.console import Console
from rich.progress import track
from rich.table import Table

from app.eventstore import store
from app.eventstore.codec import dump_event
from app.eventstore.store import EVERYTHING, MATCH_CACHE, append_events, load_entries, load_match
from app.outbox.rows import enqueue_rows
from app.platform import tables
from app.platform.database import LOCK_PATIENCE, Database
from engine.core import chain
from engine.core.match import Match
from engine.core.timeline import CORE_EVENTS, Entry
from tests.engine.matches import whole
from tests.servers import running_postgresql

MATCHES = 3  # appended act by act, in turns with the floor
READS = 40
LOG = 'SELECT pos, act, seat, "order", kind, data, hash, hidden FROM event WHERE match_id = ? ORDER BY pos'
MOVE = "UPDATE match SET head = ?, hash = ? WHERE id = ? AND head = ?"
ADD = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
POST = (
    "INSERT INTO outbox (match_id, pos, number, player_id, kind, state, payload, tries, not_before, created_at)"
    " VALUES (?, ?, 0, 1, 'turn', 'waiting', '{}', 0, ?, ?)"
)


@dataclass
class Bare:
    """A driver without anything around it, and the words it wants."""

    connection: Any
    begin: str | None
    placeholder: str

    def words(self, sql: str) -> str:
        return sql.replace("?", self.placeholder)


def figures(table: Table) -> None:
    """Adds the figures of both databases to the table."""
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/bench.sqlite3"
        measure(table, "SQLite", url, bare_sqlite(f"{folder}/bench.sqlite3"))
    with running_postgresql(settings=()) as server:  # durable, as it would run
        url = server.fresh()
        with psycopg.connect(url) as connection:
            measure(table, "PostgreSQL", url, Bare(connection, None, "%s"))


def bare_sqlite(path: str) -> Bare:
    connection = sqlite3.connect(path, isolation_level=None)
    for pragma in (f"busy_timeout={LOCK_PATIENCE}", "journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA foreign_keys=ON")
    return Bare(connection, "BEGIN IMMEDIATE", "?")


def measure(table: Table, kind: str, url: str, bare: Bare) -> None:
    with opened(url) as database:
        append_figures(table, kind, database, bare)
        read_figures(table, kind, database, bare)
        rebuild_figures(table, kind, database, bare)


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    database.migrate()
    with database.session() as session:
        session.add(tables.Player(name="Ada"))
    yield database
    database.close()


# Appending


def append_figures(table: Table, kind: str, database: Database, bare: Bare) -> None:
    """One act: check the head, add its events, put a mail into the outbox, all durable."""
    match, ours, floor = whole("cuzco", 3, 1), list[float](), list[float]()
    acts = [tuple(group) for _, group in groupby(match.log, key=lambda entry: entry.act)]
    for number in range(MATCHES):
        for name in (f"ours-{number}", f"bare-{number}"):
            open_table(database, match, name)
        for act in track(acts, description=f"{kind}: appending"):
            ours.append(spent(lambda: append(database, f"ours-{number}", act)))  # noqa: B023 - called at once
            floor.append(spent(lambda: bare_append(bare, f"bare-{number}", act)))  # noqa: B023 - called at once
    tell(table, f"{kind}: append an act", median(ours), median(floor), "1.5x")


def open_table(database: Database, match: Match, name: str) -> None:
    row = tables.Match(id=name, game=match.game.key, title="", seats=3, hash=chain.GENESIS)
    row.seeds = list(match.seeds)
    with database.session() as session:
        session.add(row)


def append(database: Database, name: str, act: Sequence[Entry]) -> None:
    at, head = datetime.now(UTC), act[-1].pos
    with database.write() as connection:
        append_events(connection, name, act[0].pos - 1, act, at)
        enqueue_rows(connection, "turn", at, {"match_id": name, "pos": head, "player_id": 1})


def bare_append(bare: Bare, name: str, act: Sequence[Entry]) -> None:
    at, last = str(datetime.now(UTC).replace(tzinfo=None)), act[-1]
    cursor = bare.connection.cursor()
    if bare.begin:
        cursor.execute(bare.begin)
    cursor.execute(bare.words(MOVE), (last.pos, last.hash, name, act[0].pos - 1))
    if cursor.rowcount != 1:
        raise RuntimeError("the floor lost its match")
    cursor.executemany(bare.words(ADD), [bare_row(name, entry, at) for entry in act])
    cursor.execute(bare.words(POST), (name, last.pos, at, at))
    bare.connection.commit()


def bare_row(name: str, entry: Entry, at: str) -> tuple[Any, ...]:
    kind, data = type(entry.event).__name__, dump_event(entry.event)
    place = (name, entry.pos, entry.act, entry.seat, entry.order)
    return (*place, kind, data, entry.hidden, entry.hash, at)


# Reading


def read_figures(table: Table, kind: str, database: Database, bare: Bare) -> None:
    """A whole log, as rows and as events."""
    game, rows = whole("cuzco", 3, 1).game, bare_rows(bare)
    everything = {"match": "ours-0", "after": 0, "upto": EVERYTHING}
    with database.read() as connection:
        ours, floor = in_turns(
            f"{kind}: reading",
            lambda: store.LOG.found(connection, everything),
            lambda: bare_rows(bare),
        )
        tell(table, f"{kind}: read a log of {len(rows)} rows", ours, floor, "2x")
        ours, floor = in_turns(
            f"{kind}: decoding",
            lambda: load_entries(connection, "ours-0", game),
            lambda: [json.loads(row[5]) for row in bare_rows(bare)],
        )
    tell(table, f"{kind}: the same as events (floor: parsed JSON)", ours, floor, "")


def bare_rows(bare: Bare) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = bare.connection.execute(bare.words(LOG), ("ours-0",)).fetchall()
    bare.connection.commit()
    return rows


def rebuild_figures(table: Table, kind: str, database: Database, bare: Bare) -> None:
    """A match from its rows, against decoding the same events by msgspec and counting them."""
    match = whole("cuzco", 3, 1)
    decoders = {
        cls.__name__: msgspec.json.Decoder(cls) for cls in (*CORE_EVENTS, *match.game.events)
    }

    def load() -> Match:
        return load_match(database, "ours-0")

    def floor() -> int:
        return sum(decoders[row[4]].decode(row[5]) is not None for row in bare_rows(bare))

    ours, least = in_turns(f"{kind}: rebuilding", load, floor, before=MATCH_CACHE.clear)
    tell(table, f"{kind}: rebuild a match", ours, least, "5x")
    ours, least = in_turns(f"{kind}: remembering", load, lambda: bare_rows(bare))
    tell(table, f"{kind}: a match in memory (floor: reading its rows)", ours, least, "")


# Measuring


def in_turns(
    what: str,
    ours: Callable[[], Any],
    floor: Callable[[], Any],
    before: Callable[[], Any] = lambda: None,
) -> tuple[float, float]:
    """The quickest of both, tried by turns; nothing here waits for a disk, so the rest is the machine's mood."""
    times = list[tuple[float, float]]()
    for _ in track(range(READS), description=what):
        before()
        times.append((spent(ours), spent(floor)))
    return min(one for one, _ in times), min(other for _, other in times)


def spent(call: Callable[[], Any]) -> float:
    begun = perf_counter()
    call()
    return perf_counter() - begun


def tell(table: Table, what: str, ours: float, floor: float, goal: str) -> None:
    table.add_row(
        what, f"{ours * 1e6:.0f} µs", f"{floor * 1e6:.0f} µs", f"{ours / floor:.2f}x", goal
    )


def main() -> None:
    table = Table("what", "measured", "floor", "ratio", "goal", title="The store")
    figures(table)
    Console().print(table)


if __name__ == "__main__":
    main()
