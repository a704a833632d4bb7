"""Incoming mail reads before it writes: what a mail asks for is found out outside of any writing transaction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import Connection

from app.mail.incoming.receive import receive_mail
from app.platform import tables
from app.platform.services import Services
from tests.app.answering import address, answer, letter, table
from tests.app.seated import FIRST, played

MATCH = "playedout2"
COUNTED, ANSWERED = ["INSERT"], ["INSERT", "INSERT"]  # the arrival; the note of the mail, the reply


@pytest.fixture
def ana(services: Services) -> str:
    """Where Ana answers, who begins."""
    return address(services, MATCH, 0, table(services, played(0), "ana", "bo")[0])


@pytest.fixture
def written(services: Services, ana: str, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """For every writing transaction the first words of its statements, as the driver is told them."""
    transactions: list[list[str]] = []
    write = services.database.write

    @contextmanager
    def watched() -> Iterator[Connection]:
        with write() as connection:
            statements: list[str] = []
            transactions.append(statements)
            dbapi = connection.connection.dbapi_connection
            dbapi.set_trace_callback(lambda said: statements.append(said.split()[0]))  # type: ignore[union-attr]
            try:
                yield connection
            finally:
                dbapi.set_trace_callback(None)  # type: ignore[union-attr]

    monkeypatch.setattr(services.database, "write", watched)
    return transactions


@pytest.mark.parametrize(
    "body",
    ["board", "history", "standing", "undo", "go", "> all quoted", "Good morning!", "agree\nend"],
)
def test_what_changes_nothing_writes_the_arrival_and_the_answer(
    services: Services, ana: str, written: list[list[str]], body: str
) -> None:
    assert answer(services, ana, body) in ("told", "refused")
    assert written == [COUNTED, ANSWERED]


def test_a_stranger_is_answered_without_a_look_at_the_match(
    services: Services, ana: str, written: list[list[str]]
) -> None:
    assert answer(services, ana, FIRST, "eve@example.org") == "refused"
    assert written == [COUNTED, ANSWERED]


def test_a_repeat_is_only_counted(services: Services, ana: str, written: list[list[str]]) -> None:
    raw = letter("board", Message_ID="<once@example.org>")
    receive_mail(services, ana, raw, "ana@example.org")
    written.clear()
    assert receive_mail(services, ana, raw, "ana@example.org") == "repeat"
    assert written == [COUNTED]


def test_orders_are_played_in_one_transaction_between_the_two(
    services: Services, ana: str, written: list[list[str]]
) -> None:
    assert answer(services, ana, FIRST) == "played"
    first, played_there, last = written
    assert (first, last) == (COUNTED, ANSWERED)
    assert "INSERT" in played_there


def test_who_was_thought_lost_is_found_by_a_transaction_more(
    services: Services, ana: str, written: list[list[str]]
) -> None:
    with services.database.session() as session:
        session.get_one(tables.Player, 1).bouncing_at = services.now()
    written.clear()
    assert answer(services, ana, "board") == "told"
    assert [written[0], written[-1]] == [COUNTED, ANSWERED]
    assert len(written) == 3
    with services.database.look() as session:
        assert session.get_one(tables.Player, 1).bouncing_at is None
