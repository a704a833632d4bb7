"""Every lesson of every game: it can be solved as it says, and whoever errs is told so kindly, in three languages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice

import pytest

from app.learning.lessons import Attempt, attempt_lesson, list_paths, open_lesson
from app.platform.errors import LineRefused
from app.platform.i18n import LANGUAGES, translate_sentence
from app.views.scenes import make_scene
from engine.core.lessons import Lesson
from engine.core.registry import games
from tests.app.browser import Visitor

LESSONS = [lesson for path in list_paths() for lesson in path.lessons]
FEWEST = {"cuzco": 7, "java": 5, "tahuantinsuyu": 5, "inka": 5}
every_lesson = pytest.mark.parametrize(
    "lesson", LESSONS, ids=[f"{one.game}-{one.key}" for one in LESSONS]
)


def beside_the_point(lesson: Lesson) -> Iterator[Attempt]:
    """What is legal in the lesson's position and does not solve it."""
    position = open_lesson(lesson)
    game, match = position.match.game, position.match
    for action in islice(game.legal(match.state, lesson.seat), 500):
        attempt = attempt_lesson(lesson, [game.format(action)])
        if not attempt.solved:
            yield attempt


def test_every_game_has_a_path_of_lessons() -> None:
    assert {path.key for path in list_paths()} >= FEWEST.keys()
    for path in list_paths():
        assert len(path.lessons) >= FEWEST.get(path.key, 1)
        assert len({lesson.key for lesson in path.lessons}) == len(path.lessons)
        assert path.key in games()


@every_lesson
def test_the_worked_solution_solves_its_lesson(lesson: Lesson) -> None:
    attempt = attempt_lesson(lesson, lesson.solution)
    assert attempt.solved
    assert attempt.told


@every_lesson
def test_each_order_of_the_solution_is_offered_when_its_time_comes(lesson: Lesson) -> None:
    for number in range(len(lesson.solution)):
        match = attempt_lesson(lesson, lesson.solution[:number]).position.match
        legal = map(match.game.format, match.game.legal(match.state, lesson.seat))
        wanted = match.game.format(match.game.parse(lesson.seat, lesson.solution[number]))
        assert wanted in legal


@every_lesson
def test_nothing_is_solved_before_anything_is_done(lesson: Lesson) -> None:
    assert not attempt_lesson(lesson, []).solved


@every_lesson
def test_who_errs_is_told_kindly_what_is_missing(lesson: Lesson, client: Visitor) -> None:
    wrong = next(beside_the_point(lesson))
    where = f"/learn/{lesson.game}/{lesson.key}/commit"
    page = unescape(client.post(where, {"order": list(wrong.orders)}, follow_redirects=True).text)
    assert "Not yet." in page
    assert all(str(sentence) in page for sentence in wrong.missing)
    assert "Change it" in page
    assert "What happened" not in unescape(client.get(where.replace("commit", "played")).text)


@every_lesson
def test_what_the_rules_forbid_is_told_in_their_words(lesson: Lesson, client: Visitor) -> None:
    orders = ["gather llamas"]
    with pytest.raises(LineRefused) as refused:
        attempt_lesson(lesson, orders)
    answer = client.post(f"/learn/{lesson.game}/{lesson.key}/commit", {"order": orders})
    assert answer.status_code == 400
    assert str(refused.value) in unescape(answer.text)


def test_the_clause_that_forbids_it_leads_to_its_sentence(client: Visitor) -> None:
    for where in ("/learn/cuzco/aim", "/puzzles/cuzco/1", "/analysis/puzzle/cuzco/1"):
        page = client.post(f"{where}/commit", {"order": ["pass"]}).text
        assert 'href="/help/cuzco/rule/C-F3"' in page
    assert client.get("/help/cuzco/rule/C-F3").status_code == 303


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_a_lesson_says_is_said_in_every_language(lesson: Lesson, language: str) -> None:
    said = [lesson.title, lesson.idea, lesson.task, lesson.hint, lesson.praise]
    said += [wish.missing for wish in lesson.wishes]
    for sentence in said:
        told = translate_sentence(sentence, language=language)
        assert told
        assert language == "en" or told != str(sentence)


@every_lesson
def test_a_worked_solution_that_is_put_on_the_board_can_be_played(
    lesson: Lesson, client: Visitor
) -> None:
    where, orders = f"/learn/{lesson.game}/{lesson.key}", {"order": list(lesson.solution)}
    page = client.get(where, query_string=orders).text
    (play,) = re.findall(r'<button[^>]*id="play"[^>]*>', page)
    assert "disabled" not in play or "Play it now" in page
    (form,) = re.findall(rf'<form[^>]*action="{where}/commit".*?</form>', page, re.DOTALL)[:1]
    assert re.findall(r'name="order" value="(.*?)"', form) == orders["order"]


CHOOSING = re.compile("(?:[Cc]hoose|[Cc]hoisissez|[Ee]scolha) ([A-ZÀ-Ý].*)")


@every_lesson
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_hint_tells_to_choose_stands_on_a_button(lesson: Lesson, language: str) -> None:
    position = open_lesson(lesson)
    scene = make_scene(position.match, position.match.state, lesson.seat, "")
    buttons = tuple(
        translate_sentence(one.label, language=language) for one in scene.tools.values()
    )
    for sentence in (lesson.hint, *(wish.missing for wish in lesson.wishes)):
        for words in CHOOSING.findall(translate_sentence(sentence, language=language)):
            assert words.startswith(buttons)


@every_lesson
def test_nothing_is_said_to_be_final_where_one_may_begin_again(
    lesson: Lesson, client: Visitor
) -> None:
    where = f"/learn/{lesson.game}/{lesson.key}"
    drafted = {"order": list(lesson.solution[:-1]), "add": lesson.solution[-1]}
    for page in (client.get(where), client.post(f"{where}/draft", drafted, follow_redirects=True)):
        assert page.status_code == 200
        assert "cannot be taken back" not in page.text
