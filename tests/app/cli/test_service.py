"""The commands of an operator: tables, rights, settings, health, and backups that can be trusted."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner, Result
from sqlalchemy import text

from app.cli.main import main
from app.eventstore.store import reread_match
from app.operations.backups import GUARDS, problems
from app.operations.health import EXIT_CODES
from app.operations.heartbeats import note_failure, note_success
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.tables import utc_now
from engine.core.timeline import Reseeded
from tests.app.kept import kept, wandered
from tests.faults import drill
from tests.servers import Postgresql

pytestmark = pytest.mark.usefixtures("programs_here")


def run(*words: str | Path, **settings: str) -> Result:
    environment = {f"CHASQUI_{name}": value for name, value in settings.items()}
    return CliRunner().invoke(main, [str(word) for word in words], env=environment)


# Tables and rights


def test_migrate_makes_the_tables_and_health_finds_them() -> None:
    assert "run `chasqui migrate` first" in run("health").output
    assert run("migrate").output == "The tables are up to date.\n"
    assert run("health").output == "All is well.\n"


def test_a_database_that_cannot_be_reached_is_told_in_a_sentence() -> None:
    result = run("migrate", DATABASE_URL="postgresql://nobody@127.0.0.1:1/x")
    assert result.exit_code == 1
    assert result.output.startswith("Error: The database cannot be used: ")


def test_health_tells_of_mails_that_nobody_sends(services: Services) -> None:
    long_ago = utc_now().replace(year=2020)
    with services.database.session() as session:
        session.add(tables.Outbox(kind="login", email="a@example.org", not_before=long_ago))
    result = run("health", DATABASE_URL=str(services.database.url))
    assert result.exit_code == 18
    assert "no worker sends them" in result.output


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"state": "dead", "why": "sign-in"}, "1 mails died since yesterday (sign-in)"),
        ({"state": "dead", "why": "policy"}, "look at SPF, DKIM"),
        ({"state": "waiting", "why": "certificate", "hours": 2}, "wait for an hour or longer"),
    ],
)
def test_health_turns_red_when_mails_die_or_wait(
    services: Services, row: dict[str, Any], told: str
) -> None:
    later = {"not_before": utc_now() + timedelta(hours=1)} if "hours" in row else {}
    made = utc_now() - timedelta(hours=row.pop("hours", 0))
    with services.database.session() as session:
        session.add(tables.Outbox(kind="turn", created_at=made, **later, **row))
    result = run("health", DATABASE_URL=str(services.database.url))
    assert result.exit_code == EXIT_CODES["dead" if row["state"] == "dead" else "mails"]
    assert told in result.output


def test_health_turns_red_when_the_mailbox_cannot_be_read(services: Services) -> None:
    box = {"IMAP_HOST": "127.0.0.1", "IMAP_PORT": "1", "IMAP_USER": "x", "IMAP_PASSWORD": "hush"}
    note_success(services.database, "imap", utc_now(), 60)
    note_failure(services.database, "imap", utc_now(), 60, "connection")  # as a worker does
    result = run("health", DATABASE_URL=str(services.database.url), **box)
    assert result.exit_code == EXIT_CODES["mailbox"]
    assert "The mailbox of CHASQUI_IMAP_HOST cannot be read (connection)" in result.output
    assert "hush" not in result.output


def test_health_asks_a_web_process() -> None:
    assert "does not answer" in run("health", "--web", "127.0.0.1:1").output


def test_a_granted_role_adds_to_the_log_and_cannot_change_it(postgresql: Postgresql) -> None:
    url = postgresql.fresh()
    postgresql.run("DROP ROLE IF EXISTS plain", "CREATE ROLE plain LOGIN")
    assert "only read and add to" in run("grant", "plain", DATABASE_URL=url).output
    as_role = url.replace("chasqui@", "plain@")
    database = Database(as_role)
    kept(database, wandered()[3])
    database.close()
    for attack in ("UPDATE event SET kind = 'x'", "DELETE FROM event", "TRUNCATE event"):
        with (
            psycopg.connect(as_role) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(attack)


def test_what_cannot_be_granted_is_told(postgresql: Postgresql, postgresql_url: str) -> None:
    assert "There is no role ghost" in run("grant", "ghost", DATABASE_URL=postgresql_url).output
    assert "Only PostgreSQL has roles" in run("grant", "ghost").output


# Settings


def test_the_settings_are_checked_in_sentences() -> None:
    assert "one process, at http://127.0.0.1:8000" in run("config", "check").output
    result = run("config", "check", EMBEDDED="false")
    assert result.exit_code == 1
    assert len(result.output.splitlines()) >= 4
    assert "CHASQUI_REDIS_URL is needed" in result.output


# Backups


def test_a_backup_taken_while_people_play_restores(database_url: str, tmp_path: Path) -> None:
    assert drill.run(database_url, tmp_path, 2) == 2


@pytest.fixture
def own_key(services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator's commands know the key of the service whose backups they put back."""
    monkeypatch.setenv("CHASQUI_SECRET_KEY", services.settings.signing_keys()[0])


