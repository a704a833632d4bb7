"""How slowly a match is played: hours for a turn, reminders, time in the bank, days off."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

DEFAULT_PACE: dict[str, Any] = {
    "hours": 48,
    "reminders": [24],
    "bank_hours": 72,
    "days_off": [],
    "on_timeout": "remind",
}
ON_TIMEOUT = ("remind", "moderator", "bot")
MOST_HOURS = 24 * 60


def settle_pace(given: Any) -> dict[str, Any]:
    """A whole pace, with defaults where nothing was said."""
    if given is None:
        return dict(DEFAULT_PACE)
    if not isinstance(given, dict) or not given.keys() <= DEFAULT_PACE.keys():
        raise NotUnderstood(
            say("The pace has {keys} and nothing else.", keys=", ".join(DEFAULT_PACE))
        )
    pace = {**DEFAULT_PACE, **given}
    whole(pace["hours"], "hours", 1, MOST_HOURS)
    if given.get("reminders") is None:
        pace["reminders"] = usual_reminders(pace["hours"])
    whole(pace["bank_hours"], "bank_hours", 0, MOST_HOURS)
    for hours in listed(pace["reminders"], "reminders"):
        whole(hours, "reminders", 1, MOST_HOURS)
    for day in listed(pace["days_off"], "days_off"):
        whole(day, "days_off", 0, 6)
    if pace["on_timeout"] not in ON_TIMEOUT:
        raise NotUnderstood(say("on_timeout is one of {words}.", words=", ".join(ON_TIMEOUT)))
    return pace


def usual_reminders(hours: int) -> list[int]:
    """When half the time is left, and a day."""
    return sorted({left for left in (hours // 2, 24) if 0 < left < hours}, reverse=True)


# Which time counts


Span = tuple[datetime, datetime]
A_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Calendar:
    """The time that counts for one seat: all but the match's days off (Monday is 0, in UTC) and days away."""

    days_off: frozenset[int] = frozenset()
    away: tuple[Span, ...] = ()

    def later(self, at: datetime, wait: timedelta) -> datetime:
        """When so much time that counts has passed."""
        for start, end in self.stretches(at):
            if wait <= end - start:
                return start + wait
            wait -= end - start
        raise AssertionError("time does not end")

    def between(self, start: datetime, end: datetime) -> timedelta:
        """How much of the time between two moments counts; none if the second is not later."""
        counted = timedelta(0)
        for begin, until in self.stretches(start):
            if begin >= end:
                break
            counted += min(until, end) - begin
        return counted

    def stretches(self, at: datetime) -> Iterator[Span]:
        """The stretches of time that count, from `at` on for ever."""
        while True:
            end = min(edge for edge in self.edges(at) if edge > at)
            if self.counts(at):
                yield at, end
            at = end

    def edges(self, at: datetime) -> Iterator[datetime]:
        """The moments at which time may begin or cease to count, as far as the next midnight."""
        yield at.replace(hour=0, minute=0, second=0, microsecond=0) + A_DAY
        for span in self.away:
            yield from span

    def counts(self, at: datetime) -> bool:
        return at.weekday() not in self.days_off and not any(a <= at < b for a, b in self.away)


def calendar_of_pace(pace: dict[str, Any], away: Iterable[Span] = ()) -> Calendar:
    """The calendar of a match's pace; where every day is off, none is."""
    off = frozenset({**DEFAULT_PACE, **pace}["days_off"])
    return Calendar(off if len(off) < 7 else frozenset(), tuple(away))


def turn_time(pace: dict[str, Any]) -> timedelta:
    return timedelta(hours={**DEFAULT_PACE, **pace}["hours"])


def bank_time(pace: dict[str, Any]) -> timedelta:
    return timedelta(hours={**DEFAULT_PACE, **pace}["bank_hours"])


def reminder_times(pace: dict[str, Any]) -> list[timedelta]:
    """How long before the end of their time people are reminded."""
    return [timedelta(hours=hours) for hours in {**DEFAULT_PACE, **pace}["reminders"]]


def whole(value: Any, what: str, least: int, most: int) -> None:
    if type(value) is not int or not least <= value <= most:
        raise NotUnderstood(
            say(
                "{what} takes whole numbers from {least} to {most}.",
                what=what,
                least=least,
                most=most,
            )
        )


def listed(value: Any, what: str) -> list[Any]:
    if not isinstance(value, list) or len(value) > 7:
        raise NotUnderstood(say("{what} is a list of at most 7 numbers.", what=what))
    return value
