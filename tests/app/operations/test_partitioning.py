"""The log in parts: the same events, the same plans, and no part of it can be changed, by whatever name."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest
from click.testing import CliRunner
from sqlalchemy import text

from app.cli.main import main
from app.eventstore.store import MATCH_CACHE, load_match
from app.operations.moving import begun_matches, verify_all
from app.operations.partitioning import NotPartitioned, partition_log
from app.platform.database import Database
from app.platform.tables import Table
from tests.app.kept import keep, kept, wandered
from tests.servers import Postgresql

KEY = "k" * 40
ATTACKS = (
    "UPDATE {table} SET kind = 'x'",
    "DELETE FROM {table}",
    "TRUNCATE {table} CASCADE",
    "UPDATE {table} SET kind = 'x' WHERE false",
)


@pytest.fixture(scope="module")
def addresses(postgresql: Postgresql) -> Iterator[tuple[str, str]]:
    """A database whose log lies in parts, with a match in it: its owner's address, and that of the service's role."""
    url = postgresql.fresh()
    database = Database(url, [KEY])
    kept(database, wandered()[20])
    database.close()
    postgresql.run("CREATE ROLE parted LOGIN")
    env = {"CHASQUI_DATABASE_URL": url, "CHASQUI_SECRET_KEY": KEY}
    told = CliRunner().invoke(main, ["partition", "--parts", "4"], env=env)
    assert "events lie in 4 parts" in told.output, told.output
    assert CliRunner().invoke(main, ["grant", "parted"], env=env).exit_code == 0
    yield url, url.replace("chasqui@", "parted@")
    postgresql.run("DROP OWNED BY parted", name=str(Database(url).url.database))
    postgresql.run("DROP ROLE parted")


@pytest.fixture
def parts(addresses: tuple[str, str]) -> tuple[Database, str]:
    return Database(addresses[0], [KEY]), addresses[1]


def test_a_match_in_parts_is_read_played_on_and_verifies(parts: tuple[Database, str]) -> None:
    database, as_role = parts
    MATCH_CACHE.clear()
    before = wandered()[20]
    assert load_match(database, before.id).hash == before.hash
    role = Database(as_role, [KEY])
    keep(role, wandered()[21], before.head)
    MATCH_CACHE.clear()
    assert load_match(role, before.id).hash == wandered()[21].hash
    assert list(verify_all(role, begun_matches(role))) == [None]
    with pytest.raises(NotPartitioned, match="already"):
        partition_log(database, 4)
    for one in (role, database):
        one.close()


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("table", ["event", "event_0", "event_3"])
def test_no_part_can_be_changed_by_role_or_owner(
    parts: tuple[Database, str], attack: str, table: str
) -> None:
    database, as_role = parts
    owner = str(database.url.set(drivername="postgresql"))
    database.close()
    statement = attack.format(table=table)
    with (
        psycopg.connect(as_role) as connection,
        pytest.raises(psycopg.errors.InsufficientPrivilege),
    ):
        connection.execute(statement)  # type: ignore[arg-type]
    with psycopg.connect(owner) as connection, pytest.raises(psycopg.errors.RestrictViolation):
        connection.execute(statement)  # type: ignore[arg-type]


def test_reading_a_match_touches_one_part(parts: tuple[Database, str]) -> None:
    database, _ = parts
    with database.read() as connection:
        plan = connection.execute(
            text(
                "EXPLAIN SELECT * FROM event WHERE match_id = 'wandering' AND pos > 3 ORDER BY pos"
            )
        ).scalars()
        assert (
            len({word for line in plan for word in line.split() if word.startswith("event_")}) <= 2
        )
    database.close()


def test_every_key_of_the_log_begins_with_the_match() -> None:
    """What Citus, and any other way to spread matches over machines, asks of a table."""
    event = Table.metadata.tables["event"]
    assert next(column.name for column in event.primary_key.columns) == "match_id"
    for index in event.indexes:
        assert not index.unique or "match_id" in index.columns
    assert {key.column.table.name for key in event.foreign_keys} == {"match"}


def test_what_cannot_be_partitioned_is_told(database: Database) -> None:
    with pytest.raises(NotPartitioned):
        partition_log(database, 1)
