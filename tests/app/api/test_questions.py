"""Undos and proposals by the API: who plays by a program asks, looks, answers and takes back as others do on the page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.moderation.test_undo_requests import SECOND, first_turn
from tests.app.service import Service, code

WHY = {"reason": "a slip"}


pytestmark = pytest.mark.people("owner", "ana", "bea")


@pytest.fixture
def undone(service: Service) -> tuple[str, str, str, int]:
    """A match in which two have played, and the first of them would like to go back to that position."""
    match_id = service.running("ana", "bea", owner="owner", public=True)
    first, second, start, _ = first_turn(service, match_id)
    service.order(second, match_id, SECOND)
    return f"/matches/{match_id}/undo", first, second, start


def wish(service: Service, path: str) -> Any:
    return service.get(None, path)["undo"]


def seat_of(service: Service, path: str, who: str) -> Any:
    return service.get(who, path.rpartition("/")[0])["my_seat"]


def test_an_undo_is_asked_for_looked_at_and_granted(
    service: Service, undone: tuple[str, str, str, int]
) -> None:
    path, first, second, start = undone
    assert wish(service, path) is None
    asked = service.post(first, path, {**WHY, "to": start})
    assert asked["done"] is False
    seats = {who: seat_of(service, path, who) for who in (first, second)}
    assert wish(service, path) == {
        "pos": asked["head"],
        "seat": seats[first],
        "to": start,
        "awaiting": [seats[second]],
        **WHY,
    }
    granted = service.post(second, f"{path}/answer", {"pos": asked["head"], "agrees": True})
    assert granted == {"done": True, "head": asked["head"] + 2}
    assert wish(service, path) is None


def test_an_undo_is_refused_or_taken_back(
    service: Service, undone: tuple[str, str, str, int]
) -> None:
    path, first, second, start = undone
    asked = service.post(first, path, {**WHY, "to": start})
    no = {"pos": asked["head"], "agrees": False}
    assert service.post(second, f"{path}/answer", no)["done"] is False
    assert wish(service, path) is None
    assert code(service.call(second, "POST", f"{path}/answer", json=no)) == "unknown"
    asked = service.post(first, path, {**WHY, "to": start})
    assert code(service.call(second, "DELETE", path)) == "forbidden"
    assert code(service.call(first, "DELETE", f"{path}?pos={start}")) == "unknown"
    assert service.call(first, "DELETE", path).json == {"done": True, "head": asked["head"] + 1}
    assert wish(service, path) is None


def test_who_saw_another_position_asks_for_nothing(
    service: Service, undone: tuple[str, str, str, int]
) -> None:
    path, first, _, start = undone
    stale = service.call(first, "POST", path, json={**WHY, "to": start, "head": start})
    assert (stale.status_code, code(stale)) == (409, "stale")


@pytest.fixture
def proposing(service: Service) -> str:
    """A match that Ana owns and plays with Bea."""
    match_id = service.running("ana", "bea", public=True)
    first_turn(service, match_id)
    return f"/matches/{match_id}"


def test_a_proposal_is_looked_at_and_agreed_to(service: Service, proposing: str) -> None:
    path = f"{proposing}/proposal"
    assert service.get(None, path) == {"proposal": None}
    told = service.post("ana", f"{proposing}/close", {**WHY, "winners": [1]})
    found = service.get(None, path)["proposal"]
    kept = {key: found[key] for key in ("act", "by", "reason", "winners", "awaiting")}
    assert kept == {
        "act": "close",
        "by": "owner",
        "winners": [1],
        "awaiting": told["awaiting"],
        **WHY,
    }
    yes = {"pos": found["pos"], "agrees": True}
    assert code(service.call("ana", "POST", path, json=yes)) == "forbidden"
    assert service.post("bea", path, yes)["done"] is True
    assert service.get("bea", proposing)["status"] == "closed"
    assert service.get(None, path) == {"proposal": None}


def test_a_proposal_is_declined_or_taken_back(service: Service, proposing: str) -> None:
    path = f"{proposing}/proposal"
    for _ in range(2):
        service.post("ana", f"{proposing}/close", WHY)
        found = service.get("bea", path)["proposal"]
        assert service.post("bea", path, {"pos": found["pos"], "agrees": False})["done"] is False
        assert service.get("bea", path) == {"proposal": None}
    service.post("ana", f"{proposing}/close", WHY)
    assert code(service.call("bea", "DELETE", path)) == "forbidden"
    assert service.call("ana", "DELETE", path).json["done"] is True
    assert service.get("bea", path) == {"proposal": None}


def test_its_tag_changes_with_who_is_waited_for(service: Service, proposing: str) -> None:
    path = f"{proposing}/proposal"
    before = service.call(None, "GET", path).headers["ETag"]
    service.post("ana", f"{proposing}/close", WHY)
    assert service.call(None, "GET", path).headers["ETag"] != before


def test_before_the_match_begins_nothing_is_asked(service: Service) -> None:
    match_id = service.open_table("ana", "me", None, public=True)
    assert service.get("ana", f"/matches/{match_id}/undo") == {"undo": None}
    assert service.get("ana", f"/matches/{match_id}/proposal") == {"proposal": None}
    for path in ("undo", "proposal"):
        assert code(service.call("ana", "DELETE", f"/matches/{match_id}/{path}")) == "forbidden"
