"""Objects from outside, read key by key: each value is checked as it is taken, in this edition's words."""

from __future__ import annotations

from typing import Any

from engine.core.match import check_option
from engine.core.sentence import brief
from engine.cuzco.edition import Edition
from engine.kit.forms import flag, impossible, keyed, listed, rows, seat_of, whole

SEATS = range(2, 5)


class Form:
    """One object of a position: its keys in this edition's words, and its values checked as they are read."""

    def __init__(self, edition: Edition, what: str, data: Any, keys: list[str]) -> None:
        self.names = {key: edition.words.get(key, key) for key in keys}
        self.edition, self.what = edition, what
        self.data = keyed(what, data, tuple(self.names.values()))

    def get(self, key: str, default: Any = None) -> Any:
        return self.data.get(self.names[key], default)

    def label(self, key: str) -> str:
        """What this edition calls a key."""
        return self.names.get(key, self.edition.words.get(key, key))

    def number(self, key: str, default: int) -> int:
        return self.whole(self.get(key, default), key)

    def whole(self, value: Any, key: str) -> int:
        return whole(value, self.label(key))

    def flag(self, key: str) -> bool:
        return flag(self.get(key, False), self.label(key))

    def seats(self) -> int:
        seats = self.get("seats")
        if type(seats) is not int or seats not in SEATS:
            raise impossible("A position has 2 to 4 seats, not {seats}.", seats=brief(seats))
        return seats

    def options(self) -> dict[str, Any]:
        known = self.edition.options
        given = keyed("options", self.get("options", {}), tuple(known))
        for name, value in given.items():
            check_option(name, known[name], value)
        return {name: given.get(name, option.default) for name, option in known.items()}

    def rows(self, key: str, seats: int, kind: type) -> list[Any]:
        """One value for each seat; those left out are empty."""
        return rows(self.get(key, []), self.label(key), seats, kind)

    def listed(self, value: Any, key: str) -> list[Any]:
        return listed(value, self.label(key))

    def seat(self, value: Any, key: str, seats: int) -> int:
        return seat_of(value, self.label(key), seats)

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
