"""What grows with the service and what must not: pages, appending and sweeping among few and among many."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from time import thread_time
from typing import Any

from flask import Flask
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sqlalchemy import text

from app import create_app
from app.eventstore.store import append_events
from app.matches.timeouts import load_due_clocks
from app.outbox.rows import enqueue_rows
from app.platform import tables
from app.platform.database import Database
from app.platform.logging import write_json_logs
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings
from engine.core import chain
from engine.core import match as matches
from engine.core.match import Match
from engine.core.playout import random_acts
from engine.core.timeline import Extended
from tests.app.browser import Visitor
from tests.app.seated import come_in, my_id, played, seat

FEW, MANY = 100, 10_000  # matches
SHORT, LONG = 100, 5_000  # events of one match
ROUNDS = 60
EVENTS = 10  # of each match that only stands there
GOAL = "1.2x"
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :end)"
CROWD = {"match": "id = :like"} | dict.fromkeys(("seat", "clock"), "match_id = :like")
CROWD["event"] = f"match_id = :like AND pos <= {EVENTS}"


def figures(table: Table) -> None:
    """Adds what becomes of the figures when there is more of everything."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        measure(
            table,
            f"{FEW:,} and {MANY:,} matches",
            *(work(Path(folder), n, SHORT) for folder, n in ((few, FEW), (many, MANY))),
        )
    with tempfile.TemporaryDirectory() as short, tempfile.TemporaryDirectory() as long:
        measure(
            table,
            f"{SHORT:,} and {LONG:,} events",
            *(work(Path(folder), FEW, n) for folder, n in ((short, SHORT), (long, LONG))),
        )


Work = dict[str, Callable[[], Any]]


def measure(table: Table, among: str, small: Work, large: Work) -> None:
    """The quickest of each, in turns; the time of this thread alone, so that the machine's mood counts less."""
    times: dict[str, tuple[list[float], list[float]]] = {name: ([], []) for name in small}
    for number in track(range(ROUNDS), description=f"growth: {among}"):
        for name, both in times.items():
            pairs = list(zip(both, (small[name], large[name]), strict=True))
            for spent, call in pairs if number % 2 else reversed(pairs):
                begun = thread_time()
                call()
                spent.append(thread_time() - begun)
    for name, (few, many) in times.items():
        ratio = f"{min(many) / min(few):.2f}x"
        table.add_row(
            f"{name}, {among}", f"{min(many) * 1e6:.0f} µs", f"{min(few) * 1e6:.0f} µs", ratio, GOAL
        )


def work(folder: Path, crowd: int, events: int) -> Work:
    """What is measured, in a database with so many matches, at a match with so many events."""
    settings = Settings(data_dir=folder, limits=False)
    database = Database(settings.database_url)
    database.migrate()
    app = create_app(settings, database)
    write_json_logs((folder / "log").open("w"))
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    match = of_length(
        f"grown{crowd}x{events}", events
    )  # one process remembers all, so each has its id
    where = seat(ana.services, match, my_id(ana), my_id(bo))
    like = played(20, "likethis")
    seat(ana.services, like, my_id(bo), my_id(bo))
    with database.write() as connection:
        for name in CROWD:
            copied(connection, name, like.id, crowd)
    ana.client.get(where)
    return {
        "turn page made anew": page(ana, where),
        "turn page, 304": unchanged(ana, where),
        "append an act": appending(database, match),
        "sweep with nothing due": lambda: swept(app),
    }


def of_length(match_id: str, events: int) -> Match:
    """A match of two with so many events, the last of them a game that is being played."""
    match = played(0, match_id)
    while match.head < events - 60:
        match = matches.note(match, Extended("owner", "to grow", 1))
    return next(later for later in random_acts(match, Random(5)) if later.head >= events)


def copied(connection: Any, name: str, like: str, crowd: int) -> None:
    """As many rows as there shall be matches, each under an id of its own."""
    columns = tables.Table.metadata.tables[name].c.keys()
    own = "id" if name == "match" else "match_id"
    values = ", ".join("'crowd' || i" if c == own else f'{name}."{c}"' for c in columns)
    names = ", ".join(f'"{column}"' for column in columns)
    chosen = f"SELECT {values} FROM {name}, n WHERE {CROWD[name]}"  # noqa: S608 - our own words
    words = f"INSERT INTO {name} ({names}) {NUMBERS} {chosen}"
    connection.execute(text(words), {"first": 0, "end": crowd, "like": like})


def page(visitor: Visitor, where: str) -> Callable[[], Any]:
    number = count()

    def ask() -> None:
        wish = {"Accept-Language": f"en, x{next(number)}"}  # another wish, so it is made anew
        assert visitor.client.get(where, headers=wish).status_code == 200

    return ask


def unchanged(visitor: Visitor, where: str) -> Callable[[], Any]:
    tag = {"If-None-Match": ""}

    def ask() -> None:
        answer = visitor.client.get(where, headers=tag)  # a new minute gives it a new name
        tag["If-None-Match"] = answer.headers["ETag"]

    return ask


def appending(database: Database, match: Match) -> Callable[[], Any]:
    """Adds one more event each time, to a match beside the one that is looked at."""
    beside = "besides"
    row = tables.Match(id=beside, game=match.game.key, title="", seats=2, hash=chain.GENESIS)
    row.seeds = list(match.seeds)
    with database.session() as session:
        session.add(row)
    at = datetime.now(UTC)
    with database.write() as connection:
        append_events(connection, beside, 0, match.log, at)
    heads = count(match.head)

    def append() -> None:
        head = next(heads)
        entry = replace(match.log[-1], pos=head + 1, act=head + 1)
        with database.write() as connection:
            append_events(connection, beside, head, [entry], at)
            enqueue_rows(
                connection, "turn", at, {"match_id": beside, "pos": head + 1, "player_id": 1}
            )

    return append


def swept(app: Flask) -> None:
    services: Services = app.extensions[EXTENSION_KEY]
    with services.database.look() as session:
        assert not load_due_clocks(session, services.now(), 100)


def main() -> None:
    table = Table("what", "measured", "floor", "ratio", "goal", title="Growth")
    figures(table)
    Console().print(table)


if __name__ == "__main__":
    main()
