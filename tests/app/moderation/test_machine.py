"""Play, drafts, rewinds, restores, wishes, answers and replacements in any order, on both databases."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from app.platform.database import Database
from tests.app.machine import PEOPLE, Table
from tests.app.service import Service

QUICK = settings(
    max_examples=6,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    derandomize=True,
)


def test_what_counts_is_what_was_played_and_not_cut(database: Database, tmp_path: Path) -> None:
    service = Service(database, tmp_path)
    service.people(*PEOPLE)
    machine = type("Here", (Table,), {"service": service})
    run_state_machine_as_test(machine, settings=QUICK)
