"""What a turn page shows, by small readings straight from the driver: the same on SQLite and PostgreSQL."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.http.page_fingerprint import load_shown, seal_fingerprint
from app.matches.access import access_match
from app.matches.drafts import set_draft
from app.people.sessions import open_session, sign_out
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from tests.app.kept import NOON
from tests.app.seated import FIRST, late_match, seat

MATCH = "latematch2"


@pytest.fixture
def cookies(database: Database, tmp_path: Path) -> tuple[str, str]:
    """Ana (1) and Bo (2) play, each with a browser."""
    with database.session() as session:
        people = [tables.Player(name=name) for name in ("Ana", "Bo")]
        session.add_all(people)
        session.flush()
        ana, bo = (open_session(session, one, NOON) for one in people)
    seat(Services(Settings(data_dir=tmp_path), database, now=lambda: NOON), late_match(), 1, 2)
    return ana, bo


def name(database: Database, cookie: str | None, match_id: str = MATCH) -> str:
    with database.read() as connection:
        return seal_fingerprint("key", load_shown(connection, match_id, cookie, NOON))


def test_a_draft_changes_the_page_of_its_owner_alone(
    database: Database, cookies: tuple[str, str]
) -> None:
    before = [name(database, cookie) for cookie in (*cookies, None)]
    with database.session() as session:
        set_draft(session, access_match(session, MATCH, 1), [FIRST], NOON)
    after = [name(database, cookie) for cookie in (*cookies, None)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, True, True]


def test_talk_changes_the_pages_of_the_table(database: Database, cookies: tuple[str, str]) -> None:
    before = [name(database, cookie) for cookie in (*cookies, None)]
    with database.session() as session:
        session.add(tables.Talk(match_id=MATCH, player_id=2, text="hello", at=NOON))
    after = [name(database, cookie) for cookie in (*cookies, None)]
    assert [a == b for a, b in zip(before, after, strict=True)] == [False, False, True]


def test_a_cookie_that_ended_is_nobodys(database: Database, cookies: tuple[str, str]) -> None:
    ana, _ = cookies
    assert name(database, ana) != name(database, None) == name(database, "made up")
    with database.session() as session:
        sign_out(session, ana, NOON)
    assert name(database, ana) == name(database, None)


def test_what_is_not_there_shows_nothing(database: Database, cookies: tuple[str, str]) -> None:
    with database.read() as connection:
        assert load_shown(connection, "nosuchmatch", cookies[0], NOON) is None
