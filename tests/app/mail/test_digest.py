"""The digest: once a day, in the morning where its reader lives, about everything that waits."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from sqlmodel import select

from app.outbox.mail_preferences import next_digest_time
from app.platform import tables
from app.platform.tables import Player
from tests.app.browser import Visitor, letters
from tests.app.seated import late_match, my_id, two
from workers.relay import drain

EVENING = datetime(2026, 3, 28, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "at", "morning"),
    [
        ("UTC", EVENING, datetime(2026, 3, 29, 7, tzinfo=UTC)),
        ("UTC", EVENING.replace(hour=6), datetime(2026, 3, 28, 7, tzinfo=UTC)),
        ("UTC", EVENING.replace(hour=7), datetime(2026, 3, 29, 7, tzinfo=UTC)),
        ("America/Lima", EVENING, datetime(2026, 3, 29, 12, tzinfo=UTC)),
        ("Europe/Paris", EVENING, datetime(2026, 3, 29, 5, tzinfo=UTC)),  # summer begins that night
    ],
)
def test_it_is_due_at_seven_where_the_player_lives(
    zone: str, at: datetime, morning: datetime
) -> None:
    player = Player(name="Ana", timezone=zone, mail_preferences={"digest": True})
    assert next_digest_time(player, at) == morning
    player.mail_preferences = {}
    assert next_digest_time(player, at) is None


def wants_digest(visitor: Visitor, at: datetime) -> None:
    visitor.services.now = lambda: at
    form = {"name": "Ana", "language": "en", "timezone": "UTC", "mails": ["digest"]}
    assert visitor.post("/account", form).status_code == 303


def test_one_mail_a_morning_tells_of_every_match(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    for visitor in (ana, bo):
        wants_digest(visitor, EVENING)
    assert letters(ana.services, "ana@example.org") == []
    ana.services.now = lambda: EVENING + timedelta(hours=12)
    for _ in range(3):
        drain(ana.services)
    (mine,), (his,) = (letters(ana.services, f"{n}@example.org") for n in ("ana", "bo"))
    assert mine.subject == "1 match waits for you"
    assert "You are awaited." in mine.text
    assert f"{where}/play" in mine.text
    assert "List-Unsubscribe-Post" in mine.source
    assert his.subject == "Your matches: nobody waits for you"
    assert "Waiting for Ana" in his.text
    ana.services.now = lambda: EVENING + timedelta(hours=36)
    assert len(letters(ana.services, "ana@example.org")) == 2


def test_of_nothing_nothing_is_told(app: Flask) -> None:
    _, ana, _ = two(app, late_match())
    wants_digest(ana, EVENING)
    with ana.services.database.session() as session:
        for row in session.exec(select(tables.Match)):
            row.status = "paused"
            session.add(row)
    ana.services.now = lambda: EVENING + timedelta(hours=12)
    assert letters(ana.services, "ana@example.org") == []
    with ana.services.database.look() as session:
        row = session.exec(select(tables.Outbox)).one()
    assert (row.kind, row.state, row.why) == ("digest", "dropped", "nothing")
    assert my_id(ana) == row.player_id
