"""The database under stress: who gets no turn, or loses the connection, is told to try again."""

from __future__ import annotations

import pytest
from sqlalchemy import text

from app.platform import database, tables
from app.platform.database import Database
from app.platform.database_address import driver_address
from app.platform.errors import Away, Busy
from tests.app.kept import open_table, wandered
from tests.servers import EVICT, Postgresql


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Writers that wait a twentieth of a second for their turn."""
    monkeypatch.setattr(database, "LOCK_PATIENCE", 50)


@pytest.mark.usefixtures("hurried")
@pytest.mark.parametrize("apart", [True, False])
def test_who_gets_no_turn_is_told_to_try_again(database_url: str, apart: bool) -> None:
    first = Database(database_url)
    second = Database(database_url) if apart else first
    open_table(first, wandered()[0])
    with first.write() as connection:
        rename(connection)
        with pytest.raises(Busy, match="please try again"), second.write() as late:
            rename(late)
    with second.write() as connection:
        rename(connection)
    first.close()
    second.close()


def rename(connection: database.Connection) -> None:
    connection.execute(text("UPDATE match SET title = 'Another'"))


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_a_lost_connection_passes(database: Database, postgresql: Postgresql) -> None:
    open_table(database, wandered()[0])
    name = database.url.database
    assert name is not None

    def lose_it() -> None:
        with database.write() as connection:
            rename(connection)
            postgresql.run(EVICT, name=name or "")

    with pytest.raises(Away):
        lose_it()
    with database.write() as connection:
        rename(connection)
    postgresql.run(EVICT, name=name)  # while it lies in the pool nobody notices
    with database.write() as connection:
        rename(connection)


def test_readers_do_not_wait_for_a_writer(database: Database) -> None:
    open_table(database, wandered()[0])
    with database.write() as connection:
        rename(connection)
        with database.look() as session:
            assert session.get_one(tables.Match, "wandering").title == "A table"


def title(connection: database.Connection) -> str:
    return str(connection.execute(text("SELECT title FROM match")).scalar())


def test_who_reads_while_reading_sees_the_same_state(database: Database, database_url: str) -> None:
    open_table(database, wandered()[0])
    somebody_else = Database(database_url)
    with database.read() as connection:
        assert title(connection) == "A table"
        with somebody_else.write() as other:
            rename(other)
        with database.look() as session:
            assert title(session.connection()) == "A table"
    with database.read() as later:
        assert title(later) == "Another"
    somebody_else.close()


def test_what_was_written_meanwhile_is_read(database: Database) -> None:
    open_table(database, wandered()[0])
    with database.read() as connection:
        assert title(connection) == "A table"
        with database.write() as writing:
            rename(writing)
        with database.read() as again:
            assert title(again) == "Another"
        assert title(connection) == "A table"


def test_after_an_error_nobody_reads_on_in_the_same_transaction(database: Database) -> None:
    open_table(database, wandered()[0])
    with database.read():
        with pytest.raises(Exception, match="nonsense"), database.read() as inner:
            inner.execute(text("nonsense"))
        with database.read() as again:
            assert title(again) == "A table"


def test_an_error_inside_is_not_called_busy(database: Database) -> None:
    with pytest.raises(Exception, match="nonsense"), database.write() as connection:
        connection.execute(text("nonsense"))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_addresses_of_postgresql_are_understood(scheme: str) -> None:
    assert (
        str(driver_address(f"{scheme}://ada@db/chasqui")) == "postgresql+psycopg://ada@db/chasqui"
    )
