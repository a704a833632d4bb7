"""The first lesson of each game is played by mouse, by finger and by keys alone, one by mail, and stays solved."""

from __future__ import annotations

import time
from collections.abc import Callable
from email import message_from_string
from functools import partial

import pytest

from app.learning.lessons import Lesson, Path, list_paths
from engine.core.registry import find
from tests.app.answering import answer
from tests.app.browser import letters
from tests.browser.live import Live
from tests.browser.people import PATIENCE, Person

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


# Which of these places somebody cannot see whole in the frame of the board.
UNSEEN = """(places) => {
  const frame = document.querySelector(".sheet").getBoundingClientRect();
  const within = ({ x, y, width, height }) => x >= frame.left && y >= frame.top && x + width <= frame.right && y + height <= frame.bottom;
  return places.filter((place) => !within(document.querySelector(`[data-place='${place}']`).getBoundingClientRect()));
}"""


@pytest.mark.parametrize("path", list_paths(), ids=lambda path: path.key)
def test_on_a_phone_all_that_a_lesson_needs_lies_in_sight_when_it_opens(
    path: Path, person: Come
) -> None:
    somebody = person(size="phone")
    for lesson in path.lessons:
        somebody.go(f"/learn/{lesson.game}/{lesson.key}")
        words = " ".join(lesson.solution).split()
        places = [one for one in words if somebody.page.locator(f"[data-place='{one}']").count()]
        assert somebody.page.evaluate(UNSEEN, places) == [], lesson.key


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


def test_a_lesson_is_asked_for_on_its_page_and_solved_by_mail(live: Live, person: Come) -> None:
    lesson, email = FIRST[0], "learner@lys.org"
    somebody = person()
    somebody.sign_in(email)
    somebody.go(f"/learn/{lesson.game}/{lesson.key}")
    somebody.press("Send it to me by mail")
    somebody.sees("on its way to you by mail")
    read_newest(somebody, email, f"A lesson: {lesson.title}")
    mail = somebody.page.frame_locator("iframe.letter")
    mail.locator("p", has_text=str(lesson.task)).wait_for()
    source = letters(live.services, email)[-1].source
    to = message_from_string(source)["Reply-To"]
    assert answer(live.services, to, "\n".join(lesson.solution), email) == "told"
    read_newest(somebody, email, "Solved!")
    somebody.go(f"/learn/{lesson.game}")
    assert somebody.page.locator(".lessons li.solved").count() == 1


def read_newest(somebody: Person, email: str, subject: str) -> None:
    """Opens the mail with this subject when it has come."""
    letter = somebody.page.locator(".list a", has_text=subject).filter(has_text=email).first
    until = time.monotonic() + PATIENCE / 1000
    somebody.go("/mailbox")
    while not letter.count():
        assert time.monotonic() < until, f"no mail about {subject}"
        somebody.page.wait_for_timeout(100)
        somebody.go("/mailbox")
    letter.click()
    somebody.sees(subject)
