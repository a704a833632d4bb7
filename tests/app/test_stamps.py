"""What a turn page shows, by small readings straight from the driver: the same on SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import models, play, signin, stamps
from app.db import Database
from app.services import Services
from app.settings import Settings
from tests.app.kept import NOON
from tests.app.seated import FIRST, late_match, seat

MATCH = "latematch2"


@pytest.fixture
def cookies(database: Database, tmp_path: Path) -> tuple[str, str]:
    """Ana (1) and Bo (2) play, each with a browser."""
    with database.session() as session:
        people = [models.Player(name=name) for name in ("Ana", "Bo")]
        session.add_all(people)
        session.flush()
        ana, bo = (signin.open_session(session, one, NOON) for one in people)
    seat(Services(Settings(data_dir=tmp_path), database, now=lambda: NOON), late_match(), 1, 2)
    return ana, bo


def name(database: Database, cookie: str | None, match_id: str = MATCH) -> str:
    with database.read() as connection:
        return stamps.sealed("key", stamps.shown(connection, match_id, cookie, NOON))


def test_a_draft_changes_the_page_of_its_owner_alone(
    database: Database, cookies: tuple[str, str]
) -> None:
    before = [name(database, cookie) for cookie in (*cookies, None)]
    with database.session() as session:
        play.set_draft(session, play.place(session, MATCH, 1), [FIRST], NOON)
    after = [name(database, cookie) for cookie in (*cookies, None)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]


def test_talk_changes_the_pages_of_the_table(database: Database, cookies: tuple[str, str]) -> None:
    before = [name(database, cookie) for cookie in (*cookies, None)]
    with database.session() as session:
        session.add(models.Talk(match_id=MATCH, player_id=2, text="hello", at=NOON))
    after = [name(database, cookie) for cookie in (*cookies, None)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, False, True]


def test_a_cookie_that_ended_is_nobodys(database: Database, cookies: tuple[str, str]) -> None:
    ana, _ = cookies
    assert name(database, ana) != name(database, None) == name(database, "made up")
    with database.session() as session:
        signin.sign_out(session, ana, NOON)
    assert name(database, ana) == name(database, None)


def test_what_is_not_there_shows_nothing(database: Database, cookies: tuple[str, str]) -> None:
    with database.read() as connection:
        assert stamps.shown(connection, "nosuchmatch", cookies[0], NOON) is None
