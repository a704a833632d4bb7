"""How much one account may have going on: matches against bots, records, and the processor's time for its bots."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.matches import bot_moves, quotas
from app.matches.bot_moves import (
    asked_bot,
    load_bot_seats,
    load_waiting_matches,
    move_bots,
    think_on,
)
from app.matches.bot_names import check_bot
from app.matches.quotas import MOST_BOT_MATCHES
from app.platform import tables
from app.platform.cpu_budget import OverBudget, cpu_budget
from app.platform.database import Database
from app.platform.errors import Forbidden
from app.platform.services import EXTENSION_KEY, Services
from engine.core import record
from engine.core.match import Match, start
from engine.core.playout import random_match
from engine.core.registry import find
from tests.app.browser import Visitor
from tests.app.moderating import close_match
from tests.app.seated import played
from tests.app.service import NOON, Service, code
from workers import bots as worker

BOT = {"bot": "random"}


pytestmark = pytest.mark.people("ana", "bea")


# How many at a time


def test_an_account_has_so_many_matches_against_bots_and_no_more(service: Service) -> None:
    made = [service.open_table("ana", "me", BOT) for _ in range(MOST_BOT_MATCHES)]
    before = service.contents()
    response = service.call("ana", "POST", "/matches", json={"game": "cuzco", "seats": ["me", BOT]})
    assert (response.status_code, code(response)) == (429, "rate")
    assert "20 matches against bots under way; 20 are the most" in response.text
    assert service.contents() == before
    service.open_table("ana", "me", "me")  # what needs no bot is not counted
    service.open_table("bea", "me", BOT)
    with service.database.session() as session:
        close_match(session, made[0], service.ids["ana"], "enough", None, NOON)
    service.open_table("ana", "me", BOT)


def test_a_guest_may_try_every_game_and_has_six_matches_at_a_time(client: Visitor) -> None:
    every = ("cuzco", "java", "tahuantinsuyu", "inka")
    ways = (*({"game": key} for key in every), {}, {"against": "myself"})
    assert [client.post("/demo", way).status_code for way in ways] == [303] * 6
    refused = client.post("/demo")
    assert refused.status_code == 429
    assert "guests have at most 6 at a time" in refused.text
    guest = client
    guest.sign_in("ana@example.org")  # and stays who they are, with more room
    assert guest.post("/demo").status_code == 303


def sent(service: Service, text: bytes) -> Any:
    return service.call("ana", "POST", "/records", data=text)


def test_an_account_takes_in_so_many_records(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(quotas, "MOST_IMPORTS", 2)
    monkeypatch.setattr(quotas, "IMPORTS_A_DAY", 3)
    running, over = (written(match) for match in (played(3), finished()))
    assert [sent(service, running).status_code for _ in range(3)] == [201, 201, 429]
    assert sent(service, over).status_code == 201  # it is under way no more
    refused = sent(service, over)
    assert refused.status_code == 429
    assert "3 records within a day; 3 are the most" in refused.text
    services: Services = service.app.extensions[EXTENSION_KEY]
    services.now = lambda: NOON + timedelta(days=1)
    assert sent(service, over).status_code == 201


def written(match: Match) -> bytes:
    return record.text(record.export(match)).encode()


def finished() -> Match:
    return random_match(find("inka"), 2, 1)


# The processor's time


def test_code_that_never_ends_is_stopped_when_its_time_is_spent() -> None:
    with pytest.raises(OverBudget), cpu_budget(0.01):
        endless()


def test_what_ends_in_time_is_left_alone() -> None:
    for _ in range(200):
        with cpu_budget(60):
            pass


def test_waiting_costs_nothing_of_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    worked = iter([0.0, *[0.0] * 5, 1.0])
    monkeypatch.setattr("app.platform.cpu_budget._clock_of", lambda _: lambda: next(worked))
    with pytest.raises(OverBudget), cpu_budget(0.001):
        endless()
    assert list(worked) == []


def endless(*_: Any) -> Any:
    while True:
        pass


def test_a_bot_that_thinks_too_long_gives_way_to_chance_and_the_table_goes_on(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_moves, "find_bot", lambda _game, _key: endless)
    monkeypatch.setattr(bot_moves, "ORDER_SECONDS", 0.01)
    game = find("cuzco")
    match = start(game, 2, {}, "seed")
    monkeypatch.setattr(bot_moves, "MOST_ORDERS", 3)
    after, orders = think_on(match, dict.fromkeys(range(2), "keen"))
    assert orders == 3
    assert record.verify(record.read(record.export(after))).sound


def test_of_a_turn_that_takes_too_long_the_rest_comes_after_the_others(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot_moves, "TURN_SECONDS", -1.0)
    match_id = service.open_table("ana", "me", BOT)
    if not bot_asked(service, match_id):
        monkeypatch.setattr(bot_moves, "TURN_SECONDS", 5.0)
        assert service.order("ana", match_id, "place triple e14 e16 d15", "end").status_code == 200
        monkeypatch.setattr(bot_moves, "TURN_SECONDS", -1.0)
    head = load_match(service.database, match_id).head
    assert move_bots(service.database, match_id, NOON + timedelta(minutes=1)) == 1
    assert load_match(service.database, match_id).head > head
    with service.database.look() as session:
        row = session.get_one(tables.Match, match_id)
        asked = bot_asked(service, match_id)
        assert row.bot_at == (NOON + timedelta(minutes=1) if asked else None)
        assert asked, "the first order of a turn does not end it"


def bot_asked(service: Service, match_id: str) -> bool:
    match = load_match(service.database, match_id)
    with service.database.look() as session:
        return asked_bot(match, load_bot_seats(session, match_id)) is not None


def put_waiting(database: Database, owner: str, number: int, minute: int) -> str:
    """A match of somebody in which a bot has waited since then."""
    name = f"{owner}{number:02}"
    with database.session() as session:
        known = select(tables.Player).where(tables.Player.name == owner)
        player = session.exec(known).one_or_none()
        if player is None:
            player = tables.Player(name=owner, guest=owner.startswith("guest"))
            session.add(player)
            session.flush()
        row = tables.Match(id=name, game="cuzco", title="-", seats=2, hash="", owner_id=player.id)
        row.status, row.bot_at = "running", NOON + timedelta(minutes=minute)
        session.add(row)
    return name


def test_whoever_has_many_bots_keeps_nobody_waiting(database: Database) -> None:
    """Each owner in turn; all guests together are one of them."""
    for number in range(6):
        put_waiting(database, "ana", number, number)
    put_waiting(database, "bea", 0, 10)
    for number in range(3):
        put_waiting(database, f"guest{number}", 0, 5 + number)
    with database.look() as session:
        found = load_waiting_matches(session, NOON + timedelta(hours=1), 6)
    assert found == ["ana00", "guest000", "bea00", "ana01", "guest100", "ana02"]


def test_a_sweep_ends_when_its_time_is_spent(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(3):
        put_waiting(service.database, "cleo", number, -10)
    seen = list[str]()
    monkeypatch.setattr(
        worker, "move_bots", lambda _database, match_id, _at: seen.append(match_id) or 1
    )
    monkeypatch.setattr(worker, "SWEEP_SECONDS", -1.0)
    assert worker.play(service.app.extensions[EXTENSION_KEY]) == 0
    monkeypatch.setattr(worker, "SWEEP_SECONDS", 30.0)
    assert worker.play(service.app.extensions[EXTENSION_KEY]) == 3
    assert seen == ["cleo00", "cleo01", "cleo02"]


def test_a_bot_that_thinks_for_seconds_is_not_for_guests() -> None:
    guest, member = tables.Player(name="Gus", guest=True), tables.Player(name="Ana")
    check_bot(find("cuzco"), "master", member)
    check_bot(find("cuzco"), "keen", guest)
    with pytest.raises(Forbidden, match="sign in to play against this one"):
        check_bot(find("cuzco"), "master", guest)
