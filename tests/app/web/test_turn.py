"""Playing a turn on the page: committing it, coming too late, and the end."""

from __future__ import annotations

import re
from threading import BoundedSemaphore

import pytest
from flask import Flask
from sqlmodel import select

from app.platform import tables
from app.web import match as pages
from engine.core.match import start_at
from engine.core.registry import find
from tests.app.browser import Visitor
from tests.app.seated import (
    FIRST,
    come_in,
    commit,
    drafted,
    late_match,
    my_id,
    now,
    played,
    seat,
    two,
)

LAST = "place triple g14 g16 h15"


def test_the_page_tells_whose_turn_it_is(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "It is your turn." in ana.get(where).text
    assert "Waiting for" in bo.get(where).text
    assert "6 AP left" in bo.get(where).text


def test_the_page_shows_my_hand_and_not_the_others(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert "tumi and kero" in ana.get(where).text
    assert "tumi and kero" not in bo.get(where).text
    assert "quipu" in bo.get(where).text
    assert "quipu" not in ana.get(where).text
    assert 'id="card-tumi-kero"' in ana.get(where).text  # as a card, drawn once
    assert 'id="card-tumi-kero"' not in bo.get(where).text


def test_each_reads_the_board_in_their_own_language(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    bo.post("/language", {"language": "fr"})
    for visitor, title, chart in (
        (ana, "h21: crop, level 1, Inca of A", "Open card: kero."),
        (bo, "h21\u00a0: culture, niveau 1, Inca de A", "Carte visible : kero."),
    ):
        page = visitor.get(where).text
        assert f"<title>{title}</title>" in page
        assert chart in page
        assert f"<title>{title}</title>" in visitor.get(f"{where}/history/2").text


def test_the_news_reach_back_to_the_turn_before_this_one(app: Flask) -> None:
    where, ana, bo = two(app, played(0))
    commit(ana, where, FIRST, "end")
    commit(bo, where, "place triple g8 g10 h9", "end")
    assert commit(ana, where, "place village i12", key="half a turn").status_code == 303
    news = ana.get(where).text.partition('aria-label="What happened"')[2].partition("</section>")[0]
    assert "g8" in news
    assert "i12" in news
    assert "e14" not in news


# Committing


@pytest.mark.parametrize(("played_before", "orders"), [((), "add"), (("road s001 s005",), "order")])
def test_a_turn_of_which_some_is_played_is_ended_by_one_press(
    app: Flask, played_before: tuple[str, ...], orders: str
) -> None:
    """What reveals is played at once and leaves the draft empty; a turn in which nothing was done asks to be ended first."""
    people = [come_in(app, f"{who}@example.org") for who in ("ana", "bo", "cy", "di")]
    position = {"seats": 4, "period": 1, "step": 2, "labour": [20], "options": {"board": 1}}
    match = start_at(find("tahuantinsuyu"), position, "a seed")
    where, ana = seat(people[0].services, match, *map(my_id, people)), people[0]
    for order in played_before:
        commit(ana, where, order)
    play = ana.get(where).text.partition('class="play"')[2].partition("</form>")[0]
    assert re.findall('name="(add|order)" value="end"', play) == [orders]


def test_a_festival_ends_the_turn_and_asks_the_other(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    assert commit(ana, where, LAST, "festival e14 kero").status_code == 303
    assert "You are asked for an answer." in bo.get(where).text
    assert commit(bo, where, "bid kero").status_code == 303
    assert commit(ana, where, "hold", key="no raise").status_code == 303
    assert commit(bo, where, "hold", key="last word").status_code == 303
    page = bo.get(where).text
    assert "shared the festival on e14" in page
    assert "It is your turn." in page


def test_a_repeated_commit_plays_once(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    form = {**now(ana, where), "order": [LAST, "end"], "key": "same"}
    for _ in range(3):
        assert ana.client.post(f"{where}/commit", data=form).status_code == 303
    assert ana.get(f"{where}/history").text.count("laid the last triple") == 1


def test_alone_too_a_repeated_commit_plays_once(client: Visitor) -> None:
    where = client.post("/demo", {"against": "myself"}).headers["Location"]
    form = {**now(client, where), "order": ["place triple e14 e16 d15", "end"], "key": "same"}
    for _ in range(3):
        assert client.client.post(f"{where}/commit", data=form).status_code == 303
    assert "(B)" in client.get(where).text


def test_what_is_refused_plays_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    response = commit(ana, where, LAST, "build e14 2")
    assert response.status_code == 422
    assert "Order 2:" in response.text
    assert "6 AP left" in response.text


def test_a_page_that_comes_too_late_keeps_the_draft_and_tells_what_no_longer_fits(
    app: Flask,
) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": [LAST, "token", "end"], "key": "late"}
    assert commit(ana, where, LAST, "basin i12", key="quick").status_code == 303
    response = ana.client.post(f"{where}/commit", data=late)
    assert response.status_code == 409
    assert "Somebody moved meanwhile" in response.text
    assert "laid a basin on i12" in response.text  # what happened since
    assert "This order no longer does:" in response.text
    assert drafted(ana, where) == [LAST, "token", "end"]


def test_a_late_draft_that_still_fits_is_kept_whole(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": ["token"], "add": "basin i12"}
    commit(ana, where, LAST)
    response = ana.client.post(f"{where}/draft", data=late)
    assert response.status_code == 409
    assert "still fits" in response.text
    assert drafted(ana, where) == ["token", "basin i12"]


def test_after_ones_turn_a_late_draft_becomes_a_plan(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    late = {**now(ana, where), "order": ["token"]}
    commit(ana, where, LAST, "end")
    response = ana.client.post(f"{where}/draft", data=late)
    assert "kept as a plan" in response.text


def test_who_has_come_to_another_seat_loses_nothing(client: Visitor) -> None:
    where = client.post("/demo", {"against": "myself"}).headers["Location"]
    late = {**now(client, where), "order": ["token"], "key": "late"}
    commit(client, where, "place triple e14 e16 d15", "end", key="quick")
    for path in ("draft", "commit"):
        assert client.client.post(f"{where}/{path}", data=late).status_code == 409
    assert drafted(client, where) == []


# The end


def test_the_end_is_told_with_winners_and_a_check(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    commit(ana, where, LAST, "end")
    commit(bo, where, "end")
    page = ana.get(where).text
    assert "The match is over." in page
    assert "winner" in page
    assert "Verified" in page
    assert 'id="draft"' not in page
    assert ana.post(f"{where}/commit", {"head": 9, "seat": 0, "order": "end"}).status_code == 409
    assert ana.post(f"{where}/draft", {"head": 9, "seat": 0, "order": "end"}).status_code == 422


def test_a_paused_match_can_be_looked_at_but_not_played(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    form = now(ana, where)
    with ana.services.database.session() as session:
        row = session.exec(select(tables.Match)).one()
        row.status = "paused"
        session.add(row)
    assert "The match is paused." in ana.get(where).text
    assert 'id="draft"' not in ana.get(where).text
    for path in ("draft", "commit"):
        response = ana.client.post(f"{where}/{path}", data={**form, "order": [LAST]})
        assert response.status_code == 403


def test_a_form_without_its_position_is_refused(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for form in (
        {},
        {"head": "x", "seat": "0"},
        {"head": "2"},
        {"head": 10**40, "seat": 0},
        {"head": 2, "seat": -1},
    ):
        assert ana.post(f"{where}/commit", {**form, "order": [LAST]}).status_code == 400
        assert ana.post(f"{where}/draft", {**form, "order": [LAST]}).status_code == 400


@pytest.mark.parametrize(
    "match_id", ["%00", "no-such-match", "x" * 300, "..%2f..", "%F0%9F%98%80", "%ED%A0%80"]
)
def test_what_can_be_no_match_is_not_there(app: Flask, client: Visitor, match_id: str) -> None:
    ana = come_in(app, "ana@example.org")
    routed = 404 if "%2f" in match_id else 303  # a way with more parts leads to no match at all
    for path in ("", "/history", "/history/1", "/record", "/choices"):
        assert ana.get(f"/m/{match_id}{path}").status_code == 404
        asked = client.get(f"/m/{match_id}{path}")  # nobody is asked to sign in, whatever it is
        assert asked.status_code == routed
        assert routed == 404 or asked.headers["Location"].startswith("/sign-in?next=/m/")


def test_streams_that_nobody_reads_are_not_used_up(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever only asks for the head of one, and whoever has the news already, leaves it to the others."""
    # The browsers of other tests may hold those of this process for some seconds yet.
    monkeypatch.setattr(pages, "STREAMS", BoundedSemaphore(2))
    where, ana, _ = two(app, late_match())
    shown = f"{where}/events?state=2.running.0.0"
    for _number in range(3):
        ana.client.head(shown).close()
    with ana.client.get(shown) as stream:  # one that is held begins with no news
        assert b"data" not in next(stream.response)


def test_who_was_told_and_did_not_fetch_it_is_told_again(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    for _number in range(2):
        answer = ana.client.get(
            f"{where}/events?state=1.running.0.0", headers={"Last-Event-ID": "2.running.0.0"}
        )
        assert b"data: 2.running.0.0" in answer.data
