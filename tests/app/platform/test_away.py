"""When the database is away: gone, silent, full or behind a pooler; people are told so, and nothing is broken."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import psycopg
import pytest
import structlog
from flask import Flask
from sqlalchemy import text

from app import create_app
from app.eventstore.store import load_match
from app.platform import postgresql as platform_postgresql
from app.platform.database import Database
from app.platform.database_address import driver_address, hosts_as_query
from app.platform.errors import Away
from app.platform.postgresql import libpq_words
from app.platform.settings import Settings
from engine.core.match import Match, start
from engine.core.registry import find
from tests.app.browser import Visitor
from tests.app.kept import kept, wandered
from tests.debian import fetch_programs
from tests.servers import (
    Postgresql,
    Server,
    free_port,
    private_folder,
    running_postgresql,
)

PAGES = ("/", "/sign-in", "/matches", "/api/v1/matches", "/account", "/health/ready")


@pytest.fixture
def server() -> Iterator[Postgresql]:
    """A PostgreSQL of one test's own, which may be stopped."""
    with running_postgresql(password="guarded") as found:  # noqa: S106 - opens nothing else
        yield found


@pytest.fixture
def app(server: Postgresql, tmp_path: Path) -> Iterator[Flask]:
    settings = Settings(data_dir=tmp_path, database_url=server.fresh())
    database = Database(settings.database_url)
    yield create_app(settings, database, RATELIMIT_ENABLED=False)
    database.close()


def restarted(server: Postgresql) -> None:
    server.server.start(lambda: server.run("SELECT 1"))


def test_while_the_database_is_away_everybody_is_told_to_come_again_and_the_log_says_it_once(
    app: Flask, server: Postgresql
) -> None:
    ana = Visitor(app).sign_in("ana@example.org")
    assert ana.get("/account").status_code == 200
    server.server.stop(signal.SIGINT)
    with structlog.testing.capture_logs() as lines:
        for _ in range(3):
            for page in PAGES:
                answer = ana.get(page)
                assert answer.status_code in (200, 404, 503), (
                    page,
                    answer.status_code,
                    answer.text,
                )
                if answer.status_code == 503 and "health" not in page:
                    assert answer.headers["Retry-After"] == "5"
                    assert "cannot reach its database" in answer.text
        assert ana.get("/account").status_code == 503
        restarted(server)
        assert ana.get("/account").status_code == 200
        assert ana.get("/account").status_code == 200
    told = [line["event"] for line in lines if line["event"] != "request"]
    assert told == ["database away", "database back"]


