"""Migrations: from nothing to today's tables on both databases, all or nothing, whoever asks at once."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, Connection, inspect, text
from sqlmodel import col, select

from app.platform.database import (
    Database,
    known_revisions,
    migration_engine,
    newest_revision,
    sqlite_warning,
)
from app.platform.revisions import alembic_config
from app.platform.tables import (
    NEVER_REUSED,
    ApiToken,
    ModeratorInvitation,
    Outbox,
    Player,
    Table,
    utc_now,
)
from tests.servers import Postgresql


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Database]:
    """A database without a single table."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'new' / 'chasqui.sqlite3'}"
    else:
        server: Postgresql = request.getfixturevalue("postgresql")
        server.run("DROP DATABASE IF EXISTS empty WITH (FORCE)", "CREATE DATABASE empty")
        url = server.url("empty")
    database = Database(url)
    yield database
    database.close()


def tables(database: Database) -> set[str]:
    with database.read() as connection:
        return set(inspect(connection).get_table_names())


def test_migrations_make_exactly_the_tables_of_the_models(database: Database) -> None:
    with migration_engine(database.url).connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Table.metadata) == []
        assert checks(connection) == {
            f"{table.name}.{constraint.name}"
            for table in Table.metadata.tables.values()
            for constraint in table.constraints
            if isinstance(constraint, CheckConstraint)
        }


def checks(connection: Connection) -> set[str]:
    """The checks on columns, which Alembic does not compare."""
    look = inspect(connection)
    return {
        f"{table}.{check['name']}"
        for table in Table.metadata.tables
        for check in look.get_check_constraints(table)
    }


def test_migrating_again_changes_nothing(empty: Database) -> None:
    empty.migrate()
    made = tables(empty)
    empty.migrate()
    assert tables(empty) == made == {*Table.metadata.tables, "alembic_version"}


def test_many_processes_may_migrate_at_once(empty: Database) -> None:
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: empty.migrate(), range(4)))
    assert tables(empty) == {*Table.metadata.tables, "alembic_version"}


