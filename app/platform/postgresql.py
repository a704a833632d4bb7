"""PostgreSQL's side of the database: addresses as libpq understands them, and connections that never wait for ever."""

from __future__ import annotations

from collections.abc import Generator
from time import monotonic
from typing import Any, TypeVar

import psycopg
from psycopg.conninfo import make_conninfo
from psycopg.errors import (
    CannotConnectNow,
    DeadlockDetected,
    DiskFull,
    LockNotAvailable,
    TooManyConnections,
)
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url

LOCK_PATIENCE = 5000  # milliseconds that a writer waits for its turn
SILENCE = 30.0  # seconds that a server may say nothing to a statement before we hang up
# What libpq is told unless the address says otherwise: a host that vanished is given up after seconds, not hours.
WATCHFUL = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
POOLED = "pgbouncer"  # ?pgbouncer=true: a pooler in transaction mode stands before the server
TURNS = (LockNotAvailable, DeadlockDetected)  # somebody else was quicker
AWAY = (CannotConnectNow, TooManyConnections, DiskFull)  # it comes back
T = TypeVar("T")


def driver_address(url: str) -> URL:
    """The address with the driver that we use; `postgres://` and several hosts at once are how some write it."""
    made = make_url(hosts_as_query(url))
    if made.get_backend_name() not in ("postgres", "postgresql"):
        return made
    made = made.set(drivername="postgresql+psycopg")
    if isinstance(made.query.get("host"), tuple):  # of several, the one that may be written to
        made = made.set(query={"target_session_attrs": "read-write", **made.query})
    return made


def hosts_as_query(url: str) -> str:
    """libpq's `user@one:5432,two:5432/name` as SQLAlchemy writes it: `user@/name?host=one:5432&host=two:5432`."""
    scheme, found, rest = url.partition("://")
    place, slash, tail = rest.partition("/")
    who, at, hosts = place.rpartition("@")
    if not found or "," not in hosts:
        return url
    name, _, query = tail.partition("?")
    named = "&".join([*(f"host={host}" for host in hosts.split(",")), *filter(None, [query])])
    return f"{scheme}://{who}{at}{slash or '/'}{name}?{named}"


def is_pooled(url: URL) -> bool:
    """Whether the address says that a pooler hands out connections for one transaction each."""
    return url.query.get(POOLED) in ("true", "1", "yes")


def server_address(url: URL) -> URL:
    """The address without the word that only we understand."""
    return url.difference_update_query([POOLED])


def libpq_words(url: URL) -> tuple[str, dict[str, str]]:
    """How PostgreSQL's own programs are told of a database: on the command line, and the secret in their environment."""
    _, parts = url.get_dialect()().create_connect_args(server_address(url))
    password = parts.pop("password", None)
    plain = make_conninfo("", **{key: value for key, value in parts.items() if key != "context"})
    return plain, {"PGPASSWORD": str(password)} if password else {}


def connect_words(url: URL) -> dict[str, Any]:
    """What a connection is opened with: never waiting for ever, in UTC, and without statements kept at a server that may change."""
    watchful = {name: value for name, value in WATCHFUL.items() if name not in url.query}
    if is_pooled(url):
        return {**watchful, "prepare_threshold": None}
    return {**watchful, "options": f"-c timezone=UTC -c lock_timeout={LOCK_PATIENCE}"}


def postgresql_engine(url: URL, **options: Any) -> Engine:
    """A pool of connections that speak UTC, are tried before they are used, and do not wait for ever."""
    engine = create_engine(
        server_address(url),
        pool_pre_ping=True,
        pool_timeout=LOCK_PATIENCE / 1000,
        connect_args=connect_words(url),
        **options,
    )

    @event.listens_for(engine, "do_connect")
    def connect(_: Any, __: Any, arguments: Any, words: Any) -> Any:
        words.pop("context", None)
        return ImpatientConnection.connect(*arguments, **words)

    if is_pooled(url):
        event.listen(engine, "begin", limit_this_transaction)
    return engine


def limit_this_transaction(connection: Connection) -> None:
    """Behind a pooler a setting of the session would be the next one's too."""
    connection.exec_driver_sql(f"SET LOCAL lock_timeout = {LOCK_PATIENCE}")


class ImpatientConnection(psycopg.Connection[Any]):
    """Hangs up on a server whose host is there and which says nothing: a stopped process still acknowledges packets."""

    def wait(self, gen: Generator[Any, Any, T], *more: Any, **named: Any) -> T:
        return super().wait(self.limited(gen), *more, **named)

    def limited(self, gen: Generator[Any, Any, T]) -> Generator[Any, Any, T]:
        """The same exchange with the server, with an end to it."""
        until, wanted = monotonic() + SILENCE, next_wish(gen, None)
        while not isinstance(wanted, Done):
            if monotonic() > until:
                gen.close()
                self.pgconn.finish()
                raise psycopg.OperationalError("the server fell silent")
            wanted = next_wish(gen, (yield wanted))
        return wanted.value  # type: ignore[no-any-return]


class Done:
    """The end of an exchange, and what came of it."""

    def __init__(self, value: Any) -> None:
        self.value = value


def next_wish(gen: Generator[Any, Any, Any], ready: Any) -> Any:
    """What the exchange waits for next, or its end."""
    try:
        return gen.send(ready)
    except StopIteration as end:
        return Done(end.value)
