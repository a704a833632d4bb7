"""Figures from the courses of many matches, as rows of words for the screen and for Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from engine.core.arena import wilson
from tests.balance.matches import Course

WINS = ("seats", "who", "matches", "wins", "share", "95 of 100", "from fair")
COURSE = ("seats", "rounds", "quartiles", "first round", "lead changes", "with any", "endings")


@dataclass(frozen=True, slots=True)
class Measured:
    """The matches of one number of seats."""

    seats: int
    courses: tuple[Course, ...]


def win_rows(measured: Measured) -> Iterator[tuple[str, ...]]:
    """A row for each seat and, where colours change seats, for each colour."""
    fixed = len({course.colours for course in measured.courses}) == 1
    for seat in range(measured.seats):
        colour = f" ({measured.courses[0].colours[seat]})" if fixed else ""
        yield win_row(measured, f"seat {seat}{colour}", lambda _, s=seat: s)
    if not fixed:
        for colour in sorted({name for course in measured.courses for name in course.colours}):
            yield win_row(measured, colour, lambda course, c=colour: seat_of(course, c))

    if any(course.bots for course in measured.courses):
        for bot in dict.fromkeys(name for course in measured.courses for name in course.bots):
            yield bot_row(measured, bot)


def bot_row(measured: Measured, bot: str) -> tuple[str, ...]:
    """How often one of two bots won; with more than two seats, the rival from any of its own."""
    parts = [
        sum(course.bots[seat] == bot for seat in course.winners) / len(course.winners)
        for course in measured.courses
    ]
    fair = sum(name == bot for name in measured.courses[0].bots) / measured.seats
    return row(measured.seats, bot, len(parts), sum(parts), fair)


def seat_of(course: Course, colour: str) -> int | None:
    return course.colours.index(colour) if colour in course.colours else None


def win_row(measured: Measured, who: str, find: Callable[[Course], int | None]) -> tuple[str, ...]:
    """How often somebody won of the matches that they were in; a shared win counts as its part."""
    seats = [(course, find(course)) for course in measured.courses]
    played = [(course, seat) for course, seat in seats if seat is not None]
    wins = sum(1 / len(course.winners) for course, seat in played if seat in course.winners)
    return row(measured.seats, who, len(played), wins, 1 / measured.seats)


def row(seats: int, who: str, matches: int, wins: float, fair: float) -> tuple[str, ...]:
    """Wins as words, with the interval of their share and how far it is from the fair one."""
    low, high = wilson(wins, matches)
    share = wins / matches
    return (
        str(seats),
        who,
        str(matches),
        f"{wins:.1f}".removesuffix(".0"),
        f"{share:.1%}",
        f"{low:.1%} – {high:.1%}",
        f"{100 * (share - fair):+.1f}",
    )


def course_row(measured: Measured) -> tuple[str, ...]:
    """How long the matches were, how the lead changed and how they ended."""
    courses = measured.courses
    rounds = [course.rounds for course in courses]
    changes = [course.lead_changes for course in courses]
    endings = Counter(course.ending for course in courses)
    return (
        str(measured.seats),
        f"{median(rounds):g}",
        between_quartiles(rounds),
        percent(sum(n <= 1 for n in rounds), len(courses)),
        f"{sum(changes) / len(changes):.1f}",
        percent(sum(n > 0 for n in changes), len(courses)),
        ", ".join(f"{name} {percent(n, len(courses))}" for name, n in endings.most_common()),
    )


def between_quartiles(values: Sequence[int]) -> str:
    if len(values) < 2:
        return "-"
    low, _, high = quantiles(values, n=4, method="inclusive")
    return f"{low:g} – {high:g}"


def percent(part: int, whole: int) -> str:
    return f"{part / whole:.1%}"