def test_a_server_that_falls_silent_is_hung_up_on(
    server: Postgresql, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its host still acknowledges every packet, so no timeout of TCP ends the wait."""
    monkeypatch.setattr(platform_postgresql, "SILENCE", 1.0)
    database = Database(server.fresh())
    began, stopped = monotonic(), list[int]()

    def ask_and_wait() -> None:
        with database.read() as connection:
            stopped.append(connection.execute(text("SELECT pg_backend_pid()")).scalar_one())
            os.kill(stopped[-1], signal.SIGSTOP)
            connection.execute(text("SELECT 1"))

    with pytest.raises(Away):
        ask_and_wait()
    with database.read() as connection:  # by another connection
        mine = connection.execute(text("SELECT pg_backend_pid()")).scalar_one()
    os.kill(mine, signal.SIGSTOP)  # while it lies in the pool nobody notices
    with database.read() as connection:
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
    assert monotonic() - began < 10
    for process in (*stopped, mine):
        os.kill(process, signal.SIGCONT)
    database.close()


def test_a_host_that_does_not_answer_is_given_up_after_seconds() -> None:
    words = platform_postgresql.connect_words(driver_address("postgresql://a@b/c"))
    assert words["connect_timeout"] == "5"
    assert int(words["tcp_user_timeout"]) <= 15_000
    own = driver_address("postgresql://a@b/c?connect_timeout=2")
    assert "connect_timeout" not in platform_postgresql.connect_words(
        own
    )  # the address has its say


def test_of_several_hosts_the_one_that_can_be_written_to_is_found(server: Postgresql) -> None:
    """As libpq writes them; the first is where the leader was before a failover."""
    url = server.fresh()
    dead = free_port()
    several = url.replace("127.0.0.1:", f"127.0.0.1:{dead},127.0.0.1:")
    database = Database(several)
    match = kept(database, wandered()[3])
    assert load_match(database, match.id).hash == match.hash
    database.close()
    plain, secret = libpq_words(driver_address(several))
    assert f"{dead}," in plain
    assert secret == {"PGPASSWORD": "guarded"}
    assert "target_session_attrs=read-write" in plain


def test_an_address_of_one_host_stays_as_it_is() -> None:
    for url in (
        "postgresql://a:b,c@host:5432/name",
        "sqlite:////tmp/a,b",
        "postgresql:///x?host=/run,/tmp",
    ):
        assert hosts_as_query(url) == url


# Behind a pooler


@contextmanager
def running_pgbouncer(behind: Postgresql, name: str) -> Iterator[int]:
    """PgBouncer in transaction mode, with fewer connections to the server than it gives out; says its port."""
    with private_folder("pgbouncer") as folder:
        port = free_port()
        (folder / "users").write_text(f'"chasqui" "{behind.password}"\n')
        (folder / "ini").write_text(
            f"[databases]\n{name} = host=127.0.0.1 port={behind.port} dbname={name}\n"
            f"[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port={port}\nunix_socket_dir=\n"
            f"auth_type=plain\nauth_file={folder}/users\npool_mode=transaction\ndefault_pool_size=2\n"
        )
        server = Server([shutil.which("pgbouncer") or "pgbouncer", folder / "ini"], folder)
        url = f"postgresql://chasqui:{behind.password}@127.0.0.1:{port}/{name}"
        server.start(lambda: psycopg.connect(url, prepare_threshold=None).close())
        try:
            yield port
        finally:
            server.stop(signal.SIGTERM)


def test_behind_pgbouncer_in_transaction_mode_matches_are_played_and_the_limits_hold(
    server: Postgresql, tmp_path: Path
) -> None:
    fetch_programs({"pgbouncer": "pgbouncer"})
    url = server.fresh()
    with running_pgbouncer(server, url.rpartition("/")[2]) as port:
        pooled = f"{url.replace(f':{server.port}/', f':{port}/')}?pgbouncer=true"
        one, two = Database(pooled), Database(pooled)
        for number in range(8):  # more than once a statement would be prepared for
            match = kept(one, opening(number))
            assert load_match(two, match.id).hash == match.hash
        with one.write() as connection:
            assert connection.execute(text("SHOW lock_timeout")).scalar_one() == "5s"
        with one.read() as connection, pytest.raises(Exception, match="read-only"):
            connection.execute(text("DELETE FROM seat"))
        one.migrate()
        app = create_app(
            Settings(data_dir=tmp_path, database_url=pooled), two, RATELIMIT_ENABLED=False
        )
        assert Visitor(app).sign_in("ana@example.org").get("/account").status_code == 200
        for database in (one, two):
            database.close()


def opening(number: int) -> Match:
    """One of several matches."""
    return start(find("cuzco"), 2, {}, f"secret {number}", f"pooled{number}")


# A full disk


def test_a_full_disk_is_told_as_such_and_nothing_is_broken(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path}/a.sqlite3")
    database.migrate()
    with database.read() as connection:
        pages = connection.execute(text("PRAGMA page_count")).scalar_one()

    def fill() -> None:
        with database.write() as connection:
            connection.exec_driver_sql(f"PRAGMA max_page_count={pages}")
            for number in range(1000):
                connection.execute(
                    text("INSERT INTO heartbeat (name, late_after, why) VALUES (:name, 1, :why)"),
                    {"name": str(number), "why": "x" * 1000},
                )

    with pytest.raises(Away):
        fill()
    with database.read() as connection:
        assert connection.execute(text("SELECT count(*) FROM heartbeat")).scalar_one() == 0
    database.close()
