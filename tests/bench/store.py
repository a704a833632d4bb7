"""The store against the bare drivers and against the library `eventsourcing`: appending an act, rebuilding a match."""

from __future__ import annotations

import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count, groupby
from random import Random
from time import perf_counter
from typing import Any

import msgspec
import psycopg
from sqlalchemy import URL, make_url

from app.eventstore.codec import dump_event
from app.eventstore.store import MATCH_CACHE, append_events, load_match
from app.outbox.rows import enqueue_rows
from app.platform import tables
from app.platform.database import LOCK_PATIENCE, Database
from engine.core import chain
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from engine.core.timeline import CORE_EVENTS, Entry
from tests.bench.measure import Row, Side, at_least, at_most, in_turns, typical, working
from tests.bench.peers import NoPeer, asking
from tests.servers import running_postgresql

EVENTS = 330  # of the match that is rebuilt
TAIL = 30  # of them after the last snapshot of the peer, which makes one every 50
AGAIN = 15  # calls a round
ACTS = 60  # appended a round
LOG = 'SELECT pos, act, seat, "order", kind, data, hash, hidden FROM event WHERE match_id = ? ORDER BY pos'
MOVE = "UPDATE match SET head = ?, hash = ? WHERE id = ? AND head = ?"
ADD = "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
POST = (
    "INSERT INTO outbox (match_id, pos, number, player_id, kind, state, payload, tries, not_before, created_at)"
    " VALUES (?, ?, 0, 1, 'turn', 'waiting', '{}', 0, ?, ?)"
)
PEER = "eventsourcing"
NODE_PEER = "boardgame.io"


@dataclass
class Bare:
    """A driver without anything around it, and the words it wants."""

    connection: Any
    begin: str | None
    placeholder: str

    def words(self, sql: str) -> str:
        return sql.replace("?", self.placeholder)


def rows() -> Iterator[Row]:
    """The rows of both databases."""
    with tempfile.TemporaryDirectory() as folder:
        url, file = f"sqlite:///{folder}/bench.sqlite3", f"{folder}/peer.sqlite3"
        env = {"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": file}
        yield from measured("SQLite", url, env, bare_sqlite(f"{folder}/bench.sqlite3"))
    with running_postgresql(settings=()) as server:  # durable, as it would run
        url, env = server.fresh(), postgresql_env(make_url(server.fresh()))
        with psycopg.connect(url) as connection:
            yield from measured("PostgreSQL", url, env, Bare(connection, None, "%s"))


def postgresql_env(url: URL) -> dict[str, str]:
    parts = {"DBNAME": url.database, "HOST": url.query["host"], "USER": url.username}
    given = {f"POSTGRES_{name}": str(value) for name, value in parts.items()}
    ports = {"POSTGRES_PORT": "5432", "POSTGRES_PASSWORD": "unused"}
    return {"PERSISTENCE_MODULE": "eventsourcing.postgres", **ports, **given}


def bare_sqlite(path: str) -> Bare:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    for pragma in (f"busy_timeout={LOCK_PATIENCE}", "journal_mode=WAL", "synchronous=FULL"):
        connection.execute(f"PRAGMA {pragma}")
    connection.execute("PRAGMA foreign_keys=ON")
    return Bare(connection, "BEGIN IMMEDIATE", "?")


def measured(kind: str, url: str, env: dict[str, str], bare: Bare) -> Iterator[Row]:
    with opened(url) as database:
        yield append_row(kind, database, bare)
        match = of_events(EVENTS)
        open_table(database, match, match.id)
        with database.write() as connection:
            append_events(connection, match.id, 0, match.log, datetime.now(UTC))
        yield from rebuild_rows(kind, database, bare, match, env)


@contextmanager
def opened(url: str) -> Iterator[Database]:
    database = Database(url)
    database.migrate()
    with database.session() as session:
        session.add(tables.Player(name="Ada"))
    yield database
    database.close()


def of_events(least: int, name: str = "rebuilt22") -> Match:
    """A random match as soon as it has so many events."""
    match = start(find("cuzco"), 3, {}, "bench", name)
    return next(later for later in random_acts(match, Random(1)) if later.head >= least)


# Appending


def append_row(kind: str, database: Database, bare: Bare) -> Row:
    """One act: check the head, add its events, put a mail into the outbox, all durable."""
    match, what, floor = of_events(EVENTS), f"{kind}: append an act", "the bare driver"
    acts = [tuple(group) for _, group in groupby(match.log, key=lambda entry: entry.act)][:ACTS]
    names = count()

    def side(call: Callable[[str, Sequence[Entry]], None]) -> Side:
        def measure() -> float:
            name = f"appended{next(names)}"
            open_table(database, match, name)
            going = iter(acts)
            return typical(lambda: call(name, next(going)), len(acts))()

        return measure

    sides = {
        "ours": side(lambda name, act: append(database, name, act)),
        floor: side(lambda name, act: bare_append(bare, name, act)),
    }
    return in_turns(what, sides).row(what, "ours", floor, at_most(1.3))


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
    at = str(datetime.now(UTC).replace(tzinfo=None))
    keep_bare_rows(bare, name, act[0].pos - 1, [bare_row(name, entry, at) for entry in act])


