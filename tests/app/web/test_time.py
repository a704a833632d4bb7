"""Standing orders, clocks, calendars, quiet hours and vacations on the pages."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from flask import Flask
from sqlmodel import select

from app.clocks.clocks import arrange_clocks
from app.platform import tables
from tests.app import sleepers
from tests.app.browser import Visitor
from tests.app.seated import come_in, commit, late_match, my_id, seat, two
from workers.deadlines import sweep

LAST = "place triple g14 g16 h15"


def standing_of(visitor: Visitor) -> list[dict[str, object]]:
    with visitor.services.database.look() as session:
        return [row.orders["festival"] for row in session.exec(select(tables.Standing))]


def ticking(visitor: Visitor, where: str, **pace: object) -> str:
    """Starts the clocks of a match that was put there as it stands."""
    match_id = where.removeprefix("/m/")
    services = visitor.services
    with services.database.session() as session:
        row = session.get_one(tables.Match, match_id)
        row.pace = {**row.pace, **pace}
        row.deadline = arrange_clocks(session, match_id, [0], services.now())
    return match_id


def bare(visitor: Visitor, where: str) -> str:
    """A page without what is new each time it is shown."""
    return re.sub(r'name="(csrf_token|key)" value="[^"]*"', "", visitor.get(where).text)


# Standing orders


def test_a_person_sets_them_and_takes_them_back(app: Flask) -> None:
    where, _, bo = two(app, late_match())
    assert "Let festivals be answered while you sleep" in bo.get(where).text
    form = {
        "question": "festival",
        "up_to": "3",
        "share": "yes",
        "cities": "g16 0, e14 5",
        "only": "yes",
    }
    assert bo.post(f"{where}/standing", form).status_code == 303
    cities = {"g16": 0, "e14": 5}
    assert standing_of(bo) == [{"up_to": 3, "share": True, "cities": cities, "only": True}]
    page = bo.get(where).text
    assert "Your standing orders are kept." in page
    assert 'value="g16 0, e14 5"' in page
    assert "You are answered for: change or take back" in page
    assert bo.post(f"{where}/standing", {**form, "drop": "yes"}).status_code == 303
    assert standing_of(bo) == []


def test_nobody_else_sees_them_but_their_seat_is_told_what_they_did(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    before = bare(ana, where)
    bo.post(f"{where}/standing", {"question": "festival", "up_to": "1", "share": "yes"})
    assert bare(ana, where) == before
    assert commit(ana, where, LAST, "festival e14 kero").status_code == 303
    assert "Waiting for Bo." in ana.get(where).text
    assert sleepers.answers(ana.services) == 1
    assert "You are asked for an answer." in ana.get(where).text  # Bo has bid
    mark = "by your standing orders"
    assert bo.get(where).text.count(mark) == 2  # in the story, and between the words of the table
    for visitor in (ana, come_in(app, "eve@example.org")):
        for path in (where, f"{where}/history"):
            assert mark not in visitor.get(path).text


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"up_to": "many"}, "That is no whole number: many"),
        ({"up_to": "999"}, "up_to takes whole numbers from 0 to 60."),
        ({"cities": "g16"}, "Standing orders cannot say this: g16"),
        ({"cities": "3"}, "Write each city with its limit, such as g16 0."),
        ({"cities": "z9 1"}, "There is no hex"),
    ],
)
def test_what_cannot_be_is_told_on_the_page(
    app: Flask, form: dict[str, str], sentence: str
) -> None:
    where, ana, _ = two(app, late_match())
    response = ana.post(f"{where}/standing", {"question": "festival", **form})
    assert response.status_code == 400
    assert sentence in response.text
    assert standing_of(ana) == []


def test_who_does_not_sit_there_sets_nothing(app: Flask) -> None:
    where, ana, _ = two(app, late_match(), public=True)
    eve = come_in(app, "eve@example.org")
    assert 'id="standing"' not in eve.get(where).text
    assert eve.post(f"{where}/standing", {"up_to": "3"}).status_code == 403
    assert eve.post(f"{where}/return").status_code == 403
    assert standing_of(ana) == []


# Clocks


def test_the_page_tells_what_is_in_the_bank(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    ticking(ana, where, bank_hours=30)
    assert "Time in the bank:" in bo.get(where).text
    assert bo.get(where).text.count("30 h") == 2


def test_a_player_comes_back_by_a_button(app: Flask) -> None:
    where, ana, bo = two(app, late_match())
    ticking(ana, where, bank_hours=0, on_timeout="bot")
    now = ana.services.now()
    ana.services.now = lambda: now + timedelta(hours=49)
    assert sweep(ana.services) == 1
    assert "a bot plays on for you" in ana.get(where).text
    assert "a bot plays on for you" not in bo.get(where).text
    assert "The time of Ana is over" in bo.get(where).text
    assert ana.post(f"{where}/return").status_code == 303
    page = ana.get(where).text
    assert "Welcome back" in page
    assert "Ana is back." in page
    assert "a bot plays on for you" not in page


# Calendars


def test_the_deadline_goes_into_a_calendar(app: Flask) -> None:
    where, ana, bo = two(app, late_match(), title="Nacht; und, Nebel")
    match_id = ticking(ana, where)
    response = ana.get(f"{where}/deadline.ics")
    assert response.content_type == "text/calendar; charset=utf-8"
    lines = response.text.split("\r\n")
    assert lines[0] == "BEGIN:VCALENDAR"
    assert f"UID:{match_id}@localhost" in lines or f"UID:{match_id}@127.0.0.1" in lines
    assert "SUMMARY:Your answer in Nacht\\; und\\, Nebel is due" in lines
    assert "SUMMARY:An answer in" in bo.get(f"{where}/deadline.ics").text
    first = int(re.findall(r"SEQUENCE:(\d+)", response.text)[0])
    commit(ana, where, LAST)
    later = ana.get(f"{where}/deadline.ics").text
    assert int(re.findall(r"SEQUENCE:(\d+)", later)[0]) > first
    assert all(len(line.encode()) <= 75 for line in later.split("\r\n"))


def test_only_those_at_the_table_have_it(app: Flask) -> None:
    where, _, _ = two(app, late_match(), public=True)
    eve = come_in(app, "eve@example.org")
    assert eve.get(f"{where}/deadline.ics").status_code == 403
    assert Visitor(app).get(f"{where}/deadline.ics").status_code in (302, 303, 401)
    private = seat(eve.services, late_match("private222"), my_id(eve), my_id(eve))
    assert come_in(app, "mal@example.org").get(f"{private}/deadline.ics").status_code == 404


def test_a_secret_link_gives_all_that_waits_for_a_player(app: Flask) -> None:
    where, ana, bo = two(app, late_match(), title="First")
    ticking(ana, where)
    other = seat(ana.services, late_match("second2222"), my_id(bo), my_id(ana), title="Second")
    ticking(ana, other)
    found = re.search(r'value="(https?://[^"]+/calendar/[^"]+[.]ics)"', ana.get("/account").text)
    assert found
    link = "/" + found[1].split("/", 3)[3]
    text = Visitor(app).get(link).text
    assert "First" in text
    assert "Second" not in text  # Bo is asked there
    assert Visitor(app).get("/calendar/made-up.ics").status_code == 404


# The account


def test_quiet_hours_are_kept_and_can_be_ended(app: Flask) -> None:
    ana = come_in(app, "ana@example.org")
    assert ana.post("/account/quiet", {"from": "22:30", "to": "07:00"}).status_code == 303
    assert (ana.player.quiet_from, ana.player.quiet_to) == (22 * 60 + 30, 7 * 60)
    assert 'value="22:30"' in ana.get("/account").text
    assert ana.post("/account/quiet", {"from": "22:30", "to": "soon"}).status_code == 400
    assert ana.post("/account/quiet", {"from": "", "to": ""}).status_code == 303
    assert ana.player.quiet_from is None


def test_a_vacation_is_taken_shown_and_ended(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    match_id = ticking(ana, where)
    today = ana.services.now().date()
    days = {"first": today.isoformat(), "last": (today + timedelta(days=2)).isoformat()}
    before = due(ana, match_id)
    assert ana.post("/account/vacation", days).status_code == 303
    assert due(ana, match_id) > before + timedelta(days=1)
    assert "27 days are left" in ana.get("/account").text or today.month == 12
    found = re.search(r"/account/vacation/\d+/end", ana.get("/account").text)
    assert found
    assert ana.post(found[0]).status_code == 303
    assert abs(due(ana, match_id) - before) < timedelta(minutes=1)
    assert ana.post("/account/vacation", {"first": "x", "last": "y"}).status_code == 400


def due(visitor: Visitor, match_id: str) -> datetime:
    with visitor.services.database.look() as session:
        found = session.get_one(tables.Match, match_id).deadline
        assert found
        return found
