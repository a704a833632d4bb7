"""Two worlds that differ only in what another seat holds look the same, in every answer and picture."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.api.operation import OPERATIONS
from engine.core.match import Match, play, start_at
from engine.core.registry import find
from tests.app.service import Service

# Hashes and seals are salted with the secret seed: they must differ, and tell nobody anything.
HASHES = re.compile(r"[0-9a-f]{64}")
CITY = [["village", "e14"], ["village", "e16"], ["village", "e18"], ["village", "d15"]]
POSITION: dict[str, Any] = {
    "seats": 3,
    "tiles": CITY,
    "temples": {"e14": {"value": 4}},
    "incas": [["e16"], ["e18"], ["d15"]],
    "open": "tumi",
    "turn": {"seat": 0, "ap": 5, "laid": True},
}
MINE = ["tumi", "tumi+quipu"]
POOR, RICH = ["kero", "quipu"], ["tumi", "tumi+kero"]  # what fits the open card decides a festival
WORLDS = {
    "another hand": [(POOR, POOR), (RICH, POOR)],
    "hands swapped": [(POOR, RICH), (RICH, POOR)],
    "both differ": [(POOR, POOR), (RICH, RICH)],
}
PEOPLE = ["owner", "seat0", "seat1", "seat2", "stranger"]


@contextmanager
def world(folder: Path, migrated: Path, hands: tuple[list[str], ...]) -> Iterator[Service]:
    """A service with one match in which the seats after the first hold these hands."""
    with Service.on_sqlite(migrated, folder, *PEOPLE) as service:
        service.put_match(started([MINE, *hands], "seed"), PEOPLE[1:4], public=True)
        yield service


def started(hands: list[list[str]], seed: str, match_id: str = "twoworlds", **more: Any) -> Match:
    return start_at(find("cuzco"), {**POSITION, "hands": hands, **more}, seed, match_id)


@pytest.fixture(params=WORLDS.values(), ids=WORLDS)
def worlds(
    request: pytest.FixtureRequest, tmp_path: Path, sqlite_folder: Path
) -> Iterator[list[Service]]:
    one, other = request.param
    with (
        world(tmp_path / "one", sqlite_folder, one) as first,
        world(tmp_path / "other", sqlite_folder, other) as second,
    ):
        yield [first, second]


pytestmark = pytest.mark.people(*PEOPLE)


def looks() -> list[str]:
    """Every address under which something of a match can be seen."""
    paths = [o.path.replace("{match_id}", "twoworlds") for o in OPERATIONS if o.method == "GET"]
    at = [path.replace("{pos}", str(pos)) for path in paths for pos in (1, 2, 4)]
    return sorted({*at, "/matches/twoworlds/board.svg?pos=2", "/matches?mine=true"})


def seen(service: Service, who: str | None, path: str) -> tuple[int, str]:
    response = service.call(who, "GET", path)
    return response.status_code, HASHES.sub("#", response.text)


def same(worlds: list[Service], *who: str | None) -> None:
    for viewer in who:
        for path in looks():
            one, other = (seen(service, viewer, path) for service in worlds)
            assert one == other, (viewer, path)


def test_who_must_not_know_sees_no_difference(worlds: list[Service]) -> None:
    same(worlds, None, "seat0", "owner", "stranger")


def test_who_holds_the_cards_sees_them(worlds: list[Service]) -> None:
    hands = [service.get("seat1", "/matches/twoworlds")["view"]["hand"] for service in worlds]
    assert hands[0] in (POOR, RICH)
    assert hands[1] in (POOR, RICH)


def test_nor_after_the_turn_has_gone_on(worlds: list[Service]) -> None:
    for service in worlds:
        assert service.order("seat0", "twoworlds", "place village g8", "end").status_code == 200
        drawn = service.order("seat1", "twoworlds", "place village h9", "draw pile", "end")
        assert drawn.status_code == 200
    same(worlds, None, "seat0", "owner")


def test_nor_in_a_draft_or_a_standing_order_of_another(worlds: list[Service]) -> None:
    for service, orders in zip(worlds, (["place village g8"], []), strict=True):
        service.call("seat1", "PUT", "/matches/twoworlds/draft", json={"orders": orders})
        standing = {"festival": {"up_to": len(orders)}}
        service.call("seat1", "PUT", "/matches/twoworlds/standing", json=standing)
    same(worlds, None, "seat0", "owner")


PROBES = [
    ["festival e14 tumi", "end"],
    ["festival e14 tumi", "bid tumi+quipu"],
    ["festival e14 tumi", "hold"],
    ["festival e14 tumi", "place village g8"],
    ["festival e14 tumi", "festival e14 tumi"],
    ["place village g8", "festival e14 tumi tumi+quipu", "end"],
    ["festival e14 kero"],
    ["festival e14 tumi tumi"],
    ["bid tumi"],
]


@pytest.mark.parametrize("orders", PROBES, ids=" / ".join)
def test_no_refusal_tells_what_others_hold(worlds: list[Service], orders: list[str]) -> None:
    """What is refused can be tried again, so it must not tell whether the others would have answered."""
    answers = [service.order("seat0", "twoworlds", *orders) for service in worlds]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert answers[0].data == answers[1].data
    drafts = [
        service.call("seat0", "PUT", "/matches/twoworlds/draft", json={"orders": orders}).data
        for service in worlds
    ]
    assert drafts[0] == drafts[1]


@pytest.mark.parametrize(
    "orders",
    [
        [
            "draw pile",
            "festival e14 tumi+kero",
        ],  # one that the seat does not hold, unless it is drawn
        ["draw open", "festival e14 tumi"],  # whether it still fits depends on the next open card
        ["draw pile", "draw pile", "festival e14 tumi+kero"],
        ["draw pile", "draw pile", "draw pile"],
        ["draw pile", "build e14 4"],
    ],
    ids=" / ".join,
)
def test_no_refusal_tells_what_would_be_drawn(service: Service, orders: list[str]) -> None:
    told = set()
    for number in range(12):  # enough seeds for every card to come
        match = started([MINE, POOR, POOR], f"seed {number}", f"draw{number}")
        service.put_match(match, PEOPLE[1:4])
        answer = service.order("seat0", match.id, *orders)
        assert answer.status_code == 422
        told.add(answer.data)
    assert len(told) == 1


def test_what_follows_a_draw_is_played_where_it_is_legal_whatever_comes(service: Service) -> None:
    service.put_match(started([MINE, POOR, POOR], "seed"), PEOPLE[1:4])
    orders = ["draw pile", "place village g8", "draw pile", "festival e14 tumi+quipu"]
    assert service.order("seat0", "twoworlds", *orders).status_code == 200


def test_an_answer_does_not_tell_beforehand_whether_it_wins(service: Service) -> None:
    """With two seats the bidder's own turn follows if the other cannot raise: trying must not show it."""
    told = set()
    for number, hand in enumerate((["kero", "kero"], ["tumi", "tumi+kero"])):
        hands = [["tumi", *hand], ["tumi", "tumi+quipu", "quipu"]]
        match = started(hands, "seed", f"bid{number}", seats=2, incas=[["e16"], ["e18"]])
        service.put_match(play(match, 0, "festival e14 tumi"), PEOPLE[1:3])
        answer = service.order("seat1", match.id, "bid tumi tumi+quipu", "place village g8")
        assert answer.status_code == 422
        told.add(answer.data)
    assert len(told) == 1


def test_errors_and_headers_never_hold_a_seed(worlds: list[Service]) -> None:
    for service in worlds:
        for path in looks():
            response = service.call("seat0", "GET", path)
            assert "seed 0" not in response.text
            assert '"seeds":[]' in response.text or "seeds" not in response.text
