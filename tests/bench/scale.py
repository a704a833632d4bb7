"""What one thing costs on PostgreSQL: an act, a page, a mail, and the room that an event takes; docs/SCALE.md counts with it."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time

import psycopg

from app import create_app
from app.mail.compose import compose_mail
from app.platform import tables
from app.platform.database import Database
from app.platform.settings import Settings
from app.platform.tables import utc_now
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.browser import services_of
from tests.app.kept import keep
from tests.app.seated import played, two
from tests.bench.measure import Row
from tests.servers import running_postgresql
from workers.pictures import draw

# Enough rows for pages and indexes to weigh what they weigh in a large table.
MANY = """
    INSERT INTO match (id, game, title, options, pace, public, status, seats, seeds, head, hash, hints, imported, alone, created_at)
        SELECT md5(n::text), game, title, options, '{"hours": 48}', public, status, seats, to_json(repeat('x', 180)), head, hash,
            hints, imported, alone, now() FROM match, generate_series(1, 20000) n WHERE id = 'scale0';
    INSERT INTO outbox (match_id, pos, player_id, kind, number, state, payload, tries, not_before, created_at)
        SELECT id, 7, 1, 'turn', 0, 'sent', '{}', 1, now(), now() FROM match
"""
MATCHES, ACTS, PAGES, MAILS = 40, 400, 60, 20


def rows() -> Iterator[Row]:
    """Measured with a server that keeps its promises: fsync, full pages, synchronous commits."""
    with (
        running_postgresql(("autovacuum=off",)) as server,
        tempfile.TemporaryDirectory() as folder,
    ):
        url = server.fresh()
        database = Database(url)
        app = create_app(
            Settings(data_dir=Path(folder), database_url=url), database, RATELIMIT_ENABLED=False
        )
        for name, told in (
            ("an act, committed on PostgreSQL", acts(database)),
            ("a turn page", pages(app)),
            ("a mail, composed; its board drawn once", mails(app)),
            ("room on disk", room(url)),
        ):
            yield Row(f"scale: {name}", said=told)
        database.close()


def acts(database: Database) -> str:
    wall, busy, count = list[float](), process_time(), 0
    for number in range(MATCHES):
        match = start(find("cuzco"), 2, {}, f"s{number}", f"scale{number}")
        opened(database, match)
        for later in random_acts(match, Random(number)):
            began = perf_counter()
            keep(database, later, match.head, utc_now())
            wall.append(perf_counter() - began)
            match, count = later, count + 1
            if len(wall) >= ACTS * (number + 1) // MATCHES:
                break
    spent = (process_time() - busy) / count
    return f"{median(wall) * 1000:.2f} ms, {spent * 1000:.2f} ms of a processor with the rules"


def opened(database: Database, match: Match) -> None:
    with database.session() as session:
        session.add(tables.Match(id=match.id, game="cuzco", title="x", seats=2, hash="0" * 64))
    keep(database, match)


def pages(app: object) -> str:
    where, ana, _ = two(app, played(60))  # type: ignore[arg-type]
    ana.get(where)
    wall = list[float]()
    for _ in range(PAGES):
        began = process_time()
        assert ana.get(where).status_code == 200
        wall.append(process_time() - began)
    return f"{median(wall) * 1000:.1f} ms of a processor"


def mails(app: object) -> str:
    services, match = services_of(app), played(60)  # type: ignore[arg-type]
    (asked, *_) = match.game.to_act(match.state)
    with services.database.session() as session:
        row = tables.Outbox(kind="turn", match_id="playedout2", pos=match.head, player_id=asked + 1)
        session.add(row)
        session.flush()
        session.expunge(row)
    wall = list[float]()
    for _ in range(MAILS):
        began = process_time()
        with services.database.look() as session:
            compose_mail(session, services, row, draw)
        wall.append(process_time() - began)
    return f"{median(wall) * 1000:.0f} ms of a processor"


def room(url: str) -> str:
    """By table and index, after everything above was written."""
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(MANY)
        connection.execute("VACUUM ANALYZE")
        told = []
        for name in ("event", "match", "outbox"):
            size, count = connection.execute(
                f"SELECT pg_total_relation_size('{name}'), (SELECT count(*) FROM {name})"  # type: ignore[arg-type]  # noqa: S608 - our own words
            ).fetchone() or (0, 1)
            told.append(f"{size / max(count, 1):.0f} bytes a row of {name}")
    return ", ".join(told)
