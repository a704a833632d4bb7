"""The broker may vanish: Redis is stopped, flushed and started again while people play and mails go out."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import cycle
from random import Random
from threading import Event

from sqlmodel import col, func, select

from app.eventstore.store import load_match
from app.platform.database import Database
from app.platform.tables import Outbox, utc_now
from engine.core.playout import random_acts
from tests.grown import Caller, Grown, wait_for

TABLES = 3  # of each pair's thread: it goes from one to the other
LATEST = 30.0  # seconds that mails may take once Redis is back


@dataclass
class Report:
    acts: int = 0
    refused: list[object] = field(default_factory=list)
    slowest: float = 0.0  # seconds that an act took
    after_return: float = 0.0  # seconds that a mail waited at most once Redis was back
    mails: int = 0

    def __str__(self) -> str:
        return (
            f"Redis stopped, started empty and flushed under load: {self.acts} acts, {len(self.refused)} refused, "
            f"the slowest took {self.slowest:.1f} s; {self.mails} mails, none later than {self.after_return:.1f} s once Redis was back"
        )


def campaign(service: Grown, acts: int, players: int = 2) -> Report:
    """A few pairs play without a pause, `acts` acts in each of five phases."""
    returned = list[datetime]()

    def come_back() -> None:
        service.redis.start()
        returned.append(utc_now())

    phases: list[Callable[[], object]] = [
        lambda: None,
        service.redis.stop,
        come_back,
        lambda: service.redis.client().flushall(),
        lambda: None,
    ]
    report = load(service, acts, players, phases)
    report.after_return = longest_wait(service, returned[0])
    return report


def longest_wait(service: Grown, since: datetime) -> float:
    """How many seconds after that moment, or after its act if that was later, the slowest mail had gone."""
    database = Database(service.environment["CHASQUI_DATABASE_URL"])
    query = select(Outbox.created_at, Outbox.sent_at).where(col(Outbox.sent_at) > since)
    with database.look() as session:
        waited = [sent - max(made, since) for made, sent in session.exec(query) if sent]
    database.close()
    return max(waited, default=timedelta()).total_seconds()


def load(
    service: Grown, acts: int, players: int, phases: Sequence[Callable[[], object]] = (int,)
) -> Report:
    """Lets pairs play; after each `acts` acts comes the next phase, and at the end every mail must have gone."""
    keys = [service.environment["CHASQUI_SECRET_KEY"]]
    database, report = Database(service.environment["CHASQUI_DATABASE_URL"], keys), Report()
    before, stop = len(service.office.mails), Event()
    tables = [[Table.of(service, f"pair{n}.{m}") for m in range(TABLES)] for n in range(players)]
    with ThreadPoolExecutor(players) as pool:
        try:
            for number, mine in enumerate(tables):
                pool.submit(play_on, mine, database, Random(number), stop, report)
            for number, phase in enumerate(phases, 1):
                phase()
                goal = number * acts
                wait_for(lambda: report.acts >= goal or report.refused, service.last_words, 600)  # noqa: B023 - at once
        finally:
            stop.set()
    wait_for(lambda: not waiting(database), lambda: f"mails wait\n{service.last_words()}")
    report.mails = len(service.office.mails) - before
    database.close()
    return report


@dataclass
class Table:
    """Two people at a match, by their seats."""

    match_id: str
    people: list[Caller]

    @classmethod
    def of(cls, service: Grown, name: str) -> Table:
        host, guest = (Caller(service, f"{name}.{who}@example.org") for who in ("a", "b"))
        wish = {"game": "cuzco", "seats": ["me", {"email": guest.email}]}
        match_id = host.must("POST", "/matches", wish)["id"]
        seat = guest.must("POST", f"/matches/{match_id}/join", {})["my_seat"]
        return cls(match_id, [host, guest] if seat == 1 else [guest, host])


def play_on(
    tables: list[Table], database: Database, rng: Random, stop: Event, report: Report
) -> None:
    """Order after order, at one table after the other, until it is enough or all matches are over."""
    for table in cycle(tables):
        if stop.is_set():
            return
        match = load_match(database, table.match_id)
        entry = next((later.log[match.head] for later in random_acts(match, rng)), None)
        if entry is None:
            continue
        began = time.monotonic()
        status, answer = table.people[entry.seat].api(
            "POST",
            f"/matches/{table.match_id}/orders",
            {"orders": [entry.order], "head": match.head},
        )
        report.slowest = max(report.slowest, time.monotonic() - began)
        if status != 200:
            report.refused.append((status, answer))
        report.acts += 1


def waiting(database: Database) -> int:
    """Mails that are due and have not gone."""
    due = col(Outbox.not_before) <= func.now()
    with database.look() as session:
        return session.exec(select(func.count()).where(Outbox.state == "waiting", due)).one()
