"""Playing a lesson: its position, what a learner tries there, and what came of it. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache

from app.matches.drafts import clean_orders
from app.platform.errors import LineRefused
from app.platform.i18n import translate_sentence
from app.views.event_text import describe_event
from app.views.order_words import ToldOrder, describe_orders
from app.views.position_page import Position, set_up_position
from engine.core import lessons
from engine.core.lessons import begin_lesson, is_granted, list_lessons
from engine.core.match import Match, play
from engine.core.refusal import Refusal, Unknown
from engine.core.registry import find, games
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say

Lesson = lessons.Lesson  # for the surfaces: they import from the app alone


@dataclass(frozen=True, slots=True)
class Path:
    """The lessons of one game, in their order."""

    key: str
    name: str
    lessons: tuple[Lesson, ...]
    solved: frozenset[str] = frozenset()  # by whoever looks at it

    @property
    def next(self) -> Lesson | None:
        """The first lesson that is still open; None where all are solved."""
        return next((one for one in self.lessons if one.key not in self.solved), None)

    def following(self, lesson: Lesson) -> Lesson | None:
        """What to go on with after a lesson: the next open one behind it, else the first open one before it."""
        place = self.lessons.index(lesson)
        around = (*self.lessons[place + 1 :], *self.lessons[:place])
        return next((one for one in around if one.key not in self.solved), None)

    def number(self, lesson: Lesson) -> int:
        return self.lessons.index(lesson) + 1


Solved = frozenset[tuple[str, str]]  # games and their lessons, as `load_solved_lessons` has them


def find_path(key: str, solved: Solved = frozenset()) -> Path:
    """The lessons of a game; refuses a game that there is not or that has none."""
    game, found = find(key), list_lessons(key)
    if not found:
        raise Unknown(say("{game} has no lessons yet.", game=game.name))
    done = frozenset(one.key for one in found if (game.key, one.key) in solved)
    return Path(game.key, game.name, found, done)


def list_paths(solved: Solved = frozenset()) -> tuple[Path, ...]:
    """The lessons of every game that has some."""
    return tuple(find_path(key, solved) for key in games() if list_lessons(key))


def find_lesson(key: str, name: str) -> Lesson:
    found = next((one for one in find_path(key).lessons if one.key == name), None)
    if found is None:
        raise Unknown(say("There is no such lesson."))
    return found


@cache
def begin(lesson_of: str, name: str) -> Match:
    """The position of a lesson; it is asked for at every step."""
    return begin_lesson(find(lesson_of), find_lesson(lesson_of, name))


def open_lesson(lesson: Lesson) -> Position:
    """The lesson's position, to be played from its seat."""
    match = begin(lesson.game, lesson.key)
    return set_up_position(match, lesson.seat, translate_sentence(lesson.title))


@cache
def tell_lesson_solution(lesson_of: str, name: str) -> list[ToldOrder]:
    """The orders that solve a lesson, in words."""
    lesson, match = find_lesson(lesson_of, name), begin(lesson_of, name)
    return describe_orders(match.game, match.state, lesson.seat, lesson.solution)


@dataclass(frozen=True, slots=True)
class Attempt:
    """What came of some orders: the position after them, what happened, and what is still missing."""

    lesson: Lesson
    orders: tuple[str, ...]
    position: Position
    told: tuple[Sentence, ...]
    points: int
    missing: tuple[Sentence, ...]

    @property
    def solved(self) -> bool:
        return not self.missing


def attempt_lesson(lesson: Lesson, orders: Sequence[str]) -> Attempt:
    """Plays orders in a lesson's position, for good; refuses what the rules refuse, in their words."""
    position, lines = open_lesson(lesson), clean_orders(list(orders))
    before = position.match
    after = answered(played(before, lesson.seat, lines), lesson)
    game, events = before.game, [entry.event for entry in after.log[before.head :]]
    own = [event for event in events if isinstance(event, game.events)]
    points = game.scores(after.state)[lesson.seat] - game.scores(before.state)[lesson.seat]
    wishes = (w for w in lesson.wishes if not is_granted(w, lesson.seat, own, points))
    return Attempt(
        lesson=lesson,
        orders=tuple(lines),
        position=set_up_position(after, lesson.seat, position.title),
        told=tuple(
            describe_event(game, redact(event, lesson.seat))
            for event in own
            if not isinstance(event, game.asking)
        ),
        points=points,
        missing=tuple(wish.missing for wish in wishes),
    )


def played(match: Match, seat: int, orders: Sequence[str]) -> Match:
    for line, order in enumerate(orders, 1):
        try:
            match = play(match, seat, order)
        except Refusal as problem:
            raise LineRefused(line, problem) from None
    return match


def answered(match: Match, lesson: Lesson) -> Match:
    """The match after what others say when they are asked; where they are not, they say nothing."""
    for seat, order in lesson.replies:
        with suppress(Refusal):
            match = play(match, seat, order)
    return match
