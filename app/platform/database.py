"""The database, SQLite or PostgreSQL: who reads has a snapshot, who writes has one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any

from sqlalchemy import URL, Connection, Engine, NullPool, create_engine, event, inspect, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlmodel import Session

from app.platform.database_address import LOCK_PATIENCE, driver_address, server_address
from app.platform.errors import Away, Busy
from app.platform.logging import log
from app.platform.paths import MIGRATIONS
from app.platform.seed_vault import SeedVault
from app.platform.settings import Settings
from app.platform.statements import TOLD

SOUND_SQLITE = (3, 51, 3)
SQLITE_AWAY = (
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
)
VAULT = "seed_vault"  # what a connection is asked for where seeds are read or written


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
        self.url = driver_address(url)
        self.vault = SeedVault(seed_keys)
        self._presence, self._here = Presence(), Reading()
        self._writer: Engine | OneWriter
        if self.is_sqlite:
            self._writer = OneWriter(sqlite_engine(self.url, begin_writing, self.vault))
            self._reader = sqlite_engine(self.url, begin_reading, self.vault)
        else:
            from app.platform.postgresql import postgresql_engine  # noqa: PLC0415 - the driver, where it is used

            self._writer = postgresql_engine(self.url, execution_options={VAULT: self.vault})
            self._reader = self._writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one state of the database and can change nothing, so it is asked each question once.

        Who reads while the same thread reads already sees the same state, unless it wrote something in between.
        """
        with self._presence.patience(writing=False):
            if outer := self._here.shared():
                with self._here.sharing(outer):
                    yield outer
                return
            with self._reader.connect() as connection:
                connection.begin()
                with self._here.sharing(connection.execution_options(**{TOLD: {}})):
                    yield connection
                with suppress(SQLAlchemyError):  # whatever becomes of the connection, it was read
                    connection.commit()  # psycopg forgets its prepared statements when it must roll back

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """One transaction: kept whole when the block ends well, and not at all otherwise.

        Never one inside another: on SQLite the inner one would wait in vain for the outer to end.
        """
        self._here.connection = None  # what is read from now on sees what is written here
        with self._presence.patience(writing=True), self._writer.begin() as connection:
            yield connection

    @contextmanager
    def look(self) -> Iterator[Session]:
        """SQLModel objects to look at: whatever is changed on them is not kept."""
        with self.read() as connection, Session(connection, autoflush=False) as session:
            yield session

    @contextmanager
    def session(self) -> Iterator[Session]:
        """SQLModel objects in one writing transaction; `session.connection()` shares it with the store."""
        with self.write() as connection, Session(connection) as session:
            yield session
            session.flush()

    def migrate(self, to: str = "head") -> None:
        """Brings the tables up to date, or to another revision; several processes may ask at once.

        Who plays meanwhile is not held up for long: a table that is in use for seconds on end lets the migration fail.
        """
        engine = migration_engine(self.url)
        try:
            with engine.begin() as connection:
                if connection.dialect.name == "postgresql":
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
                    connection.execute(text(f"SET LOCAL lock_timeout = {LOCK_PATIENCE}"))
                current = load_revisions(connection)
                if to != "head" or current != {newest_revision()}:
                    from app.platform.revisions import move_tables  # noqa: PLC0415 - most starts find nothing to migrate

                    move_tables(connection, current, to)
        finally:
            engine.dispose()

    @property
    def is_sqlite(self) -> bool:
        return self.url.get_backend_name() == "sqlite"

    def close(self) -> None:
        self._reader.dispose()
        self._writer.dispose()


def open_database(settings: Settings) -> Database:
    """The database of these settings, with the keys to its seeds."""
    return Database(settings.database_url, settings.seed_keys())


def load_revisions(connection: Connection) -> set[str]:
    """The revisions that the tables are at: one, or none before the first migration."""
    if not inspect(connection).has_table("alembic_version"):
        return set()
    return set(connection.execute(text("SELECT version_num FROM alembic_version")).scalars())


@cache
def known_revisions() -> frozenset[str]:
    """The revisions of this version's migrations, by the names of their files: `v0023_lessons.py` is 0023."""
    return frozenset(path.name[1:5] for path in (MIGRATIONS / "versions").glob("v*.py"))


def newest_revision() -> str:
    """The revision that the tables of this version are at."""
    return max(known_revisions())