def saved(database: Database, file: Path) -> Result:
    url = database.url.render_as_string(hide_password=False)
    return run("backup", "save", file, DATABASE_URL=url)


def test_a_backup_is_for_its_owner_and_overwrites_nothing(
    services: Services, tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    assert saved(services.database, file).exit_code == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert "never overwrites another" in saved(services.database, file).output
    assert "cannot be written to" in saved(services.database, tmp_path / "no" / "b").output
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["a.backup"]


@pytest.mark.usefixtures("own_key")
def test_an_old_database_is_moved_aside_and_only_when_told_to(
    services: Services, tmp_path: Path
) -> None:
    match = kept(services.database, wandered()[3])
    file = tmp_path / "a.backup"
    saved(services.database, file)
    settings = {"DATABASE_URL": f"sqlite:///{tmp_path}/new/chasqui.sqlite3"}
    run("migrate", **settings)
    assert "--replace moves it aside" in run("backup", "restore", file, **settings).output
    result = run("backup", "restore", file, "--replace", **settings)
    assert "every match verifies" in result.output
    assert len(list((tmp_path / "new").glob("chasqui.sqlite3.2*"))) == 1
    database = Database(settings["DATABASE_URL"], services.settings.seed_keys())
    assert problems(database) == []
    with database.read() as connection:
        played_on = reread_match(connection, match.id)
    assert played_on.log[: match.head] == match.log
    assert [type(entry.event) for entry in played_on.log[match.head :]] == [Reseeded]
    database.close()


@pytest.mark.usefixtures("own_key")
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("UPDATE event SET data = replace(data, '1', '2') WHERE pos = 9", "does not verify"),
        ("UPDATE event SET data = 'x' WHERE pos = 9", "cannot be read"),
        ("DELETE FROM event WHERE pos = 9", "does not"),
        ("UPDATE match SET seeds = '[[1, \"another\"]]'", "does not verify"),
    ],
)
def test_a_backup_that_somebody_changed_restores_nothing(
    services: Services, tmp_path: Path, change: str, sentence: str
) -> None:
    kept(services.database, wandered()[20])
    file = tmp_path / "a.backup"
    saved(services.database, file)
    with closing(sqlite3.connect(file)) as connection:
        triggers = connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
        for (name,) in triggers.fetchall():
            connection.execute(f"DROP TRIGGER {name}")
        connection.execute(change)
        connection.commit()
    target = f"sqlite:///{tmp_path}/new.sqlite3"
    result = run("backup", "restore", file, DATABASE_URL=target)
    assert result.exit_code == 1
    assert sentence in result.output
    assert not (tmp_path / "new.sqlite3").exists()


def test_a_damaged_backup_leaves_an_empty_postgresql_as_empty_as_it_was(
    postgresql: Postgresql, tmp_path: Path
) -> None:
    url = postgresql.fresh()
    database = Database(url)
    kept(database, wandered()[20])
    with database.write() as connection:
        connection.execute(text("ALTER TABLE event DISABLE TRIGGER USER"))
        connection.execute(text("DELETE FROM event WHERE pos = 9"))
        connection.execute(text("ALTER TABLE event ENABLE TRIGGER USER"))
    file = tmp_path / "a.backup"
    assert saved(database, file).exit_code == 0
    database.close()
    target = drill.elsewhere(url, tmp_path, 99)  # the drill above counts from 0 on the same server
    for _ in range(2):  # the second time it would find what the first had left
        assert "does not" in run("backup", "restore", file, DATABASE_URL=target).output
    with psycopg.connect(target.replace("+psycopg", "")) as connection:
        assert connection.execute(GUARDS).fetchall() == []
    assert run("migrate", DATABASE_URL=target).exit_code == 0


def test_what_is_no_backup_is_refused(tmp_path: Path, postgresql_url: str) -> None:
    (tmp_path / "text").write_text("hello")
    assert "or it is damaged" in run("backup", "restore", "text").output
    assert "There is no backup" in run("backup", "restore", "nowhere").output
    full = run("backup", "restore", "text", DATABASE_URL=postgresql_url)
    assert "holds tables already" in full.output


def test_without_postgresqls_programs_there_is_a_sentence(
    postgresql_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    result = run("backup", "save", "x", DATABASE_URL=postgresql_url)
    assert "install PostgreSQL's client programs" in result.output
