"""How slowly a match is played: hours for a turn, reminders, time in the bank, days off."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

DEFAULT: dict[str, Any] = {
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
        return dict(DEFAULT)
    if not isinstance(given, dict) or not given.keys() <= DEFAULT.keys():
        raise NotUnderstood(say("The pace has {keys} and nothing else.", keys=", ".join(DEFAULT)))
    pace = {**DEFAULT, **given}
    whole(pace["hours"], "hours", 1, MOST_HOURS)
    whole(pace["bank_hours"], "bank_hours", 0, MOST_HOURS)
    for hours in listed(pace["reminders"], "reminders"):
        whole(hours, "reminders", 1, MOST_HOURS)
    for day in listed(pace["days_off"], "days_off"):
        whole(day, "days_off", 0, 6)
    if pace["on_timeout"] not in ON_TIMEOUT:
        raise NotUnderstood(say("on_timeout is one of {words}.", words=", ".join(ON_TIMEOUT)))
    return pace


def deadline(pace: dict[str, Any], at: datetime) -> datetime:
    """When an answer asked for at `at` is due; days off (Monday is 0, in UTC) do not count."""
    known = {**DEFAULT, **pace}
    off, left = set(known["days_off"]), timedelta(hours=known["hours"])
    if len(off) == 7:
        return at + left
    while True:
        midnight = at.replace(hour=0, minute=0, second=0, microsecond=0) + timedelta(days=1)
        if at.weekday() not in off:
            if left <= midnight - at:
                return at + left
            left -= midnight - at
        at = midnight


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
