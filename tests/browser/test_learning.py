"""The first lesson of each game is played by mouse, by finger and by keys alone, and stays solved."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from app.learning.lessons import Lesson, list_paths
from engine.core.registry import find
from tests.browser.people import Person

Come = Callable[..., Person]
FIRST = [path.lessons[0] for path in list_paths()]
first_lessons = pytest.mark.parametrize("lesson", FIRST, ids=[one.game for one in FIRST])


def words_of(lesson: Lesson, order: str) -> tuple[str, ...]:
    """An order as its verb, which may be two words, and the rest."""
    verbs = [verb for verb in find(lesson.game).verbs if f"{order} ".startswith(f"{verb} ")]
    verb = max(verbs, key=len)
    return verb, *order.removeprefix(verb).split()


def is_solved(somebody: Person, lesson: Lesson) -> None:
    somebody.page.locator(".notice.good", has_text="Solved.").wait_for()
    somebody.go("/learn")
    somebody.sees("1 of ")
    somebody.go(f"/learn/{lesson.game}")
    assert somebody.page.locator(".lessons li.solved").count() == 1


@first_lessons
@pytest.mark.parametrize("size", ["desktop", "phone"])
def test_the_first_lesson_is_played_by_mouse_and_by_finger(
    lesson: Lesson, size: str, person: Come
) -> None:
    somebody = person(size=size)
    somebody.go(f"/learn/{lesson.game}/{lesson.key}")
    for order in lesson.solution:
        verb, *words = words_of(lesson, order)
        if verb.startswith("place"):
            somebody.page.locator(f"[data-verb='{verb}']").click()
            somebody.drafting(partial(somebody.turn, words[0], order))
        else:
            somebody.order(verb, *words)
    asked = somebody.page.locator(".confirm button")
    (asked if asked.count() else somebody.page.locator("#play")).first.click()
    is_solved(somebody, lesson)


@first_lessons
def test_the_first_lesson_is_played_by_keys_alone(lesson: Lesson, person: Come) -> None:
    somebody = person()
    somebody.go(f"/learn/{lesson.game}/{lesson.key}")
    somebody.reach(".write summary")
    somebody.page.keyboard.press("Enter")
    somebody.reach("#typed")
    for number, order in enumerate(lesson.solution):
        if number:
            somebody.reach("#typed")
        somebody.page.keyboard.type(order)
        somebody.drafting(lambda: somebody.page.keyboard.press("Enter"))
    somebody.reach(".confirm button, #play")
    somebody.page.keyboard.press("Enter")
    is_solved(somebody, lesson)
