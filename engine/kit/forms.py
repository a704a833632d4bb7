"""Values from outside, checked one by one: a position may be written by anybody."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from engine.core.refusal import Unknown
from engine.core.sentence import brief, say

LARGEST = 10_000  # no count on a table comes near


def impossible(one: str, many: str | None = None, /, **values: Any) -> Unknown:
    return Unknown(say(one, many, **values))


def keyed(what: str, data: Any, keys: Collection[str]) -> dict[str, Any]:
    """An object that has none but these keys."""
    if not isinstance(data, dict):
        raise impossible("The {what} must be an object.", what=what)
    for key in data:
        if key not in keys:
            raise impossible("{what} has no key {key}.", what=what, key=brief(key))
    return data


def whole(value: Any, key: str, most: int = LARGEST) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise impossible(
            "{key} takes whole numbers from 0 to {most}, not {value}.",
            key=key,
            most=most,
            value=brief(value),
        )
    return value


def flag(value: Any, key: str) -> bool:
    if type(value) is not bool:
        raise impossible("{key} is true or false, not {value}.", key=key, value=brief(value))
    return value


def listed(value: Any, key: str) -> list[Any]:
    if not isinstance(value, list):
        raise impossible("{key} must be a list, not {value}.", key=key, value=brief(value))
    return value


def rows(value: Any, key: str, seats: int, kind: type) -> list[Any]:
    """One value for each seat; those left out are empty."""
    given = listed(value, key)
    if len(given) > seats:
        raise impossible(
            "{key} names {count} seats; there are {seats}.",
            key=key,
            count=len(given),
            seats=seats,
        )
    return given + [kind() for _ in range(seats - len(given))]


def seat_of(value: Any, key: str, seats: int) -> int:
    if type(value) is not int or not 0 <= value < seats:
        raise impossible(
            "{key} names the seat {value}; the seats are 0 to {last}.",
            key=key,
            value=brief(value),
            last=seats - 1,
        )
    return value
