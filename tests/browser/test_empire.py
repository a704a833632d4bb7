"""Empires in a real browser: the last evening of one, and whole matches at tables of three and of four."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pytest
from sqlmodel import select

from app.eventstore.store import load_match
from app.outbox.mail_preferences import MAILS
from app.platform import tables
from engine.core.match import Match, start_at
from engine.core.registry import find
from tests.browser.live import Live
from tests.browser.people import Person
from tests.whispering import BRIEF_THREE, FOUR, Empire, check_empire, turn_of, verb_of

EMPIRE = find("tahuantinsuyu")
Come = Callable[..., Person]
EVENING: dict[str, Any] = {
    "seats": 3,
    "options": {"board": 1},
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
    cy.play(1)
    cy.sees("Waiting for Ana")
    ana.go(where)
    ana.order("sun", "el_nino", "orange-brown")
    ana.play(1)
    bo.go(where)
    bo.order("sun", "extra_labour", "green-orange")
    bo.play(1)
    # El Niño for Ana and Cy, Extra Labour for Ana and Bo, Urban Renewal for Cy and Bo.
    cy.go(where)
    cy.sees("El Niño: one road fewer")
    cy.order("conquer", "condesuyo")
    cy.play(1)
    cy.go(where)
    cy.order("end")
    cy.play(1)
    ana.go(where)
    ana.order("city", "s096")
    ana.order("road", "s001", "s098")
    ana.order("end")
    ana.play(3)
    bo.go(where)
    bo.order("temple", "s097")
    bo.order("end")
    bo.play(2)
    bo.sees("The match is over.")


@pytest.mark.parametrize(("empire", "script"), [(BRIEF_THREE, False), (FOUR, True)])
def test_a_whole_match_is_played_on_the_page_from_its_start_to_its_end(
    live: Live, person: Come, empire: Empire, script: bool
) -> None:
    """Everybody sits at a browser and orders what a bot whispers. Each chooses a kind of order once by lists or on the
    board, and writes it later, all that go together in one line.
    """
    emails = [f"{who}@{empire.name}.org" for who in ("ana", "bo", "cy", "dan")[: empire.seats]]
    where, cookies = live.put_match(empire.start(), "A whole empire", *emails)
    without_mails(live, emails)
    people = [person(script=script, size="desktop", cookie=cookie) for cookie in cookies]
    used, chosen = Counter[str](), [set[str]() for _ in people]
    while not (match := load_match(live.services.database, empire.name)).over:
        (seat,) = EMPIRE.to_act(match.state)
        orders = turn_of(match, seat, used)
        used.update(verb_of(EMPIRE, order) for order in orders)
        who = people[seat]
        who.go(where)
        give(who, orders, chosen[seat])
        who.play(len(orders))
        who.rest()
    for who in people:
        who.go(where)
        who.sees("The match is over.")
    check_empire(match, empire, used)


def without_mails(live: Live, emails: list[str]) -> None:
    """Nobody here needs mails, and drawing them all takes long."""
    with live.services.database.session() as session:
        for player in session.exec(select(tables.Player)):
            if player.email in emails:
                player.mail_preferences = dict.fromkeys(MAILS, False)


def give(who: Person, orders: list[str], chosen: set[str]) -> None:
    """Chooses the orders whose verb this person has not chosen yet, and writes the others."""
    for known, together in groupby(orders, key=lambda order: verb_of(EMPIRE, order) in chosen):
        if known:
            who.write(*together)
            continue
        for order in together:
            verb = verb_of(EMPIRE, order)
            who.order(verb, *order.removeprefix(verb).split())
            chosen.add(verb)
