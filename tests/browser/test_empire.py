"""The last evening of an empire in a real browser: a Sun phase, three People turns, and Pizarro."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine.core.match import Match, start_at
from engine.core.registry import games
from tests.browser.live import Live
from tests.browser.people import Person

Come = Callable[..., Person]
EVENING: dict[str, Any] = {
    "seats": 3,
    "period": 6,
    "step": 7,
    "scores": [31, 33, 30],
    "labour": [9, 7, 8],
    "order": [2, 0, 1],
    "hands": [
        ["el_nino", "resistance"],
        ["extra_labour", "wild_road"],
        ["epidemic", "urban_renewal"],
    ],
    "pile": [],
    "roads": [[["s001", "s056"], ["s001", "s096"]], [["s002", "s097"]], [["s003", "s101"]]],
    "markers": {
        "huanca": {"type": "farmers", "owner": 0},
        "chanka": {"type": "allies", "owner": 1},
        "vilcabamba": {"type": "herders", "owner": 1},
        "condesuyo": {"type": "kingdom"},
    },
    "buildings": {"s097": {"kind": "city"}},
}


def evening(name: str) -> Match:
    return start_at(games()["tahuantinsuyu"], EVENING, "evening", name)


@pytest.mark.parametrize(
    ("script", "size"), [(True, "desktop"), (True, "phone"), (False, "desktop"), (False, "phone")]
)
def test_three_people_play_the_last_phases_to_the_end(
    live: Live, person: Come, script: bool, size: str
) -> None:
    name = f"empire{size}{script}".lower()
    emails = [f"{who}@{name}.org" for who in ("ana", "bo", "cy")]
    where, cookies = live.put_match(evening(name), "Last evening", *emails)
    ana, bo, cy = (person(script=script, size=size, cookie=cookie) for cookie in cookies)
    cy.go(where)
    cy.order("sun", "urban_renewal", "brown-green")
    cy.press("Commit 1 order")
    cy.sees("Waiting for Ana")
    ana.go(where)
    ana.order("sun", "el_nino", "orange-brown")
    ana.press("Commit 1 order")
    bo.go(where)
    bo.order("sun", "extra_labour", "green-orange")
    bo.press("Commit 1 order")
    # El Niño for Ana and Cy, Extra Labour for Ana and Bo, Urban Renewal for Cy and Bo.
    cy.go(where)
    cy.sees("El Niño: one road fewer")
    cy.order("conquer", "condesuyo")
    cy.press("Commit 1 order")
    cy.go(where)
    cy.order("end")
    cy.press("Commit 1 order")
    ana.go(where)
    ana.order("city", "s096")
    ana.order("road", "s001", "s098")
    ana.order("end")
    ana.press("Commit 3 orders")
    bo.go(where)
    bo.order("temple", "s097")
    bo.order("end")
    bo.press("Commit 2 orders")
    bo.sees("The match is over.")
