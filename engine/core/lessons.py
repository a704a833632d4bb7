"""The lessons of a game: short tasks in real positions, as they stand beside its code (`lessons.toml`)."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

from engine.core.codec import encode
from engine.core.game import Game
from engine.core.match import Match, start_at
from engine.core.sentence import Sentence, say

SPOKEN = ("title", "idea", "task", "hint", "praise")  # what is said to the learner


@dataclass(frozen=True, slots=True)
class Wish:
    """What must come of the orders: an event whose values are these, or at least these; `missing` is said where it did not.

    Without an event, so many `points`. An event of a seat is the learner's own.
    """

    missing: Sentence
    event: str | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    least: Mapping[str, int] = field(default_factory=dict)
    points: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """One idea, and a task that shows it. `replies` are what others answer when they are asked meanwhile."""

    game: str
    key: str
    title: Sentence
    idea: Sentence
    task: Sentence
    hint: Sentence
    praise: Sentence
    seat: int
    position: Mapping[str, Any]
    wishes: tuple[Wish, ...]
    solution: tuple[str, ...]
    replies: tuple[tuple[int, str], ...] = ()


@cache
def list_lessons(key: str) -> tuple[Lesson, ...]:
    """The lessons of a game in the order in which they are best taken; a game may have none."""
    file = files(f"engine.{key}").joinpath("lessons.toml")
    if not file.is_file():
        return ()
    told = tomllib.loads(file.read_text(encoding="utf-8"))
    return tuple(read_lesson(key, one) for one in told["lesson"])


def read_lesson(game: str, told: Mapping[str, Any]) -> Lesson:
    return Lesson(
        game=game,
        key=told["key"],
        **{name: say(told[name]) for name in SPOKEN},
        seat=told["seat"],
        position=told["position"],
        wishes=tuple(read_wish(wish) for wish in told["wish"]),
        solution=tuple(told["solution"]),
        replies=tuple((seat, order) for seat, order in told.get("replies", ())),
    )


def read_wish(told: Mapping[str, Any]) -> Wish:
    return Wish(
        missing=say(told["missing"]),
        event=told.get("event"),
        values=told.get("is", {}),
        least=told.get("least", {}),
        points=told.get("points", 0),
    )


def begin_lesson(game: Game, lesson: Lesson) -> Match:
    """The lesson's position as a match that nobody keeps; its chance is always the same."""
    return start_at(game, lesson.position, "lesson", f"lesson {game.key} {lesson.key}")


def is_granted(wish: Wish, seat: int, events: Iterable[Any], points: int) -> bool:
    """Whether what happened is what was wished for."""
    if wish.event is None:
        return points >= wish.points
    kin = (event for event in events if type(event).__name__ == wish.event)
    return any(is_wished(wish, seat, encode(event)) for event in kin)


def is_wished(wish: Wish, seat: int, told: Mapping[str, Any]) -> bool:
    """Whether an event, as data, has the values that are wished for."""
    wanted = {"seat": seat, **wish.values} if "seat" in told else wish.values
    return all(holds(told.get(name), value) for name, value in wanted.items()) and all(
        (told.get(name) or 0) >= value for name, value in wish.least.items()
    )


def holds(found: Any, wanted: Any) -> bool:
    """Whether a value is the wanted one; of a list beside a single value, whether that is in it."""
    match found, wanted:
        case list(), list():
            return found == wanted
        case list(), _:
            return wanted in found
        case _, list():
            return found in wanted
    return bool(found == wanted)