def migration_engine(url: URL) -> Engine:
    """An engine that may change tables; SQLite's foreign keys rest while tables are made anew."""
    if url.get_backend_name() != "sqlite":
        return create_engine(server_address(url), poolclass=NullPool)
    make_folder(url)
    engine = create_engine(url, poolclass=NullPool)
    event.listen(engine, "connect", lambda dbapi, _: pragmas(dbapi, foreign_keys="OFF"))
    event.listen(engine, "begin", begin_writing)
    return engine


def sqlite_engine(url: URL, begin: Callable[[Connection], None], vault: SeedVault) -> Engine:
    """A pool of connections that either write or can only read."""
    make_folder(url)
    engine = create_engine(
        url, pool_timeout=LOCK_PATIENCE / 1000, max_overflow=-1, execution_options={VAULT: vault}
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
        if not self._lock.acquire(timeout=LOCK_PATIENCE / 1000):
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
        "busy_timeout": LOCK_PATIENCE,  # first: the others may have to wait too
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


class Reading(local):
    """The connection that a thread reads from just now."""

    connection: Connection | None = None

    def shared(self) -> Connection | None:
        found = self.connection
        return None if found is None or found.closed or found.invalidated else found

    @contextmanager
    def sharing(self, connection: Connection) -> Iterator[None]:
        """Lends it to whoever reads inside; after an error to nobody, for its transaction may have failed."""
        before, self.connection = self.connection, connection
        try:
            yield
        except BaseException:
            self.connection = None
            raise
        if self.connection is not None:
            self.connection = before


class Presence:
    """Whether the database is there, told to the log once when it goes and once when it is back."""

    def __init__(self) -> None:
        self.away_since: float | None = None

    @contextmanager
    def patience(self, *, writing: bool) -> Iterator[None]:
        """Turns what passes by itself (no turn in time, a server that is away) into a refusal that says so."""
        try:
            yield
        except PoolTimeout as error:
            raise Busy from error
        except DBAPIError as error:
            if is_taken(error):
                raise Busy from error
            if is_away(error, writing=writing):
                self.note_away(error)
                raise Away from error
            raise
        except Away:
            raise
        else:
            self.note_back()

    def note_away(self, error: DBAPIError) -> None:
        if self.away_since is None:
            self.away_since = monotonic()
            log.error("database away", error=type(error.orig).__name__)

    def note_back(self) -> None:
        if self.away_since is not None:
            log.warning("database back", seconds=round(monotonic() - self.away_since, 1))
            self.away_since = None


def is_taken(error: DBAPIError) -> bool:
    """Whether somebody else was quicker; on SQLite, whose writers queue here, nobody is."""
    if isinstance(error.orig, sqlite3.Error):
        return False
    from app.platform.postgresql import lost_its_turn  # noqa: PLC0415 - the driver, where it is used

    return lost_its_turn(error)


def is_away(error: DBAPIError, *, writing: bool) -> bool:
    """Whether it is the database that cannot, not we who asked wrongly: gone, starting, full, or unreachable.

    That nothing may be written is its fault only where we came to write: a leader that became a follower, a disk
    that was mounted anew.
    """
    if error.connection_invalidated:
        return True
    if isinstance(error.orig, sqlite3.Error):
        code = error.orig.sqlite_errorcode & 0xFF
        return code in SQLITE_AWAY or (code == sqlite3.SQLITE_READONLY and writing)
    from app.platform.postgresql import is_server_away  # noqa: PLC0415 - the driver, where it is used

    return is_server_away(error, writing=writing)


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
        f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {who}",
        *(
            statement
            for part in logs_of(connection)
            for statement in (
                f"REVOKE ALL ON {schema}.{quote(part)} FROM {who}",
                f"GRANT SELECT, INSERT ON {schema}.{quote(part)} TO {who}",
            )
        ),
        f"REVOKE ALL ON {schema}.alembic_version FROM {who}",
        f"GRANT SELECT ON {schema}.alembic_version TO {who}",
    ):
        connection.execute(text(statement))


def logs_of(connection: Connection) -> list[str]:
    """The log's table, and its parts where it was put into parts: whoever may change a part could change the log."""
    parts = "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'event'::regclass ORDER BY 1"
    return ["event", *connection.execute(text(parts)).scalars()]
