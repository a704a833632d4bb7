"""The database, SQLite or PostgreSQL: who reads has a snapshot, who writes has one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from psycopg.errors import DeadlockDetected, LockNotAvailable
from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, make_url, text
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from app.errors import Busy
from app.seed_vault import SeedVault
from app.settings import Settings

MIGRATIONS = Path(__file__).parent / "migrations"
PATIENCE = 5000  # milliseconds that a writer waits for its turn
PASSING = (LockNotAvailable, DeadlockDetected)
SOUND_SQLITE = (3, 51, 3)
VAULT = "seed_vault"  # what a connection is asked for where seeds are read or written
TOLD = "told"  # where a session that only looks keeps what the database told it
# Every process that starts may migrate; on PostgreSQL this number lets one of them do it.
MIGRATION_LOCK = 0x43484153
# What only a migration may do: without its triggers, or behind a temporary table, the log could be another.
SCHEMA_CHANGES = {
    code
    for name, code in vars(sqlite3).items()
    if name.startswith(("SQLITE_CREATE_", "SQLITE_DROP_", "SQLITE_ALTER_"))
}


class Database:
    """The way in: `read` and `write` for statements, `look` and `session` for objects."""

    def __init__(self, url: str, seed_keys: Sequence[str] = ()) -> None:
        self.url = address(url)
        self.vault = SeedVault(seed_keys)
        self._writer: Engine | OneWriter
        if self.url.get_backend_name() == "sqlite":
            self._writer = OneWriter(sqlite_engine(self.url, begin_writing, self.vault))
            self._reader = sqlite_engine(self.url, begin_reading, self.vault)
        else:
            self._writer = postgresql_engine(self.url, self.vault)
            self._reader = self._writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database and can change nothing."""
        with patience(), self._reader.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: kept whole when the block ends well, and not at all otherwise.

        Never one inside another: on SQLite the inner one would wait in vain for the outer to end.
        """
        with patience(), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def look(self) -> Iterator[Session]:
        """SQLModel objects to look at: whatever is changed on them is not kept.

        Nothing changes meanwhile, so a glance asks the database each question once.
        """
        seen: dict[str, Any] = {TOLD: {}}
        with self.read() as connection, Session(connection, autoflush=False, info=seen) as session:
            yield session

    @contextmanager
    def session(self) -> Iterator[Session]:
        """SQLModel objects in one writing transaction; `session.connection()` shares it with the store."""
        with self.write() as connection, Session(connection) as session:
            yield session
            session.flush()

    def migrate(self) -> None:
        """Brings the tables up to date; several processes may ask at once."""
        engine = migration_engine(self.url)
        with engine.begin() as connection:
            if connection.dialect.name == "postgresql":
                connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
            command.upgrade(alembic_config(connection), "head")
        engine.dispose()

    def close(self) -> None:
        self._reader.dispose()
        self._writer.dispose()


def open_database(settings: Settings) -> Database:
    """The database of these settings, with the keys to its seeds."""
    return Database(settings.database_url, settings.seed_keys())


def address(url: str) -> URL:
    """The address with the driver that we use; `postgres://` is how some hosts write it."""
    made = make_url(url)
    if made.get_backend_name() in ("postgres", "postgresql"):
        return made.set(drivername="postgresql+psycopg")
    return made


def alembic_config(connection: Connection) -> Config:
    """What Alembic needs to work on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def migration_engine(url: URL) -> Engine:
    """An engine that may change tables; SQLite's foreign keys rest while tables are made anew."""
    if url.get_backend_name() != "sqlite":
        return create_engine(url, poolclass=NullPool)
    make_folder(url)
    engine = create_engine(url, poolclass=NullPool)
    event.listen(engine, "connect", lambda dbapi, _: pragmas(dbapi, foreign_keys="OFF"))
    event.listen(engine, "begin", begin_writing)
    return engine


def postgresql_engine(url: URL, vault: SeedVault) -> Engine:
    """A pool of connections that speak UTC and do not wait for ever."""
    options = f"-c timezone=UTC -c lock_timeout={PATIENCE}"
    return create_engine(
        url,
        pool_timeout=PATIENCE / 1000,
        connect_args={"options": options},
        execution_options={VAULT: vault},
    )