def test_a_migration_that_fails_leaves_nothing_behind(
    empty: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    upgrade = command.upgrade

    def break_down(*args: object) -> None:
        upgrade(*args)
        raise RuntimeError("the power is gone")

    monkeypatch.setattr(command, "upgrade", break_down)
    with pytest.raises(RuntimeError):
        empty.migrate()
    assert tables(empty) == set()


def test_there_is_one_line_of_migrations(empty: Database) -> None:
    with migration_engine(empty.url).connect() as connection:
        scripts = ScriptDirectory.from_config(alembic_config(connection))
    assert len(scripts.get_heads()) == 1
    assert scripts.get_heads() == [newest_revision()], "the file's name says its revision"
    assert {script.revision for script in scripts.walk_revisions()} == known_revisions()
    assert len(scripts.get_bases()) == 1


def test_a_number_that_was_given_never_comes_to_mean_another(tmp_path: Path) -> None:
    """SQLite counts on only where a table says so, and a table that is made anew forgets to."""
    database = Database(f"sqlite:///{tmp_path / 'chasqui.sqlite3'}")
    database.migrate()
    with database.read() as connection:
        rows = connection.exec_driver_sql("SELECT name, sql FROM sqlite_master")
        made: dict[str, str | None] = dict(rows.all())  # type: ignore[arg-type]  # rows of two
    database.close()
    counting = {name for name, words in made.items() if words and "AUTOINCREMENT" in words}
    assert counting == {
        table.name
        for table in Table.metadata.tables.values()
        if NEVER_REUSED.items() <= table.dialect_kwargs.items()
    }


def test_tokens_from_before_there_were_scopes_keep_them_all_for_a_year(empty: Database) -> None:
    engine = migration_engine(empty.url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0007")
        connection.execute(text(BEFORE_SCOPES))
        connection.execute(text(THEIR_KEY))
        command.upgrade(alembic_config(connection), "head")
    engine.dispose()
    with empty.look() as session:
        token = session.exec(select(ApiToken)).one()
    assert token.scopes == ["read", "play", "moderate"]
    assert timedelta(days=364) < token.expires_at - utc_now() <= timedelta(days=365)


BEFORE_SCOPES = """
    INSERT INTO player (id, name, language, timezone, mail_preferences, moderator, guest, calendars, created_at)
    VALUES (1, 'Ana', 'en', 'UTC', '{}', false, false, 0, '2020-01-01 00:00:00.000000')
"""
THEIR_KEY = """
    INSERT INTO api_token (id, token_hash, player_id, name, created_at)
    VALUES (1, 'hash', 1, 'bot', '2020-01-01 00:00:00.000000')
"""


def test_invitations_and_questions_of_the_outbox_find_their_new_places(empty: Database) -> None:
    engine = migration_engine(empty.url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), "0007")
        connection.execute(text(BEFORE_SCOPES.replace("'{}'", """'{"festival": false}'""")))
        connection.execute(text(A_MATCH))
        for number, (kind, why) in enumerate(
            (("care", None), ("care", "withdrawn"), ("festival", None)), 1
        ):
            values = {"id": number, "kind": kind, "why": why, "email": f"bo{number}@example.org"}
            connection.execute(text(A_MAIL), values)
        command.upgrade(alembic_config(connection), "head")
    engine.dispose()
    with empty.look() as session:
        invited = session.exec(select(ModeratorInvitation)).all()
        kinds = session.exec(select(Outbox.kind).order_by(col(Outbox.id))).all()
        ana = session.get_one(Player, 1)
    assert [(one.email, one.role, one.settled) for one in invited] == [
        ("bo1@example.org", "owner", None),
        ("bo2@example.org", "owner", "withdrawn"),
    ]
    assert kinds == ["care", "care", "question"]
    assert ana.mail_preferences == {"question": False}


A_MATCH = """
    INSERT INTO match (id, game, title, options, pace, public, status, seats, head, hash, created_at, hints)
    VALUES ('m1', 'cuzco', 'A table', '{}', '{}', false, 'running', 2, 0, '', '2020-01-01 00:00:00.000000', false)
"""
A_MAIL = """
    INSERT INTO outbox (id, match_id, pos, email, kind, number, state, why, payload, tries, not_before, created_at)
    VALUES (:id, 'm1', 0, :email, :kind, 0, 'sent', :why, '{}', 1, '2020-01-01 00:00:00.000000', '2020-01-01 00:00:00.000000')
"""


def test_names_fit_both_databases() -> None:
    """PostgreSQL cuts names at 63 bytes, and would not find the cut ones again."""
    named = [
        str(thing.name)
        for table in Table.metadata.tables.values()
        for thing in (*table.constraints, *table.indexes)
    ]
    assert len(named) == len(set(named))
    assert max(map(len, named)) <= 63


def test_foreign_keys_are_held(database: Database) -> None:
    with pytest.raises(Exception, match=r"(?i)foreign key"), database.write() as connection:
        connection.execute(text("INSERT INTO note VALUES ('nowhere', 0, 'lost')"))


def test_sqlite_is_durable_and_waits_for_its_turn(tmp_path: Path) -> None:
    database = Database(f"sqlite:///{tmp_path / 'chasqui.sqlite3'}")
    names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    for way in (database.read, database.write):
        with way() as connection:
            found = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in names]
        assert found == ["wal", 2, 1, 5000]
    database.close()


def test_an_old_sqlite_is_told_of() -> None:
    assert sqlite_warning((3, 51, 3)) is None
    assert "SQLite 3.40.1 has a rare fault" in (sqlite_warning((3, 40, 1)) or "")


def test_a_database_in_memory_is_refused() -> None:
    for url in ("sqlite://", "sqlite:///:memory:"):
        with pytest.raises(ValueError, match="must be a file"):
            Database(url)


EXPANDED = "0018"  # from here on a version runs on the tables of the next ones


def test_an_older_version_can_write_into_newer_tables(empty: Database) -> None:
    """What was added since must have a default, for who does not know it cannot fill it in."""
    engine = migration_engine(empty.url)
    with engine.begin() as connection:
        command.upgrade(alembic_config(connection), EXPANDED)
        before = {
            name: {column["name"] for column in inspect(connection).get_columns(name)}
            for name in inspect(connection).get_table_names()
        }
        command.upgrade(alembic_config(connection), "head")
        for name, known in before.items():
            for column in inspect(connection).get_columns(name):
                can_be_left_out = column["nullable"] or column["default"] is not None
                assert column["name"] in known or can_be_left_out, (name, column["name"])
    engine.dispose()


def test_there_is_a_way_back_and_forth_again(empty: Database) -> None:
    empty.migrate()
    whole = tables(empty)
    empty.migrate("0014")
    assert "heartbeat" not in tables(empty)
    empty.migrate("0018")
    empty.migrate()
    assert tables(empty) == whole
