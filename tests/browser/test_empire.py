"""Empires in a real browser: the last evening of one, and whole matches at tables of three and of four."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlmodel import select

from app import accounts, models, play, store
from engine.core.match import Match, start_at
from engine.core.registry import find
from tests.browser.live import Live
from tests.browser.people import Person
from tests.whispering import BRIEF_FOUR, BRIEF_THREE, Empire, check_empire, turn_of, verb_of

EMPIRE = find("tahuantinsuyu")
CHOSEN = 2  # so often each verb is given by lists or on the board; later orders are written
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
    return start_at(EMPIRE, EVENING, "evening", name)


@pytest.mark.parametrize(("script", "size"), [(True, "phone"), (False, "desktop")])
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


@pytest.mark.parametrize(("empire", "script"), [(BRIEF_THREE, False), (BRIEF_FOUR, True)])
def test_a_whole_match_is_played_on_the_page_from_its_start_to_its_end(
    live: Live, person: Come, empire: Empire, script: bool
) -> None:
    """What all order, a bot whispers. Ana chooses each kind of order on the page, and later writes it; the orders of
    the others come in as from mails, for a browser takes its time.
    """
    emails = [f"{who}@{empire.name}.org" for who in ("ana", "bo", "cy", "dan")[: empire.seats]]
    where, cookies = live.put_match(empire.start(), "A whole empire", *emails)
    ids = without_mails(live, emails)
    ana = person(script=script, size="desktop", cookie=cookies[0])
    database, used, given = live.services.database, Counter[str](), Counter[str]()
    while not (match := store.load(database, empire.name)).over:
        (seat,) = EMPIRE.to_act(match.state)
        orders = turn_of(match, seat, used if seat else given)
        used.update(verb_of(EMPIRE, order) for order in orders)
        if seat:
            now = live.services.now()
            play.submit(database, empire.name, ids[seat], orders, match.head, None, now)
            continue
        ana.go(where)
        for order in orders:
            give(ana, order, given)
        ana.press(f"Commit {len(orders)} order")
        ana.sees("Committed.")
    ana.go(where)
    ana.sees("The match is over.")
    assert set(given) == set(used)
    check_empire(match, empire, used)


def without_mails(live: Live, emails: list[str]) -> list[int]:
    """Nobody here needs mails, and drawing them all takes long; who they are."""
    with live.services.database.session() as session:
        found = {player.email: player for player in session.exec(select(models.Player))}
        for email in emails:
            found[email].mail_preferences = dict.fromkeys(accounts.MAILS, False)
        return [found[email].id or 0 for email in emails]


def give(who: Person, order: str, used: Counter[str]) -> None:
    verb = verb_of(EMPIRE, order)
    used[verb] += 1
    if used[verb] <= CHOSEN:
        who.order(verb, *order.removeprefix(verb).split())
    else:
        who.write(order)
