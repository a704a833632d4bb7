"""What grows with the service and what must not: pages, appending and sweeping among few and among many."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

from flask import Flask
from sqlalchemy import text

from app import create_app
from app.matches.submissions import submit_orders
from app.matches.timeouts import load_due_clocks
from app.platform import tables
from app.platform.database import Database
from app.platform.logging import write_json_logs
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings
from engine.core import match as matches
from engine.core.match import Match
from engine.core.playout import random_acts
from engine.core.timeline import Extended
from tests.app.browser import Visitor
from tests.app.seated import come_in, my_id, played, seat
from tests.bench.measure import Row, at_most, in_turns, typical, working

FEW, MANY = 100, 100_000  # matches
SHORT, LONG = 100, 5_000  # events of one match
CALLS = 6  # a round
EVENTS = 10  # of each match that only stands there
GOAL = at_most(1.2)
NUMBERS = "WITH RECURSIVE n(i) AS (SELECT :first UNION ALL SELECT i + 1 FROM n WHERE i + 1 < :end)"
CROWD = {"match": "id = :like"} | dict.fromkeys(("seat", "clock"), "match_id = :like")
CROWD["event"] = f"match_id = :like AND pos <= {EVENTS}"


def rows() -> Iterator[Row]:
    """What becomes of the figures when there is more of everything."""
    with tempfile.TemporaryDirectory() as few, tempfile.TemporaryDirectory() as many:
        small, large = (work(Path(folder), n, SHORT) for folder, n in ((few, FEW), (many, MANY)))
        yield from measured(f"{FEW:,} and {MANY:,} matches", small, large)
    with tempfile.TemporaryDirectory() as short, tempfile.TemporaryDirectory() as long:
        small, large = (work(Path(folder), FEW, n) for folder, n in ((short, SHORT), (long, LONG)))
        yield from measured(f"{SHORT:,} and {LONG:,} events", small, large)


Work = dict[str, Callable[[], Any]]


def measured(among: str, small: Work, large: Work) -> Iterator[Row]:
    """Each among few and among many, in turns; by the time of this thread alone."""
    for name in small:
        sides = {
            "many": typical(large[name], CALLS, clock=working),
            "few": typical(small[name], CALLS, clock=working),
        }
        what = f"{name}, {among}"
        yield in_turns(what, sides).row(what, "many", "few", GOAL)


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
        "an order, by its use case": acting(database, match, (my_id(ana), my_id(bo))),
        "an old position": stepping(ana, where, match.head),
        "the lobby": page(ana, "/tables"),
        "my matches": page(ana, "/matches"),
        "sweep with nothing due": lambda: swept(app),
    }


def of_length(match_id: str, events: int) -> Match:
    """A match of two with so many events, the last of them a game that is being played."""
    match = played(0, match_id)
    while match.head < events - 90:
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


def stepping(visitor: Visitor, where: str, head: int) -> Callable[[], Any]:
    """Positions near the end, none twice."""
    positions = iter(range(head - 1, 2, -1))

    def ask() -> None:
        assert visitor.client.get(f"{where}/history/{next(positions)}").status_code == 200

    return ask


def acting(database: Database, match: Match, people: tuple[int, int]) -> Callable[[], Any]:
    """One more order each time, as a player sends it."""
    coming = random_acts(match, Random(8))
    known = [match]

    def act() -> None:
        later = next(coming)
        added = later.log[known[-1].head]
        submit_orders(
            database, match.id, people[added.seat or 0], [added.order],
            head=known[-1].head, key=f"grow{added.pos}", at=datetime.now(UTC),
        )  # fmt: skip
        known[:] = [later]

    return act


def swept(app: Flask) -> None:
    services: Services = app.extensions[EXTENSION_KEY]
    with services.database.look() as session:
        assert not load_due_clocks(session, services.now(), 100)
