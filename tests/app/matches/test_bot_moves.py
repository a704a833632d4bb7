"""Bots at tables: they are given seats, move soon, stand in and hand back, and advise where it is allowed."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from app.matches import bot_moves
from app.matches.access import access_match
from app.matches.bot_moves import consider_order, may_ask_advice, move_bots, think_on
from app.matches.drafts import Preview
from app.matches.participants import load_seats
from app.matches.tables import create_demo
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import Stale
from app.platform.services import EXTENSION_KEY, Services
from engine.core import record
from engine.core.bot import Bot
from engine.core.game import Game
from engine.core.match import start
from engine.core.registry import games
from tests.app.api.test_races import at_once
from tests.app.browser import Visitor
from tests.app.kept import stored
from tests.app.moderating import resign_seat
from tests.app.service import FIRST, NOON, Service
from workers import bots as worker


@pytest.fixture
def service(database: Database, tmp_path: Path) -> Service:
    made = Service(database, tmp_path)
    made.people("ana", "bea")
    return made


def services_of(service: Service) -> Services:
    found: Services = service.app.extensions[EXTENSION_KEY]
    return found


def later(service: Service, seconds: float = 60) -> None:
    moment = services_of(service).now() + timedelta(seconds=seconds)
    services_of(service).now = lambda: moment


def against_bot(service: Service, bot: str = "random") -> tuple[str, int]:
    """A match of Ana against a bot, and the bot's seat."""
    match_id = service.open_table("ana", "me", {"bot": bot})
    seat = 1 - service.get("ana", f"/matches/{match_id}")["my_seat"]
    return match_id, seat


def bots_turn(service: Service) -> tuple[str, int]:
    """A match in which the bot is asked."""
    match_id, seat = against_bot(service)
    if stored(service, match_id).game.to_act(stored(service, match_id).state) != (seat,):
        assert service.order("ana", match_id, FIRST, "end").status_code == 200
    return match_id, seat


def test_a_table_with_bots_begins_at_once(service: Service) -> None:
    match_id, seat = against_bot(service)
    told = service.get("ana", f"/matches/{match_id}")
    assert told["status"] == "running"
    assert told["seats"][seat]["bot"] == "random"


@pytest.mark.parametrize(
    ("seats", "status"),
    [
        ([{"bot": "random"}, {"bot": "random"}], 404),
        (["me", {"bot": "clever"}], 404),
        (["me", {"bot": 5}], 400),
    ],
)
def test_tables_that_cannot_be(service: Service, seats: list[Any], status: int) -> None:
    before = service.contents()
    service.post("ana", "/matches", {"game": "cuzco", "seats": seats}, status)
    assert service.contents() == before


def test_a_bot_moves_after_a_little_while(service: Service) -> None:
    match_id, seat = bots_turn(service)
    head = stored(service, match_id).head
    assert worker.play(services_of(service)) == 0  # people like to see it happen
    later(service)
    assert worker.play(services_of(service)) > 0
    match = stored(service, match_id)
    assert {entry.seat for entry in match.log if entry.pos > head and entry.seat is not None} == {
        seat
    }
    assert seat not in match.game.to_act(match.state)
    assert record.verify(record.read(record.export(match))).sound
    assert worker.play(services_of(service)) == 0


def test_of_several_workers_one_moves(service: Service) -> None:
    match_id, _ = bots_turn(service)

    def move(_: int) -> int | None:
        try:
            return move_bots(service.database, match_id, NOON)
        except Stale:
            return None

    moved = [orders for orders in at_once(4, move) if orders]
    assert len(moved) == 1
    assert record.verify(record.read(record.export(stored(service, match_id)))).sound


def test_a_person_is_written_to_when_the_bot_has_moved(service: Service) -> None:
    match_id, _ = bots_turn(service)
    later(service)
    worker.play(services_of(service))
    mails = service.get("ana", f"/matches/{match_id}/mails")["mails"]
    assert mails[-1]["kind"] in ("turn", "question")


