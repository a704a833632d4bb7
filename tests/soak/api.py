"""The long campaigns against the API: random requests, and races on both databases."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from rich.progress import track

from app.platform.database import Database
from tests.app import campaign
from tests.app.api import test_races
from tests.app.service import FIRST, Service
from tests.servers import migrate, running_postgresql

ROUNDS, EXAMPLES = 25, 50  # times 44 ways to ask: more than 50,000 requests
RACES = 5000  # on each database


@contextmanager
def on_sqlite() -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made:
        url = f"sqlite:///{made}/chasqui.sqlite3"
        migrate(url)
        yield Service(Database(url), Path(made))


@contextmanager
def on_postgresql() -> Iterator[Service]:
    with (
        tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made,
        running_postgresql() as server,
    ):
        yield Service(Database(server.fresh()), Path(made))


def random_requests() -> str:
    tally: Counter[int] = Counter()
    with on_sqlite() as service:
        service.people("ana", "bea")
        for number in track(range(ROUNDS), description="random requests to the API"):
            tally += campaign.run(service, EXAMPLES, number)
    assert max(tally) < 500
    told = ", ".join(f"{count} × {status}" for status, count in sorted(tally.items()))
    return f"{tally.total()} random requests to the API, every answer as described: {told}"


def races() -> str:
    tally: Counter[int] = Counter()
    for name, place in (("SQLite", on_sqlite), ("PostgreSQL", on_postgresql)):
        with place() as service:
            service.people("ana")
            tally += raced(service, name)
    assert tally.keys() == {200, 409}
    assert tally[200] == 2 * RACES
    return (
        f"{2 * RACES} races of 2 to 32 writers: {tally[200]} winners, {tally[409]} told, 0 faults"
    )


def raced(service: Service, name: str) -> Counter[int]:
    """One order after the other, each sent by many at once."""
    tally: Counter[int] = Counter()
    rng, match_id, orders = Random(1), "", list[str]()
    for number in track(range(RACES), description=f"races on {name}"):
        if not orders:
            match_id, orders = service.open_table("ana", "me", "me"), [FIRST, "draw pile", "end"]
        order, head = orders.pop(0), service.get("ana", f"/matches/{match_id}")["head"]

        def submit(writer: int, order: str = order, head: int = head, number: int = number) -> int:
            key = f"{number}.{writer}"
            return service.order("ana", match_id, order, head=head, key=key).status_code  # noqa: B023 - run at once

        tally.update(test_races.at_once(rng.choice([2, 4, 8, 32]), submit))
    return tally
