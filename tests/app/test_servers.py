"""The servers of the tests: real ones, confined, and gone afterwards."""

from __future__ import annotations

import shutil
from pathlib import Path

import psycopg
import pytest
import redis

from tests import servers
from tests.servers import NoServer, Postgresql, Redis, Server, private_folder


def test_redis_keeps_its_address_when_it_is_started_again(redis_server: Redis) -> None:
    with redis_server.client() as client:
        client.set("a", 1)
        redis_server.stop()
        with pytest.raises(redis.ConnectionError):
            client.get("a")
        redis_server.start()
        assert client.get("a") is None


def test_postgresql_is_not_root_and_cannot_be_reached_by_others(postgresql: Postgresql) -> None:
    process = postgresql.server.process
    assert process is not None
    assert Path(f"/proc/{process.pid}").stat().st_uid != 0
    assert postgresql.server.folder.stat().st_mode & 0o777 == 0o700
    with psycopg.connect(postgresql.url("postgres")) as connection:
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)


def test_a_wheel_carries_postgresql_where_the_machine_has_none() -> None:
    assert all((servers.wheels()[0] / name).exists() for name in ("initdb", "postgres"))


def test_a_server_that_cannot_be_had_is_a_failure_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.setattr(servers, "DEBIAN", [])
    monkeypatch.setattr(servers, "wheels", list)
    with pytest.raises(NoServer, match="There is no PostgreSQL here"):
        servers.postgresql_programs()


def test_a_server_that_does_not_start_tells_its_last_words() -> None:
    with private_folder("broken") as folder:
        broken = Server(["/bin/sh", "-c", "echo alas; exit 1"], folder)
        with pytest.raises(NoServer, match="alas"):
            broken.start(lambda: psycopg.connect("host=/nowhere"))
