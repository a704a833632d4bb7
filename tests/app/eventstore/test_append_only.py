"""The log only grows: whatever SQL goes through the service's own connection, no event changes or goes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from app.eventstore.store import load_entries, load_match
from app.outbox.rows import enqueue_rows
from app.platform.database import Database, grant_service_role
from engine.core.match import Match
from tests.app.kept import NOON, keep, kept, wandered
from tests.servers import Postgresql

ROLE = "service"
ROW = "SELECT match_id, {pos}, act, seat, \"order\", kind, '{{}}', hidden, hash, at FROM event WHERE pos = 1"
ATTACKS = {
    "update": "UPDATE event SET data = '{}' WHERE pos = 1",
    "update of everything": "UPDATE event SET hidden = NOT hidden",
    "update of the key": "UPDATE event SET pos = pos + 1000",
    "delete": "DELETE FROM event WHERE pos = 1",
    "delete of everything": "DELETE FROM event",
    "a second row": f"INSERT INTO event {ROW.format(pos=1)}",
    "upsert": f"INSERT INTO event {ROW.format(pos=1)} AND true "
    "ON CONFLICT (match_id, pos) DO UPDATE SET data = '{}'",
    "delete of the match": "DELETE FROM match",
    "renaming the match": "UPDATE match SET id = 'other'",
    "drop": "DROP TABLE event",
    "another column": "ALTER TABLE event RENAME COLUMN data TO truth",
}
SQLITE_ATTACKS = {
    "insert or replace": f"INSERT OR REPLACE INTO event {ROW.format(pos=1)}",
    "replace": f"REPLACE INTO event {ROW.format(pos=1)}",
    "update or replace": "UPDATE OR REPLACE event SET pos = 2 WHERE pos = 1",
    "update or ignore": "UPDATE OR IGNORE event SET data = '{}'",
    "replace by rowid": "INSERT OR REPLACE INTO event (rowid, match_id) VALUES (1, 'wandering')",
    "text for a number": "INSERT OR REPLACE INTO event " + ROW.format(pos="'1'"),
    "no trigger": "DROP TRIGGER event_is_never_changed",
    "no trigger on delete": "DROP TRIGGER event_is_never_removed",
    "no trigger on insert": "DROP TRIGGER event_is_never_replaced",
    "another trigger": "CREATE TRIGGER undo AFTER INSERT ON match BEGIN DELETE FROM event; END",
    "a trigger of the moment": "CREATE TEMP TRIGGER deaf BEFORE INSERT ON event BEGIN SELECT RAISE(IGNORE); END",
    "a table in front": "CREATE TEMP TABLE event AS SELECT * FROM main.event",
    "renamed": "ALTER TABLE event RENAME TO past",
    "the schema itself": "PRAGMA writable_schema = ON",
    "the schema's rows": "DELETE FROM sqlite_master WHERE type = 'trigger'",
}
POSTGRESQL_ATTACKS = {
    "truncate": "TRUNCATE event",
    "truncate all": "TRUNCATE match CASCADE",
    "merge": "MERGE INTO event USING match ON match.id = match_id WHEN MATCHED THEN DELETE",
    "upsert of nothing": f"INSERT INTO event {ROW.format(pos=9999)} "
    "ON CONFLICT (match_id, pos) DO UPDATE SET data = '{}'",
    "update by cte": "WITH gone AS (DELETE FROM event RETURNING *) SELECT count(*) FROM gone",
    "copy": "COPY event FROM PROGRAM 'cat /etc/passwd'",
}
# What the owner of the tables could do, and the service's role cannot.
OWNER_ATTACKS = {
    "triggers off": "ALTER TABLE event DISABLE TRIGGER ALL",
    "drop trigger": "DROP TRIGGER event_is_never_changed ON event",
    "another function": "CREATE OR REPLACE FUNCTION event_is_never_changed() RETURNS trigger "
    "LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$",
    "as a replica": "SET session_replication_role = replica",
    "a rule": "CREATE RULE never AS ON INSERT TO event DO INSTEAD NOTHING",
    "taking over": f"ALTER TABLE event OWNER TO {ROLE}",
    "the owner's rights": f"GRANT chasqui TO {ROLE}",
    "as the owner": "SET ROLE chasqui",
    "the version": "UPDATE alembic_version SET version_num = '0000'",
    "a lock for ever": "LOCK TABLE event IN ACCESS EXCLUSIVE MODE",
}


def refused(database: Database, attack: str) -> str:
    """What the database answered to an attack that did not succeed."""
    with pytest.raises(DBAPIError) as refusal, database.write() as connection:
        connection.exec_driver_sql(attack)
    return str(refusal.value.orig)


def unharmed(database: Database, match: Match) -> bool:
    """Whether everything is as it was, and more can be added."""
    with database.read() as connection:
        assert tuple(load_entries(connection, match.id, match.game)) == match.log
    keep(database, wandered()[10], match.head)
    return load_match(database, match.id) == wandered()[10]


@pytest.mark.parametrize("attack", ATTACKS.values(), ids=ATTACKS)
def test_the_log_cannot_be_rewritten(service: Database, attack: str) -> None:
    match = kept(service, wandered()[9])
    assert refused(service, attack)
    assert unharmed(service, match)


@pytest.fixture
def service(request: pytest.FixtureRequest, database_url: str) -> Iterator[Database]:
    """The database as the service signs in to it."""
    url = database_url
    if url.startswith("postgresql"):
        server: Postgresql = request.getfixturevalue("postgresql")
        url = url.replace("//chasqui@", f"//{ROLE}@")
        make_role(server, database_url)
    database = Database(url)
    yield database
    database.close()


def make_role(server: Postgresql, url: str) -> None:
    server.run(f"DO $$ BEGIN CREATE ROLE {ROLE} LOGIN; EXCEPTION WHEN duplicate_object THEN END $$")
    owner = Database(url)
    with owner.write() as connection:
        grant_service_role(connection, ROLE)
    owner.close()


def of_kind(kind: str) -> pytest.MarkDecorator:
    """Only one kind of database."""
    return pytest.mark.parametrize("database_url", [kind], indirect=True)


@of_kind("sqlite")
@pytest.mark.parametrize("attack", SQLITE_ATTACKS.values(), ids=SQLITE_ATTACKS)
def test_sqlite_has_more_ways_and_none_works(service: Database, attack: str) -> None:
    match = kept(service, wandered()[9])
    assert refused(service, attack)
    assert unharmed(service, match)


@of_kind("postgresql")
@pytest.mark.parametrize(
    "attack", [*POSTGRESQL_ATTACKS.values(), *OWNER_ATTACKS.values()],
    ids=[*POSTGRESQL_ATTACKS, *OWNER_ATTACKS],
)  # fmt: skip
def test_the_role_of_the_service_cannot_rewrite_the_log(service: Database, attack: str) -> None:
    match = kept(service, wandered()[9])
    assert refused(service, attack)
    assert unharmed(service, match)


@pytest.mark.parametrize("attack", list(ATTACKS.values())[:7], ids=list(ATTACKS)[:7])
def test_triggers_alone_hold_off_the_owner_too(database: Database, attack: str) -> None:
    match = kept(database, wandered()[9])
    if database.url.get_backend_name() == "sqlite":
        unwatched(database)
    answer = refused(database, attack)
    assert "never" in answer or "duplicate key" in answer
    assert unharmed(database, match)


def unwatched(database: Database) -> None:
    """Takes our own watch off the connection, so that only the triggers are left."""
    with database.write() as connection:
        connection.connection.dbapi_connection.set_authorizer(None)


@of_kind("postgresql")
@pytest.mark.parametrize("attack", list(POSTGRESQL_ATTACKS.values())[:5])
def test_triggers_hold_off_the_owner_on_postgresql(database: Database, attack: str) -> None:
    match = kept(database, wandered()[9])
    assert "never changed or removed" in refused(database, attack)
    assert unharmed(database, match)


def test_the_role_of_the_service_can_do_its_work(service: Database) -> None:
    match = kept(service, wandered()[9])
    keep(service, wandered()[10], match.head)
    with service.write() as connection:
        enqueue_rows(connection, "turn", NOON, {"match_id": match.id, "pos": 1})
        count(connection)
    assert load_match(service, match.id) == wandered()[10]


def count(connection: Connection) -> None:
    assert connection.scalar(text("SELECT count(*) FROM outbox")) == 1
    connection.execute(text("DELETE FROM outbox"))
    assert connection.scalar(text("SELECT count(*) FROM outbox")) == 0
