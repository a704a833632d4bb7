"""Health that tells the truth: every fault has its sentence and its exit code, and a service that is well has none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import text

from app.cli.main import main
from app.operations import health
from app.operations.conditions import Conditions
from app.operations.health import (
    EXIT_CODES,
    Patient,
    find_problems,
    is_recent_enough,
)
from app.operations.heartbeats import note_failure, note_success
from app.operations.status_page import StatusPage
from app.platform import tables
from app.platform.database import Database, known_revisions, newest_revision
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import utc_now
from tests.servers import Postgresql, free_port


@pytest.fixture
def grown(postgresql: Postgresql, tmp_path: Path) -> Iterator[Patient]:
    """A grown service in which all is well: the workers beat, and last night's backup is there."""
    url, at = postgresql.fresh(), utc_now()
    database = Database(url)
    for name in ("drain", "sweep", "imap"):
        note_success(database, name, at, 300)
    note_success(database, "backup", at, 26 * 3600)
    yield Patient(Settings(embedded=False, data_dir=tmp_path, database_url=url), database, at)
    database.close()


def words(patient: Patient) -> list[str]:
    found = find_problems(patient)
    assert all(problem.sentence.endswith(".") or "\n" in problem.sentence for problem in found)
    return [problem.word for problem in found]


def test_a_service_that_is_well_has_no_problems(grown: Patient) -> None:
    assert words(grown) == []


def late_mail(patient: Patient) -> None:
    add(
        patient,
        tables.Outbox(kind="login", email="a@x.org", not_before=patient.at - timedelta(hours=1)),
    )


def dead_mail(patient: Patient) -> None:
    add(patient, tables.Outbox(kind="login", email="a@x.org", state="dead", not_before=patient.at))


def forgotten_clock(patient: Patient) -> None:
    add(patient, tables.Match(id="m", game="cuzco", title="x", seats=2, hash="0"))
    add(
        patient, tables.Clock(match_id="m", seat=0, bank=0, wake_at=patient.at - timedelta(hours=1))
    )


def add(patient: Patient, row: Any) -> None:
    with patient.database.session() as session:
        session.add(row)


def run(patient: Patient, statement: str) -> None:
    with patient.database.write() as connection:
        connection.execute(text(statement))


FAULTS: dict[str, Callable[[Patient], None]] = {
    "mails": late_mail,
    "dead": dead_mail,
    "deadlines": forgotten_clock,
    "workers": lambda p: note_success(p.database, "drain", p.at - timedelta(hours=1), 300),
    "mailbox": lambda p: note_failure(p.database, "imap", p.at, 300, "gaierror"),
    "backup": lambda p: note_success(p.database, "backup", p.at - timedelta(days=2), 26 * 3600),
    "migrations": lambda p: run(p, "UPDATE alembic_version SET version_num = '0001'"),
    "seeds": lambda p: add(
        p, tables.Match(id="m", game="cuzco", title="x", seats=2, hash="0", seeds="gAAAAAx")
    ),
}


@pytest.mark.parametrize("word", FAULTS)
def test_each_fault_is_told_by_its_word(grown: Patient, word: str) -> None:
    FAULTS[word](grown)
    assert words(grown) == [word]


def test_of_several_faults_the_gravest_comes_first(grown: Patient) -> None:
    for word in ("backup", "mails", "workers", "dead"):
        FAULTS[word](grown)
    assert words(grown) == ["workers", "mails", "dead", "backup"]


def test_a_service_that_has_just_begun_lacks_workers_and_a_backup(grown: Patient) -> None:
    run(grown, "DELETE FROM heartbeat")
    assert words(grown) == ["workers", "backup"]
    embedded = replace(grown, settings=grown.settings.model_copy(update={"embedded": True}))
    assert words(embedded) == []


def test_what_failed_says_how(grown: Patient) -> None:
    note_failure(grown.database, "backup", grown.at, 26 * 3600, "The disk is full.")
    note_failure(grown.database, "sweep", grown.at, 300, "ValueError")
    told = {problem.word: problem.sentence for problem in find_problems(grown)}
    assert told["backup"] == "The last backup failed: The disk is full."
    assert told["workers"] == "The workers fail at “sweep”: ValueError."


