"""Orders by mail that cool off: they count after some minutes, unless they are recalled, and nothing is drawn before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from app.mail.compose import compose_mail, text_of_mail
from app.mail.incoming.receive import play_due_orders
from app.platform import tables
from app.platform.services import Services
from tests.app.answering import address, answer, head, outbox, table
from tests.app.browser import Visitor
from tests.app.seated import FIRST, played

MATCH = "playedout2"


@pytest.fixture
def ana(services: Services) -> int:
    """Ana, who wants ten minutes, and begins."""
    first, _ = table(services, played(0), "ana", "bo")
    with services.database.session() as session:
        player = session.get_one(tables.Player, first)
        player.mail_preferences = {"cooling": 10}
        session.add(player)
    return first


def to(services: Services, ana: int) -> str:
    return address(services, MATCH, 0, ana)


def told(services: Services) -> str:
    with services.database.look() as session:
        message = compose_mail(session, services, outbox(services)[-1]).parsed()
    return text_of_mail(message, "plain") or ""


def later(services: Services, minutes: int) -> None:
    at = services.now() + timedelta(minutes=minutes)
    services.now = lambda: at


def test_orders_count_after_their_minutes_and_the_board_is_shown_before(
    services: Services, ana: int
) -> None:
    before = head(services, MATCH)
    assert answer(services, to(services, ana), f"{FIRST}\nend\n\nAna") == "told"
    said = told(services)
    assert outbox(services)[-1].payload["unread"] == ["ana"]
    assert "count in 10 minutes" in " ".join(said.split())
    assert "2 orders wait: the board as it would be" in said
    assert head(services, MATCH) == before
    later(services, 9)
    assert play_due_orders(services) == 0
    later(services, 1)
    assert play_due_orders(services) == 1
    assert play_due_orders(services) == 0
    assert head(services, MATCH) > before
    assert "2 orders were played." in told(services)


@pytest.mark.parametrize("word", ["undo", "stop", "Annuler"])
def test_orders_that_wait_can_be_recalled(services: Services, ana: int, word: str) -> None:
    before = head(services, MATCH)
    answer(services, to(services, ana), FIRST)
    assert answer(services, to(services, ana), word) == "told"
    assert "Your orders are recalled." in told(services)
    later(services, 60)
    assert play_due_orders(services) == 0
    assert head(services, MATCH) == before
    assert answer(services, to(services, ana), word) == "refused"


def test_go_counts_at_once_alone_or_below_the_orders(services: Services, ana: int) -> None:
    answer(services, to(services, ana), FIRST)
    assert answer(services, to(services, ana), "go") == "played"
    assert answer(services, to(services, ana), "draw pile\ngo") == "played"
    later(services, 60)
    assert play_due_orders(services) == 0


def test_nothing_is_drawn_or_shown_before_the_time_has_come(services: Services, ana: int) -> None:
    answer(services, to(services, ana), f"{FIRST}\ndraw pile\nend")
    said = told(services)
    assert "drew" not in said
    with services.database.look() as session:
        row = session.get_one(tables.Cooling, (MATCH, 0))
    assert row.orders == [FIRST, "draw pile", "end"]


def test_what_cannot_be_played_is_refused_at_once(services: Services, ana: int) -> None:
    assert answer(services, to(services, ana), f"{FIRST}\nbuild a1 9") == "refused"
    assert "line 2 cannot be done" in told(services)


def test_a_later_mail_takes_the_place_of_an_earlier_one(services: Services, ana: int) -> None:
    answer(services, to(services, ana), FIRST)
    answer(services, to(services, ana), "place triple g8 g10 h9")
    later(services, 10)
    assert play_due_orders(services) == 1
    assert "g8" in told(services)


def test_nobody_waits_beyond_the_deadline(services: Services, ana: int) -> None:
    with services.database.session() as session:
        row = session.get_one(tables.Match, MATCH)
        row.deadline = services.now() + timedelta(minutes=1)
        session.add(row)
    assert answer(services, to(services, ana), FIRST) == "played"


def test_who_plays_on_the_page_meanwhile_is_told_that_the_orders_came_too_late(
    services: Services, ana: int
) -> None:
    answer(services, to(services, ana), FIRST)
    where = to(services, ana)
    assert answer(services, where, "place triple g8 g10 h9\ngo") == "played"
    later(services, 10)
    assert play_due_orders(services) == 1
    assert "You have moved since" in told(services)


def test_the_minutes_are_chosen_on_the_account_page(client: Visitor) -> None:
    client.sign_in("ana@example.org")
    form = {"name": "Ana", "language": "en", "timezone": "Europe/Paris"}
    assert client.post("/account", {**form, "cooling": "15"}).status_code == 303
    assert 'value="15"' in client.get("/account").text
    assert client.post("/account", {**form, "cooling": "61"}).status_code == 400
    with client.services.database.look() as session:
        assert session.get_one(tables.Player, 1).mail_preferences["cooling"] == 15
