"""A player's page: seen by nobody else before they say so, with results against whom and a rating that knows its doubt."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask

from app.platform import tables
from app.views.ratings import load_book
from engine.core.match import Match
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, my_id, played, seat, two


def test_a_page_is_ones_own_until_it_is_shown(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    for number in range(3):
        seat(ana.services, won_by_the_first(f"finished{number}"), my_id(ana), my_id(bo))
    where = ana.get("/players/me").headers["Location"]
    page = ana.get(where).text
    assert "Only you can see this page." in page
    assert "±" in page
    assert "Bo" in page.partition("Against whom")[2]
    assert Visitor(app).get(where).status_code == 404
    ana.post("/players/me", {"shown": "yes"})
    shown = Visitor(app).get(where).text
    assert "Ana" in shown
    assert "Bo" not in shown.partition("Against whom")[2]  # who does not show their own page
    bo.post("/players/me", {"shown": "yes"})
    assert "Bo" in Visitor(app).get(where).text.partition("Against whom")[2]


def won_by_the_first(match_id: str) -> Match:
    found = (played(2000, match_id, dice=dice) for dice in range(100))
    return next(match for match in found if match.game.winners(match.state) == (0,))


def test_who_wins_is_rated_higher_and_every_match_lessens_the_doubt(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    doubts = []
    for number in range(2):
        seat(ana.services, won_by_the_first(f"finished{number}"), my_id(ana), my_id(bo))
        with ana.services.database.look() as session:
            book = load_book(session, "cuzco")
        first, second = (book.standing(("player", my_id(one))) for one in (ana, bo))
        assert first
        assert second
        assert first.skill > second.skill  # the first seat won both
        doubts.append(first.doubt)
    assert doubts[1] < doubts[0]


def test_who_wants_no_rating_is_shown_none_and_shows_none(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    where = seat(ana.services, won_by_the_first("finished1"), my_id(ana), my_id(bo))
    page = f"/players/{my_id(ana)}"
    bo.post("/players/me", {"shown": "yes", "rated": "yes"})
    ana.post("/players/me", {"shown": "yes"})
    assert "±" not in ana.get(page).text.partition("Against whom")[0]
    assert "±" in ana.get(page).text.partition("Against whom")[2]  # Bo's
    assert "±" not in ana.get(f"/players/{my_id(bo)}").text.partition("Against whom")[2]
    assert f'href="{page}"' in bo.get(f"{where}/result").text  # to be looked up


def test_a_page_tells_how_many_turns_were_on_time(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    match = won_by_the_first("finished1")
    seat(ana.services, match, my_id(ana), my_id(bo))
    ana.post("/players/me", {"shown": "yes"})
    assert "<dt>On time</dt><dd>100%</dd>" in bo.get(f"/players/{my_id(ana)}").text
    with ana.services.database.session() as session:
        for pos in range(10, 15):
            session.add(tables.LateTurn(match_id=match.id, pos=pos, player_id=my_id(ana)))
    told = re.search(r"<dt>On time</dt><dd>(\d+)%", bo.get(f"/players/{my_id(ana)}").text)
    assert told
    assert 0 < int(told[1]) < 100


def test_bots_are_rated_too(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    seat(ana.services, played(2000, "finished2"), my_id(ana), my_id(ana))
    with ana.services.database.session() as session:
        robot = session.get_one(tables.Seat, ("finished2", 1))
        robot.player_id, robot.bot = None, "steady"
    with ana.services.database.look() as session:
        assert load_book(session, "cuzco").standing(("bot", "steady"))


def test_a_vacation_that_is_too_long_is_refused_beside_the_form_as_it_was_filled_in(
    app: Flask,
) -> None:
    ana = come_in(app, "ana@example.org")
    first = ana.services.now().date()
    last = first + timedelta(days=200)
    days = {"first": first.isoformat(), "last": last.isoformat()}
    page = ana.post("/account/vacation", days)
    assert page.status_code == 403
    assert "are the most." in page.text
    assert f'value="{last.isoformat()}"' in page.text


@pytest.mark.parametrize(
    ("where", "form", "kept"),
    [
        ("/account", {"section": "you", "name": "ana@example.org"}, "ana@example.org"),
        ("/account", {"section": "mails", "cooling": "900"}, "900"),
        ("/account/quiet", {"from": "22:00", "to": ""}, "22:00"),
        ("/account/address", {"email": "nobody"}, "nobody"),
        ("/account/tokens", {"name": "an endless name " * 3}, "an endless name " * 3),
        ("/sign-in", {"email": "nobody@nowhere"}, "nobody@nowhere"),
    ],
)
def test_what_the_account_cannot_be_is_said_at_its_form_as_it_was_filled_in(
    app: Flask, where: str, form: dict[str, str], kept: str
) -> None:
    page = come_in(app, "ana@example.org").post(where, form)
    assert page.status_code == 400
    told = page.text.partition('role="alert"')[2].partition("</form>")[0]
    assert f'value="{kept}"' in told


def test_what_others_said_is_counted_on_the_table_until_it_is_read(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    bo.post(f"{where}/talk", {"text": "look at e14"})
    assert '<b class="count" id="unread" data-part>1</b>' in ana.get(where).text
    ana.post(f"{where}/read", {})
    assert '<b class="count" id="unread" data-part></b>' in ana.get(where).text


def test_a_report_that_cannot_be_keeps_its_words(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    words = "They say things. " * 200
    page = ana.post(f"{where}/report", {"text": words})
    assert page.status_code == 400
    assert words.strip() in page.text.partition('role="alert"')[2].partition("</textarea>")[0]
