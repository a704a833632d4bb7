"""What somebody has learnt is theirs: a guest's, a member's, and a guest's who becomes or turns out to be one."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from flask import Flask
from sqlmodel import select

from app import create_app
from app.learning.lessons import Lesson, attempt_lesson, find_path, list_paths
from app.people.solved_lessons import write_solved_lesson
from app.platform import tables
from app.platform.database import Database
from app.platform.settings import Settings
from tests.app.browser import Visitor

SignedIn = Callable[[str], Visitor]
CUZCO = find_path("cuzco").lessons
ALL = len(CUZCO)


def solve(visitor: Visitor, lesson: Lesson) -> str:
    """Plays the worked solution, and what is told then."""
    where = f"/learn/{lesson.game}/{lesson.key}/commit"
    told = visitor.post(where, {"order": list(lesson.solution)}, follow_redirects=True)
    assert told.status_code == 200
    return unescape(told.text)


def progress(visitor: Visitor) -> str:
    return unescape(visitor.get("/learn").text)


def rows(visitor: Visitor) -> list[tables.SolvedLesson]:
    with visitor.services.database.look() as session:
        return list(session.exec(select(tables.SolvedLesson)))


def test_the_path_begins_with_its_first_lesson(client: Visitor) -> None:
    assert "of 7 solved" not in progress(client)
    page = unescape(client.get("/learn/cuzco").text)
    assert f"Begin: {CUZCO[0].title}" in page
    assert 'class="solved"' not in page


def test_looking_at_a_solution_that_somebody_sent_solves_nothing(client: Visitor) -> None:
    orders = {"order": list(CUZCO[0].solution)}
    page = client.get(f"/learn/cuzco/{CUZCO[0].key}/played", query_string=orders)
    assert "Solved." in page.text
    assert rows(client) == []


def test_an_attempt_that_falls_short_solves_nothing_and_makes_no_guest(client: Visitor) -> None:
    client.post(f"/learn/cuzco/{CUZCO[0].key}/commit", {"order": []})
    assert rows(client) == []
    with client.services.database.look() as session:
        assert session.exec(select(tables.Player)).all() == []


def test_points_are_told_only_where_there_are_some(client: Visitor) -> None:
    told = {attempt_lesson(one, one.solution).points: solve(client, one) for one in CUZCO}
    assert 0 in told
    for points, page in told.items():
        assert ("It brought you" in page) == bool(points)


def test_whoever_is_nobody_yet_becomes_a_guest_who_is_remembered(client: Visitor) -> None:
    solve(client, CUZCO[0])
    solve(client, CUZCO[1])
    solve(client, CUZCO[1])
    assert f"2 of {ALL} solved" in progress(client)
    assert f"Next: {CUZCO[2].title}" in progress(client)
    page = unescape(client.get("/learn/cuzco").text)
    assert f"Go on: {CUZCO[2].title}" in page
    assert page.count('<li class="solved">') == 2
    assert page.count('<li class="next">') == 1
    with client.services.database.look() as session:
        assert [one.guest for one in session.exec(select(tables.Player))] == [True]


def test_after_a_lesson_comes_the_next_that_is_open(client: Visitor) -> None:
    solve(client, CUZCO[1])
    assert f"/learn/cuzco/{CUZCO[2].key}" in solve(client, CUZCO[0])


def test_after_the_last_come_those_that_were_left_out_and_then_a_match(client: Visitor) -> None:
    for lesson in CUZCO[1:-1]:
        solve(client, lesson)
    assert f'href="/learn/cuzco/{CUZCO[0].key}">Next lesson' in solve(client, CUZCO[-1])
    assert "Play a demo match now" in solve(client, CUZCO[0])
    assert "All of them." in progress(client)


def test_a_guest_who_signs_in_for_the_first_time_keeps_it(client: Visitor) -> None:
    solve(client, CUZCO[0])
    client.sign_in("ana@example.org")
    assert f"1 of {ALL} solved" in progress(client)


def test_a_guest_who_has_an_account_brings_it_there(client: Visitor, signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    solve(ana, CUZCO[0])
    solve(client, CUZCO[0])
    solve(client, CUZCO[1])
    client.sign_in("ana@example.org")
    assert f"2 of {ALL} solved" in progress(client)
    assert {row.player_id for row in rows(ana)} == {ana.player.id}


def test_nobody_sees_what_another_solved(client: Visitor, signed_in: SignedIn) -> None:
    solve(signed_in("ana@example.org"), CUZCO[0])
    assert "solved" not in progress(client)
    assert f"1 of {ALL} solved" not in progress(signed_in("bea@example.org"))


def test_it_is_in_the_export_and_goes_with_the_account(signed_in: SignedIn) -> None:
    ana, bea = signed_in("ana@example.org"), signed_in("bea@example.org")
    solve(ana, CUZCO[0])
    solve(bea, CUZCO[0])
    told = ana.get("/account/export").json
    assert told
    assert [(one["game"], one["lesson"]) for one in told["lessons"]] == [("cuzco", CUZCO[0].key)]
    bea_id = bea.player.id
    assert ana.post("/account/delete").status_code == 303
    assert [row.player_id for row in rows(bea)] == [bea_id]


def test_where_no_more_guests_are_made_lessons_are_played_all_the_same(settings: Settings) -> None:
    database = Database(settings.database_url)
    app: Flask = create_app(settings, database)
    for _ in range(31):
        assert "✓ Solved." in solve(Visitor(app), CUZCO[0])
    assert len(rows(Visitor(app))) == 30
    database.close()


RULES = ("", "/the-aim", "/pieces", "/all")


@pytest.mark.parametrize(
    "where", ["/", *(f"/help/{path.key}{page}" for path in list_paths() for page in RULES)]
)
def test_teach_me_stands_on_home_and_on_each_page_of_the_rules(
    where: str, client: Visitor, signed_in: SignedIn
) -> None:
    for visitor in (client, signed_in("ana@example.org")):
        assert "Teach me" in visitor.get(where).text


def test_a_lesson_that_is_noted_twice_is_noted_once(signed_in: SignedIn) -> None:
    ana = signed_in("ana@example.org")
    me, now = ana.player.id or 0, ana.services.now()
    with ana.services.database.session() as session:
        write_solved_lesson(session, me, "cuzco", "aim", now)
        session.expunge_all()
        write_solved_lesson(session, me, "cuzco", "aim", now)
    assert len(rows(ana)) == 1