def sqlite_engine(url: URL, begin: Callable[[Connection], None], vault: SeedVault) -> Engine:
    """A pool of connections that either write or can only read."""
    make_folder(url)
    engine = create_engine(
        url, pool_timeout=PATIENCE / 1000, max_overflow=-1, execution_options={VAULT: vault}
    )

    @event.listens_for(engine, "connect")
    def prepare(dbapi: sqlite3.Connection, _: Any) -> None:
        pragmas(dbapi, query_only="ON" if begin is begin_reading else "OFF")
        dbapi.set_authorizer(authorize)

    event.listen(engine, "begin", begin)
    return engine


# Straight to the driver: SQLAlchemy would spend ten times as long on these words as SQLite does.


def begin_reading(connection: Connection) -> None:
    driver(connection).execute("BEGIN")


def begin_writing(connection: Connection) -> None:
    """Takes the lock at once: a transaction that reads first could not be sure to get it later."""
    try:
        driver(connection).execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        raise Busy from error


def driver(connection: Connection) -> sqlite3.Connection:
    dbapi = connection.connection.dbapi_connection
    assert isinstance(dbapi, sqlite3.Connection)  # noqa: S101 - for the type checker
    return dbapi


class OneWriter:
    """SQLite lets one write at a time: the threads of a process queue here and share one connection.

    Who waits is woken at once, where SQLite would let them poll; and a fifth of the time of an act is saved.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine, self._lock = engine, Lock()
        self._connection: Connection | None = None

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        if not self._lock.acquire(timeout=PATIENCE / 1000):
            raise Busy
        try:
            if self._connection is None or self._connection.invalidated:
                self._connection = self._engine.connect()
            with self._connection.begin():
                yield self._connection
        finally:
            self._lock.release()

    def dispose(self) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        self._engine.dispose()


def pragmas(dbapi: sqlite3.Connection, **more: str) -> None:
    """Durable at every commit, readers beside one writer, and we say ourselves when a transaction begins."""
    dbapi.isolation_level = None
    settings = {
        "busy_timeout": PATIENCE,  # first: the others may have to wait too
        "journal_mode": "WAL",
        "synchronous": "FULL",
        "foreign_keys": "ON",
        **more,
    }
    for name, value in settings.items():
        dbapi.execute(f"PRAGMA {name}={value}")


def authorize(action: int, name: str | None, value: str | None, *_: str | None) -> int:
    """Refuses to let a connection of the service pull the guards off the log."""
    unlocked = action == sqlite3.SQLITE_PRAGMA and name == "writable_schema" and value is not None
    return sqlite3.SQLITE_DENY if unlocked or action in SCHEMA_CHANGES else sqlite3.SQLITE_OK


def make_folder(url: URL) -> None:
    if not url.database or url.database == ":memory:":
        raise ValueError("A SQLite database must be a file: a match in memory would be lost.")
    Path(url.database).parent.mkdir(mode=0o700, parents=True, exist_ok=True)


@contextmanager
def patience() -> Iterator[None]:
    """Turns what passes by itself (no turn in time, a server that restarts) into a refusal that says so."""
    try:
        yield
    except PoolTimeout as error:
        raise Busy from error
    except OperationalError as error:
        if error.connection_invalidated or isinstance(error.orig, PASSING):
            raise Busy from error
        raise


def sqlite_warning(version: tuple[int, ...] = sqlite3.sqlite_version_info) -> str | None:
    """What an operator should know about this machine's SQLite, if anything."""
    if version >= SOUND_SQLITE:
        return None
    mine, sound = (".".join(map(str, v)) for v in (version, SOUND_SQLITE))
    return (
        f"SQLite {mine} has a rare fault that can damage a database under load; "
        f"{sound} or newer is free of it. Keep backups."
    )


def grant_service_role(connection: Connection, role: str) -> None:
    """Lets a PostgreSQL role run the service: every table as usual, but the log only to read and add to.

    The owner of the tables migrates; the service signs in as `role`, which cannot switch a trigger off.
    """
    quote = connection.dialect.identifier_preparer.quote
    who, schema = quote(role), quote(connection.scalar(text("SELECT current_schema()")))
    for statement in (
        f"GRANT USAGE ON SCHEMA {schema} TO {who}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {who}",
        f"GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {who}",
        f"REVOKE ALL ON {schema}.event, {schema}.alembic_version FROM {who}",
        f"GRANT SELECT, INSERT ON {schema}.event TO {who}",
        f"GRANT SELECT ON {schema}.alembic_version TO {who}",
    ):
        connection.execute(text(statement))
