"""Drafts when a seat changes hands at the same moment, on SQLite and on PostgreSQL."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest
from sqlmodel import select

from app import models, play
from app.db import Database
from app.errors import Forbidden
from app.play import Place
from app.services import Services
from app.settings import Settings
from engine.core.refusal import Refusal
from tests.app.kept import NOON
from tests.app.seated import FIRST, late_match, seat

MATCH = "latematch2"


@pytest.fixture
def database_with_match(database: Database, tmp_path: Path) -> Database:
    """Ana (1) and Bo (2) play; Cy (3) looks for a seat."""
    with database.session() as session:
        for name in ("Ana", "Bo", "Cy"):
            session.add(models.Player(name=name))
    seat(Services(Settings(data_dir=tmp_path), database, now=lambda: NOON), late_match(), 1, 2)
    return database


def sits(database: Database, player: int) -> Place:
    with database.look() as session:
        return play.place(session, MATCH, player)


def give_seat_of_ana_to_cy(database: Database, begun: Event | None = None) -> None:
    with database.session() as session:
        play.take_turn(session, MATCH)
        if begun:
            begun.set()
        row = session.get_one(models.Seat, (MATCH, 0))
        row.player_id = 3
        session.add(row)


def drafts(database: Database) -> list[tuple[int, list[str]]]:
    with database.look() as session:
        return [(row.seat, row.orders) for row in session.exec(select(models.Draft))]


def test_a_draft_goes_into_the_seat_of_its_player(database_with_match: Database) -> None:
    here = sits(database_with_match, 1)
    with database_with_match.session() as session:
        play.set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == [(0, [FIRST])]


def test_who_was_replaced_meanwhile_drafts_nothing(database_with_match: Database) -> None:
    here = sits(database_with_match, 1)
    give_seat_of_ana_to_cy(database_with_match)
    with pytest.raises(Refusal), database_with_match.session() as session:
        play.set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == []


def test_who_is_being_replaced_waits_and_then_drafts_nothing(
    database_with_match: Database,
) -> None:
    here, begun = sits(database_with_match, 1), Event()
    other = Thread(target=give_seat_of_ana_to_cy, args=(database_with_match, begun))
    other.start()
    begun.wait(10)
    with pytest.raises(Refusal), database_with_match.session() as session:
        play.set_draft(session, here, [FIRST], NOON)
    other.join(10)
    assert drafts(database_with_match) == []


def test_who_was_replaced_is_told_that_the_seat_is_gone(database_with_match: Database) -> None:
    give_seat_of_ana_to_cy(database_with_match)
    with pytest.raises(Refusal):
        play.submit(database_with_match, MATCH, 1, [FIRST], None, None, NOON)
    with database_with_match.session() as session:
        row = session.get_one(models.Match, MATCH)
        row.public = True
        session.add(row)
    with pytest.raises(Forbidden):
        play.submit(database_with_match, MATCH, 1, [FIRST], None, None, NOON)
