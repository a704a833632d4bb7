"""Objects from outside, read key by key: each value is checked as it is taken, in this edition's words."""

from __future__ import annotations

import json
from typing import Any

from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.cuzco.edition import Edition

SEATS = range(2, 5)
LARGEST = 10_000  # no count on a table comes near


class Form:
    """One object of a position: its keys in this edition's words, and its values checked as they are read."""

    def __init__(self, edition: Edition, what: str, data: Any, keys: list[str]) -> None:
        if not isinstance(data, dict):
            raise impossible("The {what} must be an object.", what=what)
        self.edition, self.what, self.data = edition, what, data
        self.names = {key: edition.words.get(key, key) for key in keys}
        for key in data:
            if key not in self.names.values():
                raise impossible("{what} has no key {key}.", what=what, key=repr(key)[:40])

    def get(self, key: str, default: Any = None) -> Any:
        return self.data.get(self.names[key], default)

    def label(self, key: str) -> str:
        """What this edition calls a key."""
        return self.names.get(key, self.edition.words.get(key, key))

    def number(self, key: str, default: int) -> int:
        return self.whole(self.get(key, default), key)

    def whole(self, value: Any, key: str) -> int:
        if type(value) is not int or not 0 <= value <= LARGEST:
            raise impossible(
                "{key} takes whole numbers from 0, not {value}.",
                key=self.label(key),
                value=brief(value),
            )
        return value

    def flag(self, key: str) -> bool:
        value = self.get(key, False)
        if type(value) is not bool:
            raise impossible(
                "{key} is true or false, not {value}.", key=self.label(key), value=brief(value)
            )
        return value

    def seats(self) -> int:
        seats = self.get("seats")
        if type(seats) is not int or seats not in SEATS:
            raise impossible("A position has 2 to 4 seats, not {seats}.", seats=brief(seats))
        return seats

    def options(self) -> dict[str, bool]:
        given = Form(self.edition, "options", self.get("options", {}), list(self.edition.options))
        return {
            name: given.flag(name) if name in given.data else bool(option.default)
            for name, option in self.edition.options.items()
        }

    def rows(self, key: str, seats: int, kind: type) -> list[Any]:
        """One value for each seat; those left out are empty."""
        rows = self.listed(self.get(key, []), key)
        if len(rows) > seats:
            raise impossible(
                "{key} names {count} seats; there are {seats}.",
                key=self.label(key),
                count=len(rows),
                seats=seats,
            )
        return rows + [kind() for _ in range(seats - len(rows))]

    def listed(self, value: Any, key: str) -> list[Any]:
        if not isinstance(value, list):
            raise impossible(
                "{key} must be a list, not {value}.", key=self.label(key), value=brief(value)
            )
        return value

    def seat(self, value: Any, key: str, seats: int) -> int:
        if type(value) is not int or not 0 <= value < seats:
            raise impossible(
                "{key} names the seat {value}; there are {seats}.",
                key=self.label(key),
                value=brief(value),
                seats=seats,
            )
        return value

    def some_seats(self, key: str, seats: int) -> tuple[int, ...]:
        given = self.listed(self.get(key, []), key)
        return tuple(sorted({self.seat(value, key, seats) for value in given}))

    def cards(self, value: Any, key: str) -> tuple[str, ...]:
        return tuple(sorted(self.card(card) for card in self.listed(value, key)))

    def card(self, value: Any) -> str:
        if not isinstance(value, str) or value not in self.edition.cards:
            raise impossible("There is no card {card}.", card=brief(value))
        return value

    def card_or_none(self, key: str) -> str | None:
        value = self.get(key)
        return None if value is None else self.card(value)

    def hex(self, value: Any) -> int:
        if not isinstance(value, str) or value not in self.edition.layout.index:
            raise impossible("There is no hex {hex}.", hex=brief(value))
        return self.edition.layout.index[value]


def impossible(template: str, **values: Any) -> Unknown:
    return Unknown(say(template, **values))


def brief(value: Any) -> str:
    """A value as it was written, cut short: it may be anything."""
    return json.dumps(value, default=repr)[:40]
