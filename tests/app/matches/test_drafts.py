"""Drafts and orders when a seat changes hands at the same moment, on SQLite and on PostgreSQL."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import Engine, event
from sqlmodel import select

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches import submissions
from app.matches.access import Place, access_match
from app.matches.drafts import set_draft
from app.matches.submissions import submit_orders
from app.moderation.commands import OPERATOR
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import Forbidden, Stale
from app.platform.services import Services
from app.platform.settings import Settings
from engine.core.refusal import Refusal
from tests.app.kept import NOON
from tests.app.moderating import replace_player
from tests.app.seated import FIRST, late_match, seat
from tests.app.web.test_turn import LAST

MATCH = "latematch2"


@pytest.fixture
def database_with_match(database: Database, tmp_path: Path) -> Database:
    """Ana (1) and Bo (2) play; Cy (3) looks for a seat."""
    with database.session() as session:
        for name in ("Ana", "Bo", "Cy"):
            session.add(tables.Player(name=name))
    seat(Services(Settings(data_dir=tmp_path), database, now=lambda: NOON), late_match(), 1, 2)
    return database


def sits(database: Database, player: int) -> Place:
    with database.look() as session:
        return access_match(session, MATCH, player)


def give_seat_of_ana_to_cy(
    database: Database, begun: Event | None = None, awaited: Event | None = None
) -> None:
    with database.session() as session:
        lock_match_row(session, MATCH)
        if begun and awaited:
            begun.set()
            awaited.wait(10)
        row = session.get_one(tables.Seat, (MATCH, 0))
        row.player_id = 3
        session.add(row)


@contextmanager
def being_replaced(database: Database) -> Iterator[None]:
    """Somebody gives the seat of Ana to Cy, and is done when whoever comes meanwhile asks for the match's row."""
    begun, awaited = Event(), Event()
    other = Thread(target=give_seat_of_ana_to_cy, args=(database, begun, awaited))
    other.start()
    begun.wait(10)

    def listen(*told: Any) -> None:
        if "FOR NO KEY UPDATE" in told[2]:
            awaited.set()

    if database.url.get_backend_name() == "sqlite":  # whoever comes waits before the first question
        awaited.set()
    event.listen(Engine, "before_cursor_execute", listen)
    try:
        yield
    finally:
        event.remove(Engine, "before_cursor_execute", listen)
        awaited.set()
        other.join(10)


def at_the_next_reading(
    database: Database, monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]
) -> None:
    """Does something just before the log is read; on SQLite, where nobody writes meanwhile, at once."""
    if database.url.get_backend_name() == "sqlite":
        act()
        return
    load = load_match

    def later(*source: Any) -> Any:
        monkeypatch.setattr(submissions, "load_match", load)
        act()
        return load(*source)

    monkeypatch.setattr(submissions, "load_match", later)


def give_second_seat_to_ana(database: Database) -> None:
    with database.session() as session:
        row = session.get_one(tables.Seat, (MATCH, 1))
        row.player_id = 1
        session.add(row)


def drafts(database: Database) -> list[tuple[int, list[str]]]:
    with database.look() as session:
        return [(row.seat, row.orders) for row in session.exec(select(tables.Draft))]


def test_a_draft_goes_into_the_seat_of_its_player(database_with_match: Database) -> None:
    here = sits(database_with_match, 1)
    with database_with_match.session() as session:
        set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == [(0, [FIRST])]


def test_who_was_replaced_meanwhile_drafts_nothing(database_with_match: Database) -> None:
    here = sits(database_with_match, 1)
    give_seat_of_ana_to_cy(database_with_match)
    with pytest.raises(Refusal), database_with_match.session() as session:
        set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == []


def test_who_is_being_replaced_waits_and_then_drafts_nothing(
    database_with_match: Database,
) -> None:
    here = sits(database_with_match, 1)
    with (
        being_replaced(database_with_match),
        pytest.raises(Refusal),
        database_with_match.session() as session,
    ):
        set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == []


def test_who_loses_one_of_two_seats_while_waiting_drafts_into_neither(
    database_with_match: Database,
) -> None:
    give_second_seat_to_ana(database_with_match)
    here = sits(database_with_match, 1)
    assert here.seat == 0
    with (
        being_replaced(database_with_match),
        pytest.raises(Stale),
        database_with_match.session() as session,
    ):
        set_draft(session, here, [FIRST], NOON)
    assert drafts(database_with_match) == []


def test_who_is_replaced_before_the_log_is_read_plays_nothing(
    database_with_match: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    def replace() -> None:
        with database_with_match.session() as session:
            replace_player(session, MATCH, OPERATOR, 0, None, "random", "gone", None, NOON)

    at_the_next_reading(database_with_match, monkeypatch, replace)
    with pytest.raises(Refusal):
        submit_orders(database_with_match, MATCH, 1, [LAST], head=None, key=None, at=NOON)
    log = load_match(database_with_match, MATCH).log
    assert type(log[-1].event).__name__ == "SeatReplaced"


def test_who_was_replaced_is_told_that_the_seat_is_gone(database_with_match: Database) -> None:
    give_seat_of_ana_to_cy(database_with_match)
    with pytest.raises(Refusal):
        submit_orders(database_with_match, MATCH, 1, [FIRST], head=None, key=None, at=NOON)
    with database_with_match.session() as session:
        row = session.get_one(tables.Match, MATCH)
        row.public = True
        session.add(row)
    with pytest.raises(Forbidden):
        submit_orders(database_with_match, MATCH, 1, [FIRST], head=None, key=None, at=NOON)
