"""A service that outgrew its file: everything moves to PostgreSQL, interrupted or not, and every match verifies there."""

from __future__ import annotations

import psycopg
import pytest
from click.testing import CliRunner
from flask import Flask
from sqlalchemy import text

from app.cli.main import main
from app.eventstore.store import MATCH_CACHE, load_match
from app.operations.moving import TABLES, NotMoved, count_rows, move_database
from app.people.sessions import find_or_make_player
from app.platform.database import Database
from app.platform.services import Services
from app.platform.tables import utc_now
from tests.app.kept import kept, wandered
from tests.app.seated import late_match, played, seat, two
from tests.servers import Postgresql


@pytest.fixture
def empty(postgresql: Postgresql) -> str:
    """The address of a database with nothing in it."""
    postgresql.run("DROP DATABASE IF EXISTS moved_to", "CREATE DATABASE moved_to")
    return postgresql.url("moved_to")


@pytest.fixture
def grown_up(app: Flask, services: Services) -> Services:
    """A service with some of everything, which was stopped."""
    two(app, late_match())
    seat(services, played(40), 1, 2)
    kept(services.database, wandered()[20])
    services.database.close()
    return services


def test_everything_arrives_and_numbers_go_on(grown_up: Services, empty: str) -> None:
    keys, steps = grown_up.settings.seed_keys(), list[int]()
    target = Database(empty, keys)
    total = count_rows(grown_up.database)
    grown_up.database.close()
    assert move_database(grown_up.database, target, steps.append) == 3
    assert sum(steps) == total
    before = load_match(grown_up.database, "playedout2")
    MATCH_CACHE.clear()
    after = load_match(target, "playedout2")
    assert (after.hash, after.seeds) == (before.hash, before.seeds)
    with target.session() as session:
        player, made = find_or_make_player(session, "new@example.org", "en", utc_now())
        assert made
        assert (player.id or 0) > 2
    target.close()


def test_a_move_that_broke_off_goes_on_where_it_was(grown_up: Services, empty: str) -> None:
    target = Database(empty, grown_up.settings.seed_keys())
    for breaking in (1, 3, 6):
        left = [breaking]

        def step(_: int, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            move_database(grown_up.database, target, step)
        grown_up.database.close()
    assert move_database(grown_up.database, target, lambda _: None) == 3
    target.close()


def test_a_copy_that_is_not_the_same_is_refused(grown_up: Services, empty: str) -> None:
    target = Database(empty, grown_up.settings.seed_keys())
    move_database(grown_up.database, target, lambda _: None)
    with psycopg.connect(empty, autocommit=True) as connection:
        connection.execute("SET session_replication_role = replica")
        connection.execute("UPDATE event SET data = replace(data, '1', '2') WHERE pos = 9")
    grown_up.database.close()
    with pytest.raises(NotMoved, match="does not verify"):
        move_database(grown_up.database, target, lambda _: None)
    target.close()


def test_a_service_that_runs_is_not_moved(services: Services, empty: str) -> None:
    with services.database.look() as session:
        session.connection()
    source, target = Database(str(services.database.url)), Database(empty)
    with pytest.raises(NotMoved, match="stop the service first"):
        move_database(source, target, lambda _: None)
    for database in (source, target):
        database.close()


def test_the_command_moves_and_verifies(grown_up: Services, empty: str) -> None:
    env = {
        "CHASQUI_DATABASE_URL": str(grown_up.database.url),
        "CHASQUI_SECRET_KEY": grown_up.settings.signing_keys()[0],
    }
    result = CliRunner().invoke(main, ["move", "--to", empty], env=env)
    assert "3 matches verify" in result.output, result.output
    there = {**env, "CHASQUI_DATABASE_URL": empty}
    result = CliRunner().invoke(main, ["verify", "--all"], env=there)
    assert "Sound: 3 matches" in result.output, result.output


def test_verify_all_names_the_match_that_is_not_sound(services: Services) -> None:
    kept(services.database, wandered()[20])
    with services.database.write() as connection:
        connection.execute(text("UPDATE match SET hash = 'x'"))
    services.database.close()
    env = {
        "CHASQUI_DATABASE_URL": str(services.database.url),
        "CHASQUI_SECRET_KEY": services.settings.signing_keys()[0],
    }
    result = CliRunner().invoke(main, ["verify", "--all"], env=env)
    assert result.exit_code == 1
    assert "Match wandering does not verify" in result.output


def test_every_table_is_moved() -> None:
    assert {"event", "match", "player", "outbox"} <= {table.name for table in TABLES}