def test_a_broken_bot_does_not_stop_the_table(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _ = bots_turn(service)

    def broken(*_: Any) -> Any:
        raise RuntimeError("I am broken")

    def found(_game: Game, _key: object) -> Bot:
        return broken

    monkeypatch.setattr(bot_moves, "find_bot", found)
    assert move_bots(service.database, match_id, NOON) > 0


def test_a_bot_plays_on_for_a_seat_that_was_given_up(service: Service) -> None:
    match_id = service.running("ana", "bea")
    with service.database.session() as session:
        resign_seat(session, match_id, service.ids["bea"], "no time", None, NOON)
        assert session.get_one(tables.Match, match_id).status == "running"
        seats = load_seats(session, match_id)
        assert [seat.bot is None for seat in seats].count(True) == 1
    later(service)
    worker.play(services_of(service))
    match = stored(service, match_id)
    (asked,) = match.game.to_act(match.state)
    assert service.get("ana", f"/matches/{match_id}")["my_seat"] == asked


def test_advice_is_for_those_who_play_alone_or_agreed_on_it(service: Service) -> None:
    alone, _ = against_bot(service)
    together = service.running("ana", "bea")
    agreed = service.open_table("ana", "me", {"email": "bea@example.com"}, hints=True)
    service.post("bea", f"/matches/{agreed}/join")
    with service.database.look() as session:
        for match_id, allowed in ((alone, True), (together, False), (agreed, True)):
            here = access_match(session, match_id, service.ids["ana"])
            row = session.get_one(tables.Match, match_id)
            assert may_ask_advice(session, row, here) is allowed


def test_the_demo_has_a_bot_and_its_page_gives_a_suggestion(app: Any, client: Visitor) -> None:
    where = client.post("/demo").headers["Location"]
    page = client.get(where).text
    assert "(bot)" in page
    services: Services = app.extensions[EXTENSION_KEY]
    if "to play" in page and "It is your turn." not in page:
        worker.play(Services(services.settings, services.database, now=tomorrow(services)))
    hint = client.get(f"{where}/hint")
    assert hint.status_code == 303
    order = hint.headers["Location"]
    assert "order=" in order
    page = client.get(order).text
    assert 'id="typed"' in page
    told = client.get(f"{where}/hint", headers={"Accept": "application/json"}).json
    assert re.search(
        r": [+−][0-9]", told["why"]
    )  # a reason, and what it counts in the bot's own measure


def tomorrow(services: Services) -> Any:
    at = services.now() + timedelta(days=1)
    return lambda: at


@pytest.mark.parametrize("key", games())
def test_the_demo_of_every_game_fills_its_table(service: Service, key: str) -> None:
    with service.database.session() as session:
        player = session.get_one(tables.Player, service.ids["ana"])
        row = create_demo(session, player, NOON, key, "random")
        assert row.status == "running"


@pytest.mark.parametrize("key", games())
def test_a_bot_is_shown_what_its_own_seat_sees(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """At the table and when it advises: with more, its orders would tell what others hold."""
    shown: list[tuple[Any, int]] = []

    def curious(_game: Any, view: Any, legal: Any, _dice: Any) -> Any:
        shown.append((view, legal[0].seat))
        return legal[0]

    monkeypatch.setattr(bot_moves, "find_bot", lambda _game, _key: curious)
    monkeypatch.setattr(bot_moves, "MOST_ORDERS", 9)
    game = games()[key]
    match = start(game, game.seats[-1], {}, "seed")
    after, _ = think_on(match, dict.fromkeys(range(4), "steady"))
    asked, *_ = game.to_act(after.state)
    consider_order(Preview(after, after, ()), asked)
    assert [view.seat for view, _ in shown] == [seat for _, seat in shown]
    assert shown[-1] == (game.view(after.state, asked), asked)
    assert len(shown) > 1
