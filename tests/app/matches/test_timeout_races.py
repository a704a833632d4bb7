"""Players and sweepers at the same moment, on both databases: one comes first, and nothing is torn."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.platform import tables
from app.platform.database import Database
from app.platform.services import EXTENSION_KEY
from tests.app import sleepers
from tests.app.matches.test_standing_orders import PEOPLE, PROPOSE, feast, stand
from tests.app.service import FIRST, NOON, Service
from workers.deadlines import sweep

LATER = NOON + timedelta(hours=1)


@pytest.fixture
def service(database: Database, tmp_path: Path) -> Service:
    made = Service(database, tmp_path)
    made.people("owner", *PEOPLE)
    return made


def test_an_order_at_the_last_moment_and_the_sweep_agree_on_who_was_first(service: Service) -> None:
    pace = {"hours": 1, "bank_hours": 0, "reminders": [], "on_timeout": "bot"}
    for number in range(4):
        service.app.extensions[EXTENSION_KEY].now = lambda: NOON
        match_id = service.open_table("owner", "me", "me", pace=pace)
        service.app.extensions[EXTENSION_KEY].now = lambda: LATER

        def play(number: int = number, match_id: str = match_id) -> int:
            lines = [FIRST, "end"] if number % 2 else [FIRST]
            return service.order("owner", match_id, *lines).status_code

        with ThreadPoolExecutor(4) as pool:
            played = pool.submit(play)
            swept = [pool.submit(sweep, service.app.extensions[EXTENSION_KEY]) for _ in range(3)]
            assert sum(future.result() for future in swept) <= 1
        stood_in = check_clocks(service, match_id)
        assert played.result() == 200 or (stood_in and played.result() == 409)


def check_clocks(service: Service, match_id: str) -> bool:
    """Whoever is asked has a running clock or a bot, and nobody else has; whether a bot stood in."""
    match = load_match(service.database, match_id)
    asked = match.game.to_act(match.state)
    kinds = [type(entry.event).__name__ for entry in match.log]
    assert kinds.count("StoodIn") <= 1
    with service.database.look() as session:
        for clock in session.exec(select(tables.Clock).where(tables.Clock.match_id == match_id)):
            bot = session.get_one(tables.Seat, (match_id, clock.seat)).bot
            assert (clock.phase == "turn") == (clock.seat in asked and bot is None)
            assert (clock.wake_at is not None) == (clock.phase == "turn")
    return "StoodIn" in kinds


def test_standing_orders_set_and_taken_back_while_a_festival_is_proposed(service: Service) -> None:
    match = feast(A="tumi", B="tumi", C="tumi")
    service.put_match(match, list(PEOPLE))
    path = f"/matches/{match.id}/standing"

    def waver(number: int) -> int:
        if number == 3:
            return service.order("ana", match.id, PROPOSE).status_code
        if number % 2:
            return service.call("bea", "DELETE", path).status_code
        stand(service, "bea", match.id, up_to=3, share=True)
        return 200

    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(waver, range(8))) == {200}
    sleepers.answers(service.app.extensions[EXTENSION_KEY])
    after = load_match(service.database, match.id)
    answered = [entry for entry in after.log if type(entry.event).__name__ == "BidMade"]
    with service.database.look() as session:
        kept = session.exec(select(tables.Answered.act)).all()
    assert [entry.act for entry in answered] == list(kept)
    assert after.game.to_act(after.state) == ((2,) if answered else (1,))
