"""My matches: what waits for me comes first, over all pages, by deadline; and the home page of visitors."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from flask import Flask
from sqlmodel import select

from app.eventstore.store import load_match
from app.platform import tables
from engine.core.registry import games
from tests.app.browser import Visitor
from tests.app.seated import come_in, late_match, links, my_id, played, seat

TITLE = re.compile(r"<bdi>(Number \d+)</bdi>")


def put_many(ana: Visitor, bo: Visitor, mine: set[int], count: int) -> None:
    """So many matches, of which those in `mine` wait for Ana: the smaller the number, the longer she has."""
    services = ana.services
    for number in range(count):
        people = (ana, bo) if number in mine else (bo, ana)
        match = late_match(f"number{number}")
        seat(services, match, *map(my_id, people), title=f"Number {number}", clocks=True)
        with services.database.session() as session:
            row = session.get_one(tables.Match, match.id)
            row.created_at = services.now() + timedelta(minutes=number)
            clocks = select(tables.Clock).where(tables.Clock.match_id == match.id)
            for clock in session.exec(clocks):
                if clock.due_at:
                    clock.due_at -= timedelta(minutes=number)


def test_of_sixty_matches_the_four_that_wait_for_me_come_first(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    put_many(ana, bo, {3, 10, 41, 57}, 60)
    for where in ("/", "/matches"):
        found = TITLE.findall(ana.get(where).text)
        assert found[:4] == ["Number 57", "Number 41", "Number 10", "Number 3"]
        assert len(found) == 20
    page = ana.get("/matches").text
    assert "<title>(4) My matches" in page
    assert '<span class="count" data-count>4</span>' in page
    assert '/icon/4.svg"' in page
    pages = [TITLE.findall(ana.get(f"/matches?page={number}").text) for number in (1, 2, 3, 4)]
    assert len({title for page in pages for title in page}) == 60
    assert pages[3] == []


def test_after_playing_the_next_match_that_waits_is_one_press_away(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    put_many(ana, bo, {1, 2}, 3)
    page = ana.get("/m/number1").text
    assert "Next match (1)" in page
    assert "/next?after=number1" in links(page)
    assert ana.get("/next?after=number1").headers["Location"] == "/m/number2"
    assert ana.get("/next").headers["Location"] == "/m/number2"
    assert bo.get("/next?after=number0").headers["Location"] == "/matches"
    assert ana.get("/waiting").json == {"count": 2}


def test_what_is_over_stands_apart(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    put_many(ana, bo, {0}, 1)
    seat(ana.services, played(2000, "allover222"), my_id(ana), my_id(bo), title="Number 99")
    page = ana.get("/").text
    assert page.index("Number 0<") < page.index("Finished") < page.index("Number 99<")


def test_words_that_were_not_read_are_counted_until_they_are(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    put_many(ana, bo, {0}, 1)
    for words in ("Hello", "Nice move"):
        bo.post("/m/number0/talk", {"text": words})
    assert "2 new words" in ana.get("/").text
    assert "new word" not in bo.get("/").text
    assert ana.post("/m/number0/read").status_code == 204
    assert "new word" not in ana.get("/").text
    assert Visitor(app).post("/m/number0/read").status_code == 303


def test_the_list_tells_who_plays_how_it_stands_and_what_happened_last(app: Flask) -> None:
    ana, bo = come_in(app, "ana@example.org"), come_in(app, "bo@example.org")
    seat(ana.services, played(30, "thirtyacts"), my_id(ana), my_id(bo), title="Known")
    card = ana.get("/").text.partition('class="match-card')[2].partition("</li>\n</ul>")[0]
    match = load_match(ana.services.database, "thirtyacts")
    for score in match.game.scores(match.state):
        assert f'<b class="points">{score}</b>' in card
    assert "last-move" in card


# Visitors


def test_a_visitor_is_shown_every_game_with_its_demo(client: Visitor) -> None:
    page = client.get("/").text
    for game in games().values():
        assert f"Play {game.name}" in page
        picture = client.get(f"/games/{game.key}/en.svg")
        assert picture.status_code == 200
        assert picture.text.startswith("<svg")
    assert client.get("/games/chess/en.svg").status_code == 404


@pytest.mark.parametrize("key", sorted(games()))
def test_a_demo_begins_with_the_visitors_own_turn(app: Flask, key: str) -> None:
    for _ in range(4):
        guest = Visitor(app)
        where = guest.post("/demo", {"game": key}).headers["Location"]
        match = load_match(guest.services.database, where.rpartition("/")[2])
        with guest.services.database.look() as session:
            seats = select(tables.Seat).where(tables.Seat.match_id == match.id)
            mine = {s.number for s in session.exec(seats) if s.player_id is not None}
        assert mine.intersection(match.game.to_act(match.state))


def test_what_guests_play_against_bots_can_be_watched_from_the_home_page(app: Flask) -> None:
    guest, stranger = Visitor(app), Visitor(app)
    where = guest.post("/demo").headers["Location"]
    assert where in links(stranger.get("/").text)
    assert stranger.get(where).status_code == 200
    alone = guest.post("/demo", {"against": "myself"}).headers["Location"]
    assert alone not in links(stranger.get("/").text)
