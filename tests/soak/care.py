"""The long campaigns about going back: the machine on both databases, and moves racing with rewinds."""

from __future__ import annotations

from collections import Counter

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from rich.progress import track

from tests.app.api.test_races import turning_race
from tests.app.machine import PEOPLE, Table
from tests.soak.api import on_postgresql, on_sqlite

RUNS, STEPS = 1000, 50  # on each database
RACES = 500  # on each database


def machine() -> str:
    long = settings(
        max_examples=RUNS,
        stateful_step_count=STEPS,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    for place in (on_sqlite, on_postgresql):
        with place() as service:
            service.people(*PEOPLE)
            run_state_machine_as_test(type("Here", (Table,), {"service": service}), settings=long)
    return (
        f"{2 * RUNS} tables of up to {STEPS} acts each: what counts was always what the model had"
    )


def races() -> str:
    tally: Counter[tuple[int, int]] = Counter()
    for name, place in (("SQLite", on_sqlite), ("PostgreSQL", on_postgresql)):
        with place() as service:
            service.people("ana")
            for number in track(range(RACES), description=f"moves against rewinds on {name}"):
                tally[turning_race(service, number)] += 1
    assert tally.keys() <= {(200, 409), (409, 200)}
    return f"{2 * RACES} moves against rewinds: {tally[200, 409]} moves and {tally[409, 200]} rewinds won"