def test_a_full_disk_and_a_redis_that_is_away_are_told(
    grown: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = grown.settings.model_copy(update={"redis_url": f"redis://127.0.0.1:{free_port()}/0"})
    monkeypatch.setattr(health, "LEAST_FREE", 2**60)
    assert words(replace(grown, settings=away)) == ["disk", "redis"]


def test_a_role_without_its_rights_is_told(grown: Patient, postgresql: Postgresql) -> None:
    name = grown.database.url.database or ""
    postgresql.run("DROP ROLE IF EXISTS bare", "CREATE ROLE bare LOGIN")
    postgresql.run("GRANT SELECT ON ALL TABLES IN SCHEMA public TO bare", name=name)
    database = Database(postgresql.url(name, "bare"))
    found = find_problems(replace(grown, database=database))
    assert [problem.word for problem in found] == ["grant"]
    assert "chasqui grant" in found[0].sentence
    database.close()
    postgresql.run("DROP OWNED BY bare", name=name)
    postgresql.run("DROP ROLE bare")


def test_the_command_exits_with_the_code_of_the_gravest(services: Services) -> None:
    url = str(services.database.url)
    env = {"CHASQUI_DATABASE_URL": url, "CHASQUI_SECRET_KEY": services.settings.signing_keys()[0]}
    assert CliRunner().invoke(main, ["health"], env=env).output == "All is well.\n"
    late_mail(Patient(services.settings, services.database, utc_now()))
    result = CliRunner().invoke(main, ["health"], env=env)
    assert result.exit_code == EXIT_CODES["mails"]
    assert "no worker sends them" in result.output
    assert CliRunner().invoke(main, ["health", "--probe"], env=env).exit_code == 0
    unreachable = {**env, "CHASQUI_DATABASE_URL": "postgresql://nobody@127.0.0.1:1/x"}
    for more in ((), ("--probe",)):
        assert CliRunner().invoke(main, ["health", *more], env=unreachable).exit_code == 10


def test_an_older_version_is_ready_on_newer_tables_and_a_newer_one_not_on_older() -> None:
    known = known_revisions()
    assert is_recent_enough({newest_revision()})
    assert is_recent_enough({"9999"})
    assert not is_recent_enough({min(known)})
    assert not is_recent_enough(set())


# For machines


def told(services: Services) -> dict[str, dict[str, float]]:
    registry = CollectorRegistry()
    registry.register(Conditions(services))
    families = text_string_to_metric_families(generate_latest(registry).decode())
    return {f.name: {"".join(s.labels.values()): s.value for s in f.samples} for f in families}


def test_the_metrics_say_what_health_says(grown: Patient) -> None:
    late_mail(grown)
    found = told(
        Services(
            grown.settings.model_copy(update={"secret_key": None, "embedded": True}), grown.database
        )
    )
    assert found["chasqui_problem"]["mails"] == 1
    assert found["chasqui_problem"]["database"] == 0
    assert found["chasqui_outbox"] == {"waiting": 1, "dead": 0}
    assert found["chasqui_outbox_late_seconds"][""] > 3000
    assert found["chasqui_heartbeat_age_seconds"]["backup"] < 3600
    grown.database.close()


def test_the_status_page_answers_whatever_it_is_called(services: Services) -> None:
    page = StatusPage(services, lambda: b"metrics")
    statuses = {
        path: page.answer(path)[0]
        for path in ("/health/live", "/health/ready", "/health", "/metrics", "/x")
    }
    assert statuses == {
        "/health/live": 200,
        "/health/ready": 200,
        "/health": 200,
        "/metrics": 200,
        "/x": 404,
    }
    late_mail(Patient(services.settings, services.database, utc_now()))
    assert page.answer("/health")[0] == 503
    assert page.answer("/health/ready")[0] == 200
