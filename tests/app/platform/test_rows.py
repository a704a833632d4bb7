"""Rows read past the session: as models, after what the session has to write, and kept by nobody."""

from __future__ import annotations

import subprocess
import sys

import pytest
from sqlalchemy.orm.exc import UnmappedInstanceError

from app.platform import tables
from app.platform.database import Database
from app.platform.rows import SEATED, load_match_row, load_present_match
from tests.app.kept import NOON


def add_table(database: Database) -> None:
    with database.session() as session:
        session.add(tables.Player(name="Ana"))
        session.flush()
        row = tables.Match(
            id="glanced", game="cuzco", title="A table", seats=2, hash="", deadline=NOON
        )
        row.pace = {"hours": 48}
        session.add(row)
        session.flush()
        session.add(tables.Seat(match_id="glanced", number=0, player_id=1))
        session.add(tables.Seat(match_id="glanced", number=1, bot="greedy"))


def test_a_row_is_what_a_session_would_tell(database: Database) -> None:
    add_table(database)
    with database.look() as session:
        quick, slow = load_match_row(session, "glanced"), session.get_one(tables.Match, "glanced")
        assert quick is not None
        for name in tables.Match.model_fields:
            assert getattr(quick, name) == getattr(slow, name), name


def test_a_seat_without_a_person_has_none(database: Database) -> None:
    add_table(database)
    with database.look() as session:
        seated = SEATED.found(session, match="glanced")
    assert [(seat.number, player and player.name) for seat, player in seated] == [
        (0, "Ana"),
        (1, None),
    ]


def test_what_a_session_has_changed_is_seen(database: Database) -> None:
    add_table(database)
    with database.session() as session:
        session.get_one(tables.Match, "glanced").title = "Another"
        assert load_present_match(session, "glanced").title == "Another"


def test_what_was_glanced_at_cannot_be_kept(database: Database) -> None:
    add_table(database)
    with database.session() as session, pytest.raises(UnmappedInstanceError):
        session.add(load_present_match(session, "glanced"))


def test_what_is_not_there_is_not_found(database: Database) -> None:
    with database.look() as session:
        assert load_match_row(session, "glanced") is None
        with pytest.raises(LookupError):
            load_present_match(session, "glanced")


def test_the_first_thing_that_a_process_does_may_be_a_glance() -> None:
    """SQLAlchemy makes models readable when the first session asks; a page may come before."""
    words = "from app.platform import rows, tables; print(rows.made(tables.Player, ['name'], ['Ana']).name)"
    told = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "Ana"
