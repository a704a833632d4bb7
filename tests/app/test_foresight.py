"""Several orders at once tell nothing of what the first of them turns up: what lies face down is nobody's to know."""

from __future__ import annotations

from typing import Any

import pytest

from app.errors import LineRefused
from app.foresight import check_ahead
from engine.core.match import Match, start_at
from engine.core.registry import find

TYPES = ("allies", "herders", "farmers", "lordship", "kingdom", "warriors")
ROAD = "road s012 s061"  # joins s012, which touches ichma


def world(hidden: str, labour: int = 3, **more: Any) -> Match:
    """A turn of the first seat; what lies in ichma is face down."""
    position = {
        "seats": 4,
        "labour": [labour],
        "roads": [[["s001", "s061"]]],
        "markers": {
            "ichma": {"type": hidden, "up": False},
            "huanca": {"type": "farmers"},
            "chincha": {"type": "allies", "owner": 1},
        },
    }
    return start_at(find("tahuantinsuyu"), {**position, **more}, "seed")


def told(match: Match, *orders: str) -> str:
    """What somebody hears who sends these orders together; nothing, if they may be played."""
    try:
        check_ahead(match, 0, orders)
    except LineRefused as refusal:
        return f"{refusal.line}: {refusal}"
    return ""


@pytest.mark.parametrize(
    "orders",
    [
        (ROAD, "conquer ichma"),
        (ROAD, "conquer ichma", "end"),
        (ROAD, "road s012 s107", "conquer ichma"),
        (ROAD, "conquer huanca", "end"),
        (ROAD, "end"),
    ],
)
@pytest.mark.parametrize("labour", [0, 2, 3, 4])
def test_every_world_answers_alike(orders: tuple[str, ...], labour: int) -> None:
    assert len({told(world(hidden, labour), *orders) for hidden in TYPES}) == 1


def test_what_depends_on_the_marker_is_sent_when_it_is_known() -> None:
    said = told(world("allies"), ROAD, "conquer ichma")
    assert said == "2: What order 1 brings decides about order 2: send it when you know."


def test_what_does_not_depend_on_it_may_be_sent_at_once() -> None:
    assert told(world("warriors"), ROAD, "road s012 s107", "conquer huanca", "end") == ""
    assert told(world("warriors", labour=4), ROAD, "conquer ichma") == ""


def test_nobody_learns_of_pizarro_by_sending_more() -> None:
    """Who plays last in a People phase and first in the next Sun phase might send both at once."""
    parts = {
        "options": {"pizarro": True},
        "period": 6,
        "step": 2,
        "order": [1, 2, 3, 0],
        "turn": {"seat": 0},
        "scores": [0, 5, 6, 7],
        "hands": [["el_nino"], ["epidemic"]],
    }
    days = [
        told(world("allies", **parts, pizarro=day), "end", "sun el_nino orange-blue")
        for day in (1, 2, 3, 4)
    ]
    assert len(set(days)) == 1
