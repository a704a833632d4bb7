"""PostgreSQL's side of the database: addresses as libpq understands them, and connections that never wait for ever.

Loaded where a database of PostgreSQL is opened, not before: SQLite needs no driver of it.
"""

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
    ReadOnlySqlTransaction,
    TooManyConnections,
)
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from app.platform.database_address import LOCK_PATIENCE, is_pooled, server_address

SILENCE = 30.0  # seconds that a server may say nothing to a statement before we hang up
# What libpq is told unless the address says otherwise: a host that vanished is given up after seconds, not hours.
WATCHFUL = {
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}
T = TypeVar("T")


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
    """A pool of connections that speak UTC and do not wait for ever; `beginning` says how their transactions begin."""
    engine = create_engine(
        server_address(url),
        pool_timeout=LOCK_PATIENCE / 1000,
        connect_args=connect_words(url),
        **options,
    )

    @event.listens_for(engine, "do_connect")
    def connect(_: Any, __: Any, arguments: Any, words: Any) -> Any:
        words.pop("context", None)
        # We begin ourselves: psycopg would set and reset how at every use of the connection.
        return ImpatientConnection.connect(*arguments, autocommit=True, **words)

    return engine


WRITE = "BEGIN"
SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"


def beginning(engine: Engine, words: str, url: URL) -> Engine:
    """The same pool for transactions that begin so."""
    if is_pooled(url):  # behind a pooler a setting of the session would be the next one's too
        words += f"; SET LOCAL lock_timeout = {LOCK_PATIENCE}"
    made = engine.execution_options()
    event.listen(made, "begin", lambda connection: connection.exec_driver_sql(words))
    return made


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


def lost_its_turn(error: DBAPIError) -> bool:
    """Whether somebody else was quicker."""
    return isinstance(error.orig, (LockNotAvailable, DeadlockDetected))


def is_server_away(error: DBAPIError, *, writing: bool) -> bool:
    """Whether it is the server that cannot; a follower that was a leader cannot be written to."""
    if isinstance(error.orig, ReadOnlySqlTransaction):
        return writing
    if isinstance(error.orig, (CannotConnectNow, TooManyConnections, DiskFull)):
        return True
    return isinstance(error.orig, psycopg.OperationalError) and error.statement is None
