"""Redis behind Sentinel: one address, and every library finds the Redis that is watched."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import redis
from limits.storage import storage_from_string

from app.platform.redis_addresses import (
    celery_address,
    limits_address,
    limits_options,
    open_redis,
    secret_of,
    watched_name,
    watchers,
)
from app.platform.settings import Settings
from tests.servers import Server, free_port, private_folder, reachable_redis, running_redis
from workers.celery_app import carrier

SECRET = "fair%2Fgame"  # noqa: S105 - opens nothing else


@pytest.fixture
def sentinel() -> Iterator[str]:
    """The address of a Redis by the sentinel that watches it; both ask for the same password."""
    with (
        running_redis("requirepass fair/game\n", "fair/game") as watched,
        private_folder("sentinel") as folder,
    ):
        port, file = free_port(), folder / "sentinel.conf"
        file.write_text(
            f"port {port}\nbind 127.0.0.1\nrequirepass fair/game\nsentinel monitor mymaster 127.0.0.1 {watched.port} 1\n"
            "sentinel auth-pass mymaster fair/game\n"
        )
        file.chmod(0o666)  # it writes down what it learns, in a folder of its own
        server = Server([reachable_redis(folder), file, "--sentinel"], folder)

        def ready() -> None:
            with redis.Redis(port=port, password="fair/game") as client:  # noqa: S106 - as above
                client.ping()

        server.start(ready)
        try:
            yield f"redis+sentinel://:{SECRET}@127.0.0.1:{port}/mymaster"
        finally:
            server.stop()


def test_every_library_finds_the_redis_that_is_watched(sentinel: str) -> None:
    with open_redis(sentinel, 5) as client:
        assert client.ping()
    storage = storage_from_string(limits_address(sentinel), **limits_options(sentinel))
    assert storage.incr("somebody", 60) == 1
    celery = carrier(Settings(redis_url=sentinel))
    celery.send_task("drain", ignore_result=True)
    with open_redis(sentinel, 5) as client:
        assert client.llen("chasqui") == 1
    celery.close()


def test_an_address_is_taken_apart() -> None:
    url = f"redis+sentinel://:{SECRET}@one:26380,two/mymaster"
    assert watchers(url) == [("one", 26380), ("two", 26379)]
    assert watched_name(url) == "mymaster"
    assert secret_of(url) == "fair/game"
    address, more = celery_address(url)
    assert address == f"sentinel://:{SECRET}@one:26380/0;sentinel://:{SECRET}@two:26379/0"
    assert more == {"master_name": "mymaster", "sentinel_kwargs": {"password": "fair/game"}}
    assert celery_address("redis://queue/0") == ("redis://queue/0", {})