def keep_bare_rows(bare: Bare, name: str, head: int, rows: Sequence[Sequence[Any]]) -> None:
    """What an act writes, as a driver is told: the head moved, the events, a mail for somebody."""
    pos, link, at = (rows[-1][place] for place in (1, -2, -1))
    cursor = bare.connection.cursor()
    if bare.begin:
        cursor.execute(bare.begin)
    cursor.execute(bare.words(MOVE), (pos, link, name, head))
    if cursor.rowcount != 1:
        raise RuntimeError("the floor lost its match")
    cursor.executemany(bare.words(ADD), rows)
    cursor.execute(bare.words(POST), (name, pos, at, at))
    bare.connection.commit()


def bare_row(name: str, entry: Entry, at: str) -> tuple[Any, ...]:
    kind, data = type(entry.event).__name__, dump_event(entry.event)
    place = (name, entry.pos, entry.act, entry.seat, entry.order)
    return (*place, kind, data, entry.hidden, entry.hash, at)


# Rebuilding


def rebuild_rows(
    kind: str, database: Database, bare: Bare, match: Match, env: dict[str, str]
) -> Iterator[Row]:
    """A match from its rows: against a fold that only counts, and against the peer with and without its snapshots."""
    what, least = f"{kind}: rebuild a match of {match.head} events", "decode by msgspec, count"
    decoders = {
        cls.__name__: msgspec.json.Decoder(cls) for cls in (*CORE_EVENTS, *match.game.events)
    }

    def floor() -> int:
        return sum(decoders[row[4]].decode(row[5]) is not None for row in bare_rows(bare, match.id))

    # SQLite works on our own thread; PostgreSQL in a process of its own, so we must wait for it.
    clock = working if database.is_sqlite else perf_counter
    ours = typical(lambda: load_match(database, match.id), AGAIN, MATCH_CACHE.clear, clock)
    sides: dict[str, Side] = {"ours": ours, least: typical(floor, AGAIN, clock=clock)}
    yield in_turns(what, sides).row(what, "ours", least, at_most(3.5))
    log = [(type(entry.event).__name__, dump_event(entry.event)) for entry in match.log]
    try:
        with asking(PEER) as peer:
            peer.ask("fill", env=env, events=log)
            plain = typical_of(lambda: peer.ask("plain", working=clock is working))
            kept = typical_of(lambda: peer.ask("snapshots", working=clock is working))
            found = in_turns(f"{kind}: beside {PEER}", {"ours": ours, PEER: plain})
            yield found.row(f"{what}, times as fast", "ours", PEER, at_least(5), swapped=True)
            behind = of_events(match.head - TAIL, match.id)
            resumed = typical(
                lambda: load_match(database, match.id), AGAIN, lambda: remember(behind), clock
            )
            for name, side in (
                ("from nothing", ours),
                (f"from memory and the last {TAIL}", resumed),
            ):
                found = in_turns(f"{kind}: {name}", {"ours": side, PEER: kept})
                yield found.row(
                    f"{kind}: {name}, times as fast as with snapshots",
                    "ours",
                    PEER,
                    at_least(1),
                    swapped=True,
                )
    except NoPeer as sorry:
        yield Row(f"{what}, beside {PEER}", PEER, said=str(sorry))
    if kind == "SQLite":
        yield node_row(what, ours, log)  # its seconds are those of the clock: node has no others


def remember(match: Match) -> None:
    MATCH_CACHE.clear()
    MATCH_CACHE.put(match)


def node_row(what: str, ours: Side, log: list[tuple[str, str]]) -> Row:
    """For orientation: a log of as much content, read from a file and replayed."""
    try:
        with asking("boardgameio") as peer:
            peer.ask("events", events=log)
            sides = {"ours": ours, NODE_PEER: typical_of(lambda: peer.ask("rebuild"))}
            return in_turns(NODE_PEER, sides).row(what, "ours", NODE_PEER)
    except NoPeer as sorry:
        return Row(what, NODE_PEER, said=str(sorry))


def typical_of(side: Side, times: int = AGAIN) -> Side:
    """The median of what a peer says that it took."""
    return lambda: sorted(side() for _ in range(times))[times // 2]


def bare_rows(bare: Bare, match_id: str) -> list[tuple[Any, ...]]:
    rows: list[tuple[Any, ...]] = bare.connection.execute(bare.words(LOG), (match_id,)).fetchall()
    bare.connection.commit()
    return rows
