"""Redis URLs: one address, as each library wants to read it; behind Sentinel it names who watches, and what is watched.

`redis+sentinel://:password@one:26379,two:26379/mymaster`: Redis and its sentinels ask for the same password, or for none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

if TYPE_CHECKING:
    from redis import Redis

SENTINEL = "redis+sentinel"
SENTINEL_PORT = 26379


def is_sentinel(url: str) -> bool:
    return url.startswith(f"{SENTINEL}:")


def watched_name(url: str) -> str:
    """What the sentinels call the Redis that they watch."""
    return urlsplit(url).path.strip("/")


def watchers(url: str) -> list[tuple[str, int]]:
    """Where the sentinels are; ValueError if that cannot be understood."""
    hosts = urlsplit(url).netloc.rpartition("@")[2]
    pairs = (host.rpartition(":") if ":" in host else (host, "", "") for host in hosts.split(","))
    return [(host, int(port or SENTINEL_PORT)) for host, _, port in pairs]


def secret_of(url: str) -> str | None:
    password = urlsplit(url).netloc.rpartition("@")[0].partition(":")[2]
    return unquote(password) or None


def celery_address(url: str) -> tuple[str, dict[str, Any]]:
    """The address of Redis as Celery writes it, and what it must be told besides."""
    if not is_sentinel(url):
        return url.replace("unix://", "redis+socket://", 1) if url.startswith("unix:") else url, {}
    who = urlsplit(url).netloc.rpartition("@")[0]
    at = f"{who}@" if who else ""
    made = ";".join(f"sentinel://{at}{host}:{port}/0" for host, port in watchers(url))
    secret = secret_of(url)
    asked = {"password": secret} if secret else {}
    return made, {"master_name": watched_name(url), "sentinel_kwargs": asked}


def limits_address(url: str | None) -> str:
    """The address of Redis as Flask-Limiter writes it, or this process's own memory."""
    return url.replace("unix://", "redis+unix://", 1) if url else "tally://"


def limits_options(url: str | None) -> dict[str, Any]:
    """What Flask-Limiter must be told besides: it does not undo the percent signs of a password."""
    secret = secret_of(url) if url and is_sentinel(url) else None
    return {"password": secret} if secret else {}


def open_redis(url: str, patience: float) -> Redis:
    """A client that says at once when nobody answers."""
    from redis import Redis  # noqa: PLC0415 - a small service has no Redis
    from redis.backoff import NoBackoff  # noqa: PLC0415 - as above
    from redis.retry import Retry  # noqa: PLC0415 - as above
    from redis.sentinel import Sentinel  # noqa: PLC0415 - as above

    limits: dict[str, Any] = {
        "socket_timeout": patience,
        "socket_connect_timeout": patience,
        "retry": Retry(NoBackoff(), 0),
    }
    if not is_sentinel(url):
        return Redis.from_url(url, **limits)
    secret = secret_of(url)
    found = Sentinel(  # type: ignore[no-untyped-call]  # it brings no types
        watchers(url), sentinel_kwargs={"password": secret, **limits}, password=secret, **limits
    )
    client: Redis = found.master_for(watched_name(url))  # type: ignore[no-untyped-call]
    return client
