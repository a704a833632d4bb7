"""Drafts: whose they are and what may stand in them, also when a seat changes hands at the same moment; on SQLite and PostgreSQL."""

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
from app.matches.drafts import clean_orders, drop_draft, load_draft, preview_draft, set_draft
from app.matches.order_lines import LONGEST_ORDER, MOST_ORDERS
from app.matches.submissions import submit_orders
from app.moderation.commands import OPERATOR
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import Forbidden, Stale
from app.platform.services import Services
from app.platform.settings import Settings
from engine.core.match import Match
from engine.core.refusal import MatchOver, NotUnderstood, Refusal
from engine.core.registry import find, games
from tests.app.kept import NOON, later
from tests.app.moderating import replace_player
from tests.app.seated import FIRST, late_match, played, seat
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


def test_a_submission_says_whether_any_of_it_was_drawn(database_with_match: Database) -> None:
    told = [
        submit_orders(database_with_match, MATCH, 1, orders, head=None, key=None, at=NOON).drew
        for orders in ([LAST], ["draw pile", "end"])
    ]
    assert told == [False, True]


# Whose draft it is, and what may stand in it


def at_another(database: Database, folder: Path, match: Match) -> Place:
    """Ana's place at another table, where she sits with Bo too."""
    seat(Services(Settings(data_dir=folder), database, now=lambda: NOON), match, 1, 2)
    with database.look() as session:
        return access_match(session, match.id, 1)


def test_a_draft_that_is_dropped_leaves_those_of_others_and_of_other_matches(
    database_with_match: Database, tmp_path: Path
) -> None:
    ana, bo = sits(database_with_match, 1), sits(database_with_match, 2)
    elsewhere = at_another(database_with_match, tmp_path, late_match("another2"))
    with database_with_match.session() as session:
        for here in (ana, bo, elsewhere):
            set_draft(session, here, [LAST], NOON)
        drop_draft(session, ana)
    with database_with_match.look() as session:
        left = [load_draft(session, here).orders for here in (ana, bo, elsewhere)]
    assert left == [(), (LAST,), (LAST,)]


def test_a_draft_knows_when_and_at_which_position_it_was_made(
    database_with_match: Database,
) -> None:
    here = sits(database_with_match, 1)
    for minutes in (1, 2):
        with database_with_match.session() as session:
            set_draft(session, here, [LAST, " "], later(minutes))
    with database_with_match.look() as session:
        row = session.exec(select(tables.Draft)).one()
        head = session.get_one(tables.Match, MATCH).head
        assert (row.orders, row.head, row.updated_at) == ([LAST], head, later(2))


def test_what_does_not_run_takes_no_draft(database_with_match: Database, tmp_path: Path) -> None:
    here = sits(database_with_match, 1)
    with database_with_match.session() as session:
        session.get_one(tables.Match, MATCH).status = "paused"
    with pytest.raises(Forbidden, match="paused"), database_with_match.session() as session:
        set_draft(session, here, [LAST], NOON)
    over = at_another(database_with_match, tmp_path, played(10_000, "itisover22"))
    with pytest.raises(MatchOver), database_with_match.session() as session:
        set_draft(session, over, ["end"], NOON)
    assert drafts(database_with_match) == []
    with database_with_match.look() as session:
        assert load_draft(session, over).orders == ()


def test_orders_are_a_list_of_lines_and_so_many_of_so_many_letters() -> None:
    longest = "x" * LONGEST_ORDER
    assert clean_orders(["end"] * MOST_ORDERS) == ["end"] * MOST_ORDERS
    assert clean_orders([longest, " ", ""]) == [longest]
    for wrong in ("end", None, ["end", 1], ["end"] * (MOST_ORDERS + 1), ["end", longest + "x"]):
        with pytest.raises(NotUnderstood):
            clean_orders(wrong)


def test_a_preview_stops_before_what_draws_and_names_what_was_not_tried() -> None:
    match = late_match()
    drawn = preview_draft(match, 0, [LAST, "draw pile", "end"])
    assert (drawn.waiting, drawn.problem, drawn.planned) == (("draw pile", "end"), None, False)
    refused = preview_draft(match, 0, [LAST, "fly", "end"])
    assert (refused.line, refused.waiting, refused.planned) == (2, ("fly", "end"), False)
    assert refused.shown.state != match.state  # the first was thought


def test_a_plan_says_that_it_is_one_and_what_was_not_tried() -> None:
    match = late_match()
    nonsense = preview_draft(match, 1, [LAST, "fly"])
    assert (nonsense.line, nonsense.waiting, nonsense.planned) == (2, (LAST, "fly"), True)
    drawn = preview_draft(match, 1, [LAST, "draw pile", "end"])
    assert (drawn.waiting, drawn.planned, drawn.doubt) == (("draw pile", "end"), True, None)
    doubtful = preview_draft(match, 1, [LAST, LAST, "end"])
    assert (doubtful.waiting, doubtful.planned) == ((LAST, "end"), True)
    assert doubtful.doubt
    assert doubtful.doubt[0] == 2
    whole = preview_draft(match, 1, [LAST])
    assert (whole.waiting, whole.planned, whole.problem) == ((), True, None)
    assert whole.ahead.state != match.state


def test_a_plan_of_nothing_shows_the_board_as_it_lies() -> None:
    match = late_match()
    empty = preview_draft(match, 1, [])
    assert empty.shown.state == match.state
    assert empty.ahead.state != match.state  # the next order is chosen as if it were their turn
    over = preview_draft(played(10_000), 1, ["end"])
    assert (over.waiting, over.planned) == (("end",), True)


@pytest.mark.parametrize("key", games())
def test_after_the_end_nobody_plans_on(key: str) -> None:
    over = played(10_000, key=key, seats=find(key).seats[0])
    ahead = preview_draft(over, 0, []).ahead
    assert (ahead.hash, list(over.game.legal(ahead.state, 0))) == (over.hash, [])
