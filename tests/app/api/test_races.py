"""Many at once, on SQLite and on PostgreSQL: exactly one wins, the others are told, nothing breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from app.platform.database import Database
from engine.core import record
from tests.app.service import FIRST, Service

CROWD = 8


@pytest.fixture
def service(database: Database, tmp_path: Path) -> Service:
    made = Service(database, tmp_path)
    made.people("ana", "bea", *(f"p{number}" for number in range(CROWD)))
    return made


def at_once(count: int, act: Callable[[int], Any]) -> list[Any]:
    """What `count` threads get that start at the same moment."""
    barrier = Barrier(count)

    def run(number: int) -> Any:
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(count) as threads:
        return list(threads.map(run, range(count)))


@pytest.mark.parametrize("writers", [2, 4, 16])
def test_one_of_many_submissions_wins_and_the_others_are_stale(
    service: Service, writers: int
) -> None:
    match_id = service.open_table("ana", "me", "me")
    for turn, order in enumerate((FIRST, "end", "place triple g8 g10 h9")):
        head = service.get("ana", f"/matches/{match_id}")["head"]

        def submit(number: int, order: str = order, head: int = head, turn: int = turn) -> Any:
            return service.order("ana", match_id, order, head=head, key=f"{turn}.{number}")

        answers = at_once(writers, submit)
        assert Counter(a.status_code for a in answers) == {200: 1, 409: writers - 1}
        (won,) = (answer.get_json() for answer in answers if answer.status_code == 200)
        told = {a.get_json()["error"]["code"] for a in answers if a.status_code == 409}
        assert told <= {"stale"}
        assert service.get("ana", f"/matches/{match_id}")["head"] == won["head"]
    file = service.call("ana", "GET", f"/matches/{match_id}/record").text
    assert record.verify(record.read(record.parse(file))).sound


def test_the_same_submission_sent_many_times_at_once_is_played_once(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    answers = at_once(
        CROWD, lambda _: service.order("ana", match_id, FIRST, "end", head=7, key="the same")
    )
    assert {(answer.status_code, answer.data) for answer in answers} == {(200, answers[0].data)}
    assert service.get("ana", f"/matches/{match_id}")["head"] == answers[0].get_json()["head"]


def test_one_seat_goes_to_one_of_many(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    answers = at_once(
        CROWD, lambda number: service.call(f"p{number}", "POST", f"/matches/{match_id}/join")
    )
    assert Counter(answer.status_code for answer in answers) == {200: 1, 403: CROWD - 1}
    match = service.get("ana", f"/matches/{match_id}")
    assert match["status"] == "running"
    assert len({seat["name"] for seat in match["seats"]}) == 2


def test_two_seats_go_to_two_of_many_and_the_match_starts_once(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, None, public=True)
    answers = at_once(
        CROWD, lambda number: service.call(f"p{number}", "POST", f"/matches/{match_id}/join")
    )
    assert Counter(answer.status_code for answer in answers) == {200: 2, 403: CROWD - 2}
    kinds = [e["kind"] for e in service.get("ana", f"/matches/{match_id}/history")["events"]]
    assert kinds.count("MatchStarted") == 1


def test_a_move_and_a_rewind_at_once_have_one_outcome(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    service.order("ana", match_id, FIRST)

    def act(number: int) -> Any:
        if number % 2:
            return service.order("ana", match_id, "end", head=8)
        body = {"head": 8, "to": 7, "reason": "a slip"}
        return service.call("ana", "POST", f"/matches/{match_id}/rewind", json=body)

    answers = at_once(6, act)
    assert Counter(answer.status_code for answer in answers) == {200: 1, 409: 5}


def test_drafts_and_standing_orders_written_at_once_are_all_taken(service: Service) -> None:
    match_id = service.open_table("ana", "me", "me")
    draft, standing = f"/matches/{match_id}/draft", f"/matches/{match_id}/standing"

    def act(number: int) -> Any:
        if number % 4 == 0:
            return service.call("ana", "DELETE", draft)
        if number % 2:
            return service.call("ana", "PUT", draft, json={"orders": [FIRST] * (number % 3)})
        return service.call("ana", "PUT", standing, json={"festival": {"up_to": number}})

    assert {answer.status_code for answer in at_once(12, act)} == {200}


def turning_race(service: Service, number: int) -> tuple[int, int]:
    """A move and a rewind at the same moment; what each was told, after looking that one of them holds."""
    match_id = service.open_table("ana", "me", "me")
    start = service.get("ana", f"/matches/{match_id}")["head"]
    head = service.order("ana", match_id, FIRST).get_json()["head"]

    def act(which: int) -> int:
        if which == 0:
            return service.order(
                "ana", match_id, "end", head=head, key=f"race {number}"
            ).status_code
        wish = {"head": head, "to": start, "reason": "a slip"}
        return service.call("ana", "POST", f"/matches/{match_id}/rewind", json=wish).status_code

    move, turn = at_once(2, act)
    told = service.get("ana", f"/matches/{match_id}/history?from={head + 1}")["events"]
    assert (told[0]["kind"] == "Rewound") == (turn == 200)
    file = service.call("ana", "GET", f"/matches/{match_id}/record").text
    assert record.verify(record.read(record.parse(file))).sound
    return move, turn


def test_of_a_move_and_a_rewind_one_happens_and_the_other_is_told(service: Service) -> None:
    for number in range(10):
        assert sorted(turning_race(service, number)) == [200, 409]
