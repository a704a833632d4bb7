"""Backups as an operator has them: a server that asks for passwords, a role that owns nothing, every night."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest
from click.testing import CliRunner, Result

from app.cli.main import main
from app.operations import backups
from app.operations.backups import NoBackup
from app.operations.heartbeats import load_heartbeats
from app.operations.nightly import back_up_nightly, verify_backup
from app.platform.database import Database
from app.platform.tables import utc_now
from tests.app.kept import kept, wandered
from tests.servers import Postgresql

KEY = "k" * 40
SECRET = "another's: 50% off/@?"  # noqa: S105 - opens nothing else


pytestmark = pytest.mark.usefixtures("programs_here")


def run(*words: str | Path, url: str) -> Result:
    environment = {"CHASQUI_DATABASE_URL": url, "CHASQUI_SECRET_KEY": KEY}
    return CliRunner().invoke(main, [str(word) for word in words], env=environment)


@pytest.fixture
def service_url(guarded_postgresql: Postgresql) -> Iterator[str]:
    """A database with a match in it, by the role that `chasqui grant` lets work."""
    url = guarded_postgresql.fresh()
    name = url.rpartition("/")[2]
    guarded_postgresql.run(
        f"CREATE ROLE keeper LOGIN PASSWORD '{SECRET.replace(chr(39), chr(39) * 2)}'"
    )
    assert run("grant", "keeper", url=url).exit_code == 0
    as_role = (
        f"postgresql://keeper:{quote(SECRET, safe='')}@127.0.0.1:{guarded_postgresql.port}/{name}"
    )
    database = Database(as_role, [KEY])
    kept(database, wandered()[20])
    database.close()
    yield as_role
    guarded_postgresql.run("DROP OWNED BY keeper CASCADE", name=name)
    guarded_postgresql.run("DROP ROLE keeper")


def test_the_server_of_these_tests_asks_for_passwords(service_url: str) -> None:
    wrong = service_url.replace(quote(SECRET, safe=""), "guess")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong)


def test_the_service_role_saves_a_backup_and_the_owner_restores_it(
    service_url: str, guarded_postgresql: Postgresql, tmp_path: Path
) -> None:
    file = tmp_path / "a.backup"
    saved = run("backup", "save", file, url=service_url)
    assert saved.exit_code == 0, saved.output
    guarded_postgresql.run("DROP DATABASE IF EXISTS put_back", "CREATE DATABASE put_back")
    result = run("backup", "restore", file, url=guarded_postgresql.url("put_back"))
    assert "every match verifies" in result.output


def test_no_password_stands_on_a_command_line(
    service_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever shares the machine can read every command line."""
    seen = list[tuple[list[str], str]]()
    real = subprocess.run

    def watched(command: list[str], **more: object) -> object:
        seen.append((command, more["env"]["PGPASSWORD"]))  # type: ignore[index]
        return real(command, **more)  # type: ignore[call-overload]

    monkeypatch.setattr(backups.subprocess, "run", watched)
    assert run("backup", "save", tmp_path / "a.backup", url=service_url).exit_code == 0
    ((command, password),) = seen
    assert password == SECRET
    assert not any("off" in word or "***" in word for word in command)


# Every night


def test_a_nightly_backup_is_verified_from_its_file_and_noted(
    service_url: str, tmp_path: Path
) -> None:
    result = run("backup", "nightly", tmp_path, url=service_url)
    assert "every match in it verifies" in result.output
    (file,) = tmp_path.glob("*.backup")
    assert [path.name for path in tmp_path.iterdir()] == [file.name]  # nothing else is left lying
    database = Database(service_url)
    with database.look() as session:
        beat = load_heartbeats(session)["backup"]
        assert beat.ok_at is not None
        assert beat.failed_at is None
    database.close()


def test_a_night_without_a_backup_is_noted_and_the_last_good_one_stays_known(
    service_url: str, tmp_path: Path
) -> None:
    database, at = Database(service_url, [KEY]), utc_now()
    back_up_nightly(database, tmp_path, at, timedelta(days=30), [KEY])
    with pytest.raises(NoBackup):
        back_up_nightly(
            database, tmp_path / "gone", at + timedelta(days=1), timedelta(days=30), [KEY]
        )
    with database.look() as session:
        beat = load_heartbeats(session)["backup"]
        assert beat.ok_at == at
        assert beat.failed_at == at + timedelta(days=1)
        assert "cannot be written to" in beat.why
    database.close()


def test_a_dump_in_which_a_match_was_changed_does_not_verify(
    guarded_postgresql: Postgresql, tmp_path: Path
) -> None:
    url = guarded_postgresql.fresh()
    database = Database(url, [KEY])
    kept(database, wandered()[20])
    database.close()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE event SET data = replace(data, '1', '2') WHERE pos = 9")
    file = tmp_path / "a.backup"
    assert run("backup", "save", file, url=url).exit_code == 0
    with pytest.raises(NoBackup, match="does not verify"):
        verify_backup(url, file, [KEY])
    with file.open("r+b") as cut:
        cut.truncate(file.stat().st_size // 2)
    with pytest.raises(NoBackup):
        verify_backup(url, file, [KEY])


def test_old_backups_go_only_after_a_good_one(database: Database, tmp_path: Path) -> None:
    kept(database, wandered()[3])
    old, at = tmp_path / "old.backup", utc_now()
    old.touch()
    long_ago = (at - timedelta(days=31)).timestamp()
    os.utime(old, (long_ago, long_ago))
    with pytest.raises(NoBackup):
        back_up_nightly(database, tmp_path / "gone", at, timedelta(days=30), [])
    assert old.exists()
    made = back_up_nightly(database, tmp_path, at, timedelta(days=30), [])
    assert sorted(tmp_path.glob("*.backup")) == [made]
