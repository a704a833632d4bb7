"""The end of a match: podium, where points came from, how the scores went, sharing it, and playing again."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from flask import Flask
from sqlmodel import select

from app.eventstore.store import load_match
from app.matches.participants import load_seat_names
from app.operations.moving import verify_all
from app.outbox.notifications import notify_seats
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.views.share import draw_share
from engine.core.match import start
from engine.core.registry import games
from engine.core.timeline import SeatsDrawn, SeatsTurned
from engine.cuzco.events import FinalScored
from tests.app.browser import Visitor, letters
from tests.app.seated import LATE, come_in, late_match, my_id, played, seat, two
from tests.games.test_recorded_matches import load as recorded
from workers.sharing import draw_shares

KEYS = sorted(key for key in games() if key != "apacheta")


@pytest.mark.parametrize("key", KEYS)
def test_the_end_tells_places_sources_and_the_course_of_the_scores(app: Flask, key: str) -> None:
    people = [
        come_in(app, f"p{n}@example.org", f"Player{n}x") for n in range(games()[key].seats[0])
    ]
    match = played(5000, "allover222", key, len(people))
    assert match.over
    where = seat(people[0].services, match, *map(my_id, people))
    assert "The result" in people[0].get(where).text
    page = people[0].get(f"{where}/result").text
    assert page.count('class="rank"') == len(people)
    lead = re.sub(r"<[^>]*>", "", page.partition('<p class="lead">')[2].partition("</p>")[0])
    won = match.game.winners(match.state)
    assert all(f"Player{number}x" in lead for number in won)
    assert ("shared the win" if len(won) > 1 else "won") in lead  # in the game's own words
    assert page.index('class="score-chart"') < page.index('class="score-chart narrow"')
    assert "Rematch" in page
    scores = match.game.scores(match.state)
    told = re.findall(r'<b class="points">(-?\d+)</b>', page)
    assert sorted(map(int, told)) == sorted(scores)
    table = page.partition("Where the points came from</h2>")[2].partition("</table>")[0]
    if table:
        rows = re.findall(r'<tr><th scope="row">.*?</tr>', table)
        columns = [re.findall(r'<td class="number">([^<]*)</td>', row) for row in rows]
        sums = [sum(int(n) for n in column if n != "–") for column in zip(*columns, strict=True)]
        assert tuple(sums) == scores


def test_what_the_places_brought_is_told_under_the_words_of_the_game(app: Flask) -> None:
    people = [come_in(app, f"p{n}@example.org", f"Player{n}x") for n in range(2)]
    match = replace(recorded("cuzco-2-last-triple"), id="allover222")
    page = people[0].get(f"{seat(people[0].services, match, *map(my_id, people))}/result").text
    table = page.partition("City by city, at the end</summary>")[2].partition("</table>")[0]
    rows = re.findall(r'<th scope="row">(\w+)</th>', table)
    scored = [entry.event for entry in match.log if isinstance(entry.event, FinalScored)]
    assert rows == sorted({city.at for event in scored for city in event.cities})
    assert rows


def test_a_result_is_shared_with_its_picture_and_nothing_before_the_end(app: Flask) -> None:
    where, ana, _ = two(app, played(2000, "allover222"))
    running, *_ = (seat(ana.services, late_match(), 1, 2),)
    page = ana.get(f"{where}/result").text
    found = re.search(r'property="og:url" content="https?://[^/]+(/r/[^"]+)"', page)
    assert found
    link = found[1]
    stranger = ana.app.test_client()
    assert stranger.get(where).status_code == 303  # to sign in
    assert stranger.get(link).status_code == 200
    assert stranger.get(f"{link}/picture.png").status_code == 404
    assert draw_shares(ana.services) == 1
    assert stranger.get(f"{link}/picture.png").data.startswith(b"\x89PNG")
    assert draw_shares(ana.services) == 0
    assert ana.get(f"{running}/result").headers["Location"] == running
    assert stranger.get("/r/madeup").status_code == 404


def test_a_match_that_everybody_may_watch_has_a_picture_while_it_runs_and_a_private_one_has_none(
    app: Flask,
) -> None:
    where, ana, bo = two(app, played(30, "public2222"), public=True)
    private = seat(ana.services, late_match(), my_id(ana), my_id(bo))
    assert draw_shares(ana.services) == 1
    stranger = ana.app.test_client()
    page = stranger.get(where).text
    assert f'property="og:image" content="http://127.0.0.1:8000{where}/picture.png"' in page
    first = stranger.get(f"{where}/picture.png")
    assert (first.status_code, first.data[:4]) == (200, b"\x89PNG")
    assert "og:image" not in ana.get(private).text
    assert stranger.get(f"{private}/picture.png").status_code == 303  # to sign in
    assert ana.get(f"{private}/picture.png").status_code == 404
    assert draw_shares(ana.services) == 0  # it is not old yet


def test_the_picture_of_a_running_match_is_the_same_whatever_the_hands_are() -> None:
    one, other = (late_match(hands=hands) for hands in (LATE["hands"], LATE["hands"][::-1]))
    assert one.state != other.state
    assert draw_share(one) == draw_share(other)


def test_the_mail_of_the_end_has_podium_sources_chart_and_rematch(app: Flask) -> None:
    people = [come_in(app, f"p{n}@example.org", f"Player{n}x") for n in range(3)]
    match = played(5000, "allover222", "tahuantinsuyu", 3)
    where = seat(people[0].services, match, *map(my_id, people))
    with people[0].services.database.session() as session:
        notify_seats(session, match.id, match.head, (0,), "over", at=people[0].services.now())
    letter = letters(people[0].services, "p0@example.org")[-1]
    scores = sorted(match.game.scores(match.state), reverse=True)
    ranked = re.findall(r"^ +(\d+)  [A-D] (\d)\. Player", letter.text, re.MULTILINE)
    assert [int(points) for points, _ in ranked] == scores
    assert "WHERE THE POINTS CAME FROM" in letter.text
    assert f"{where}/result#rematch" in letter.text
    assert f"{where}/result#rematch" in (letter.html or "")
    assert 'id="rematch"' in people[0].get(f"{where}/result").text


def test_a_rematch_is_one_press_and_invites_the_others_by_mail(app: Flask) -> None:
    where, ana, bo = two(app, played(2000, "allover222"), title="Old foes")
    again = ana.post(f"{where}/rematch").headers["Location"]
    assert ana.post(f"{where}/rematch").headers["Location"] == again
    assert "Old foes" in letters(ana.services, "bo@example.org")[-1].text
    assert bo.post(f"{where}/rematch").headers["Location"] == again
    with ana.services.database.look() as session:
        row = session.exec(
            select(tables.Match).where(tables.Match.rematch_of == "allover222")
        ).one()
    assert row.status == "running"
    cy = come_in(app, "cy@example.org")
    assert cy.post(f"{where}/rematch").status_code == 404


def test_in_a_rematch_the_seats_are_turned_and_the_log_says_so(app: Flask) -> None:
    people = [come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy")]
    old = seat(people[0].services, played(5000, "allover222", seats=3), *map(my_id, people))
    again = [one.post(f"{old}/rematch").headers["Location"] for one in people]
    assert len(set(again)) == 1
    match = load_match(people[0].services.database, again[0].rpartition("/")[2])
    with people[0].services.database.look() as session:
        names = load_seat_names(session, match.id)
    assert list(names.values()) == ["Bo", "Cy", "Ana"]
    assert match.log[1].event == SeatsTurned(("", "", ""), "allover222")
    assert "The seats were turned by one" in people[0].get(f"{again[0]}/history").text


def test_where_others_sit_in_a_rematch_a_lot_is_drawn(app: Flask) -> None:
    """Whoever opened it could give the seats away again, and choose who begins."""
    where, ana, _ = two(app, played(2000, "allover222"))
    again = ana.post(f"{where}/rematch").headers["Location"]
    assert ana.post(f"{again}/seat/0", {"wish": "bot:steady"}).status_code == 303
    match = load_match(ana.services.database, again.rpartition("/")[2])
    assert isinstance(match.log[1].event, SeatsDrawn)


def test_verify_knows_a_rematch_and_finds_one_that_names_another_match(app: Flask) -> None:
    where, ana, bo = two(app, played(2000, "allover222"))
    again = [one.post(f"{where}/rematch").headers["Location"] for one in (ana, bo)]
    match_id, database = again[0].rpartition("/")[2], ana.services.database
    assert list(verify_all(database, [match_id])) == [None]
    for invented in (None, "strange222"):
        with database.session() as session:
            session.get_one(tables.Match, match_id).rematch_of = invented
        (fault,) = verify_all(database, [match_id])
        assert fault is not None
        assert "it is no rematch of the match that it names" in fault


@pytest.mark.parametrize(
    ("before", "fault"),
    [
        ("allover222", None),
        ("nothere222", "which there is none"),
        ("running222", "which had not ended"),
        ("strange222", "where none of its people played"),
    ],
)
def test_seats_turned_since_a_match_that_cannot_be_are_found(
    app: Flask, before: str, fault: str | None
) -> None:
    _, ana, bo = two(app, played(2000, "allover222"))
    cy, services = come_in(app, "cy@example.org"), ana.services
    seat(services, played(10, "running222"), my_id(ana), my_id(bo))
    seat(services, played(2000, "strange222"), my_id(cy), my_id(cy))
    forged = start(games()["cuzco"], 2, {}, "s", "forged2222", ["", ""], turned=True, before=before)
    seat(services, forged, my_id(ana), my_id(bo))
    with services.database.session() as session:
        row = session.get_one(tables.Match, "forged2222")
        row.rematch_of, row.started_at = before, services.now()
    (told,) = verify_all(services.database, ["forged2222"])
    assert told is None if fault is None else fault in str(told)


def test_a_rematch_tells_nobody_the_address_of_another(app: Flask) -> None:
    where, ana, _ = two(app, played(2000, "allover222"))
    room = ana.get(ana.post(f"{where}/rematch").headers["Location"]).text
    assert "bo@example.org" not in room
    assert "invited, not here yet: <bdi>Bo</bdi>" in room
    letter = letters(ana.services, "bo@example.org")[-1]
    assert "Ana wants a rematch" in letter.text
    with ana.services.database.session() as session:
        row = session.exec(select(tables.Outbox).where(tables.Outbox.kind == "invitation")).one()
        row.why = "bounced"
        told = {"match_id": row.match_id, "player_id": my_id(ana), "payload": {"email": row.email}}
        enqueue_mail(session, "lost", ana.services.now(), pos=0, **told)
    back = letters(ana.services, "ana@example.org")[-1]
    assert "The invitation to Bo came back" in back.text
    assert "bo@example.org" not in back.source + ana.get("/matches").text


def test_a_guest_plays_a_bot_again(app: Flask, client: Visitor) -> None:
    demo = client.post("/demo", {"game": "cuzco"}).headers["Location"]
    with client.services.database.session() as session:
        row = session.get_one(tables.Match, demo.rpartition("/")[2])
        row.status = "closed"
    again = client.post(f"{demo}/rematch")
    assert again.headers["Location"] != demo
    assert "Steady (bot)" in client.get(again.headers["Location"]).text


def test_no_rematch_before_the_end(app: Flask) -> None:
    where, ana, _ = two(app, late_match())
    assert ana.post(f"{where}/rematch").status_code == 403
