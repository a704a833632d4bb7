"""Lessons and puzzles by mail: the task as a mail, answered by orders; and one puzzle a morning for those who want it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email import message_from_string

import pytest
from sqlmodel import select

from app.learning.lessons import find_path
from app.learning.puzzles import find_puzzle, list_puzzles, puzzle_of_day
from app.mail.incoming.receive import receive_mail
from app.mail.reply_addresses import Learner, make_exercise_address, read_exercise_address
from app.platform import tables
from app.platform.services import Services
from tests.app.answering import answer, letter
from tests.app.browser import Visitor, letters
from workers.relay import drain

ANA = "ana@example.org"
EVENING = datetime(2026, 3, 28, 20, tzinfo=UTC)
GAMES = ("cuzco", "inka", "java", "tahuantinsuyu")


@pytest.fixture
def ana(client: Visitor) -> Visitor:
    client.sign_in(ANA)
    return client


def newest(ana: Visitor) -> tuple[tables.Letter, str]:
    """The last mail, and where it is answered."""
    found = letters(ana.services, ANA)[-1]
    return found, message_from_string(found.source)["Reply-To"] or ""


def solved(services: Services) -> list[tuple[str, str]]:
    with services.database.look() as session:
        rows = session.exec(select(tables.SolvedLesson))
        return [(row.game, row.lesson) for row in rows]


@pytest.mark.parametrize("key", GAMES)
def test_the_first_lesson_of_a_game_is_taken_by_mail(ana: Visitor, key: str) -> None:
    first, second, *_ = find_path(key).lessons
    assert ana.post(f"/learn/{key}/{first.key}/mail").status_code == 303
    mail, to = newest(ana)
    assert str(first.title) in mail.subject
    assert " ".join(str(first.task).split()) in " ".join(mail.text.split())
    assert answer(ana.services, to, "\n".join(first.solution)) == "told"
    told, onward = newest(ana)
    assert told.subject == "Solved!"
    assert " ".join(str(second.task).split()) in " ".join(told.text.split())
    assert onward != to
    assert solved(ana.services) == [(key, first.key)]
    assert "In-Reply-To: <" in told.source
    for read in (mail, told):
        assert 'alt="The board as you see it; it stands as text in the other part' in read.html


def test_who_errs_is_told_kindly_by_mail_and_may_try_again(ana: Visitor) -> None:
    lesson = find_path("cuzco").lessons[0]
    ana.post(f"/learn/cuzco/{lesson.key}/mail")
    _, to = newest(ana)
    for orders in ("end", "build a1 9", "no idea, sorry"):
        assert answer(ana.services, to, orders) == "told"
        told, again = newest(ana)
        assert told.subject == "Not yet: try again"
        assert again == to
    assert solved(ana.services) == []
    assert answer(ana.services, to, "\n".join(lesson.solution)) == "told"
    assert solved(ana.services) == [("cuzco", lesson.key)]


def test_a_mail_that_refuses_names_the_clause_and_where_it_stands(ana: Visitor) -> None:
    ana.post(f"/learn/cuzco/{find_path('cuzco').lessons[0].key}/mail")
    answer(ana.services, newest(ana)[1], "end")
    mail, _ = newest(ana)
    where = f"{ana.services.settings.base_url}/help/cuzco/rule/C-A4"
    assert f"C-A4: {where}" in mail.text
    assert f'href="{where}"' in mail.html


def test_the_last_lesson_leads_to_no_other(ana: Visitor) -> None:
    lesson = find_path("inka").lessons[-1]
    ana.post(f"/learn/inka/{lesson.key}/mail")
    answer(ana.services, newest(ana)[1], "\n".join(lesson.solution))
    told, to = newest(ana)
    assert "That was the last of them" in told.text
    assert to == ""


def test_only_the_learner_answers_and_nothing_is_done_twice(ana: Visitor) -> None:
    lesson = find_path("cuzco").lessons[0]
    ana.post(f"/learn/cuzco/{lesson.key}/mail")
    before, to = newest(ana)
    orders = "\n".join(lesson.solution)
    assert answer(ana.services, to, orders, "bo@example.org") == "ignored"
    assert answer(ana.services, to.replace("lesson.cuzco.1", "lesson.cuzco.2"), orders) == "unknown"
    mine = letter(orders)
    assert receive_mail(ana.services, to, mine, ANA) == "told"
    assert receive_mail(ana.services, to, mine, ANA) == "ignored"
    assert len(letters(ana.services, ANA)) == letters(ana.services, ANA).index(before) + 2


def test_an_address_of_a_lesson_that_there_is_not_does_nothing(ana: Visitor) -> None:
    settings = ana.services.settings
    for to in (
        Learner("lesson", "cuzco", 99, ana.player.id or 0),
        Learner("puzzle", "chess", 1, 1),
    ):
        where = make_exercise_address(settings, to)
        assert read_exercise_address(settings, where) == to
        assert answer(ana.services, where, "end") == "ignored"


def wants_puzzles(ana: Visitor, at: datetime) -> None:
    ana.services.now = lambda: at
    form = {"name": "Ana", "language": "en", "timezone": "UTC", "mails": ["puzzle"]}
    assert ana.post("/account", form).status_code == 303


def test_a_puzzle_a_morning_for_those_who_want_it(ana: Visitor) -> None:
    wants_puzzles(ana, EVENING)
    count = len(letters(ana.services, ANA))
    morning = EVENING + timedelta(hours=12)
    ana.services.now = lambda: morning
    for _ in range(3):
        drain(ana.services)
    assert len(letters(ana.services, ANA)) == count + 1
    mail, to = newest(ana)
    today = puzzle_of_day(morning.date())
    assert today
    assert mail.subject.startswith("A puzzle: ")
    assert f"/puzzles/{today.game}/{today.key}" in mail.text
    assert "List-Unsubscribe-Post" in mail.source
    assert answer(ana.services, to, "\n".join(today.solution)) == "told"
    assert newest(ana)[0].subject == "Solved!"
    with ana.services.database.look() as session:
        (row,) = session.exec(select(tables.PuzzleTry))
        assert row.solved_at


def test_one_click_ends_the_puzzles_and_nothing_else(ana: Visitor) -> None:
    wants_puzzles(ana, EVENING)
    ana.services.now = lambda: EVENING + timedelta(hours=12)
    drain(ana.services)
    mail, _ = newest(ana)
    link = mail.text.rpartition("/unsubscribe/")[2].split()[0]
    assert "No more puzzles by mail?" in ana.get(f"/unsubscribe/{link}").text
    ana.post(f"/unsubscribe/{link}")
    assert ana.player.mail_preferences["puzzle"] is False
    assert ana.player.digest_at is None


def test_a_puzzle_that_is_not_solved_counts_as_a_try(ana: Visitor) -> None:
    number = list_puzzles("cuzco").index(find_puzzle("cuzco", "1")) + 1
    where = make_exercise_address(
        ana.services.settings, Learner("puzzle", "cuzco", number, ana.player.id or 0)
    )
    assert answer(ana.services, where, "end") == "told"
    mail, _ = newest(ana)
    assert mail.subject == "Not yet: try again"
    assert "The best:" in mail.text
    with ana.services.database.look() as session:
        assert [row.solved_at for row in session.exec(select(tables.PuzzleTry))] == [None]
