"""The coach: one sentence beside the board in a newcomer's first turns, until it is dismissed for good."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from sqlmodel import select

from app.matches.tables import COACHED_TURNS
from app.platform import tables
from engine.core.registry import games
from tests.app.browser import Visitor

SignedIn = Callable[[str], Visitor]
FIRST = "You have 6 AP: lay a tile first."


def demo(visitor: Visitor, **form: str) -> str:
    return visitor.post("/demo", form).headers["Location"]


def advice(visitor: Visitor, where: str) -> str:
    """What the coach says on the page, without its button; nothing where it is silent."""
    found = re.search(r'id="coach".*?</div>', unescape(visitor.get(where).text), re.DOTALL)
    said = re.search(r"<p>(.*?)</p>", found[0]) if found else None
    return said[1] if said else ""


def now(visitor: Visitor, where: str) -> dict[str, str]:
    page = visitor.get(where).text
    return {name: re.findall(f'name="{name}" value="(.*?)"', page)[0] for name in ("head", "seat")}


def play(visitor: Visitor, where: str, *orders: str) -> None:
    form = {**now(visitor, where), "order": list(orders), "key": orders[0].replace(" ", "-")}
    assert visitor.post(f"{where}/commit", form).status_code == 303


def draft(visitor: Visitor, where: str, orders: list[str], add: str) -> None:
    form = {**now(visitor, where), "order": orders, "add": add}
    assert visitor.post(f"{where}/draft", form).status_code == 303


@pytest.mark.parametrize("game", games())
def test_a_guest_is_advised_in_the_demo_of_every_game(client: Visitor, game: str) -> None:
    assert advice(client, demo(client, game=game))


def test_the_sentence_follows_the_draft(client: Visitor) -> None:
    where = demo(client)
    assert advice(client, where).startswith(FIRST)
    draft(client, where, [], "place triple l17 l19 m18")
    assert "bring an Inca in at l17" in advice(client, where)
    draft(client, where, ["place triple l17 l19 m18"], "enter l17")
    assert "You have 4 AP left" in advice(client, where)


def test_a_draft_that_ends_the_turn_is_left_to_the_page(client: Visitor) -> None:
    where = demo(client)
    draft(client, where, [], "place triple l17 l19 m18; end")
    assert advice(client, where) == ""
    assert "Your draft ends the turn" in client.get(where).text


def test_parts_for_the_script_have_it_too(client: Visitor) -> None:
    where = demo(client)
    parts = client.client.get(f"{where}/parts", headers={"X-Board": "-"}).text
    assert 'id="coach" role="status" data-fill' in parts
    assert FIRST in parts


def test_it_is_silent_after_three_turns(client: Visitor) -> None:
    where = demo(client, against="myself")
    hexes = (
        "e14 e16 d15",
        "h9 h11 g10",
        "j13 j15 i14",
        "e20 e22 d21",
        "h21 h23 g22",
        "j25 j27 i26",
    )
    for number, place in enumerate(hexes):
        assert number // 2 < COACHED_TURNS
        assert advice(client, where).startswith("You have 6 AP")
        play(client, where, f"place triple {place}", "end")
    assert advice(client, where) == ""


def test_whoever_wants_no_more_advice_gets_none_in_any_match(client: Visitor) -> None:
    where = demo(client)
    assert client.post(f"{where}/no-advice").status_code == 303
    assert advice(client, where) == ""
    assert advice(client, demo(client, game="inka")) == ""


def test_a_page_that_was_kept_is_made_anew_without_it(client: Visitor) -> None:
    where = demo(client)
    client.get(where)
    named = client.get(where).headers["ETag"]
    client.post(f"{where}/no-advice")
    again = client.client.get(where, headers={"If-None-Match": named})
    assert again.status_code == 200
    assert FIRST not in again.text


def test_the_script_is_answered_with_parts_without_it(client: Visitor) -> None:
    where = demo(client)
    client.get(where)
    parts = client.post(f"{where}/no-advice", headers={"X-Board": "-"})
    assert parts.status_code == 200
    assert 'id="coach"' in parts.text
    assert FIRST not in parts.text


def test_it_stays_dismissed_when_a_guest_signs_in(client: Visitor) -> None:
    client.post(f"{demo(client)}/no-advice")
    client.sign_in("ana@example.org")
    assert advice(client, demo(client, game="inka")) == ""


def test_and_when_the_guest_turns_out_to_have_an_account(
    client: Visitor, signed_in: SignedIn
) -> None:
    ana = signed_in("ana@example.org")
    client.post(f"{demo(client)}/no-advice")
    client.sign_in("ana@example.org")
    assert advice(ana, demo(ana)) == ""


def test_it_is_in_the_export_and_goes_with_the_account(signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    ana.post(f"{demo(ana)}/no-advice")
    told = ana.get("/account/export").json
    assert told
    assert told["player"]["coach_off_at"]
    services = ana.services
    assert ana.post("/account/delete").status_code == 303
    with services.database.look() as session:
        assert [one.coach_off_at for one in session.exec(select(tables.Player))] == [None]


def test_onlookers_are_not_advised(app: Flask, client: Visitor) -> None:
    where = demo(client)
    assert advice(Visitor(app), where) == ""


def test_whoever_has_played_a_match_to_its_end_is_no_newcomer(signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    first = demo(ana).rpartition("/")[2]
    with ana.services.database.session() as session:
        row = session.get_one(tables.Match, first)
        row.ended_at = ana.services.now()
        session.add(row)
    assert advice(ana, demo(ana)) == ""
    assert advice(ana, demo(ana, game="inka"))
