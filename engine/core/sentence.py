"""What is said to a person, kept apart from its language until somebody reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any


@dataclass(frozen=True, slots=True)
class Sentence:
    """An English template with its values; a translator says the same template in another language."""

    one: str
    many: str | None
    values: dict[str, Any]
    ahead: Sentence | None = field(default=None, compare=False)  # the same told beforehand

    @property
    def template(self) -> str:
        """The English words that fit the number `n`, where the sentence counts something."""
        return self.many if self.many and self.values["n"] != 1 else self.one

    def __str__(self) -> str:
        return self.template.format_map(self.values)


Speak = Callable[
    [Sentence], str
]  # says a sentence in the reader's language; `str` says it in English


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat inside a sentence: its letter, until somebody puts the player's name in its place."""

    number: int

    def __str__(self) -> str:
        return seat_letter(self.number)


def say(one: str, many: str | None = None, /, **values: Any) -> Sentence:
    """A sentence to be translated when it is read; with `many`, the value `n` chooses between the two."""
    return Sentence(one, many, values)


def deed(done: str, ahead: str, /) -> Sentence:
    """What somebody does, told afterwards and, with the same values, beforehand."""
    return Sentence(done, None, {}, Sentence(ahead, None, {}))


def foretold(sentence: Sentence) -> Sentence:
    """What has not happened, as it is told beforehand."""
    return replace(sentence.ahead, values=sentence.values) if sentence.ahead else sentence


def filled(sentence: Sentence, values: Mapping[str, Any]) -> Sentence:
    """A sentence with what it names and does not have yet; values that it does not name are left out."""
    known = {**values, **sentence.values}
    used = {key: value for key, value in known.items() if f"{{{key}}}" in sentence.one}
    return replace(sentence, values=used)


def listed(things: Iterable[Any]) -> Sentence:
    """Several things in one sentence, each still to be named or translated."""
    values = {f"item{number}": thing for number, thing in enumerate(things, 1)}
    return Sentence(", ".join(f"{{{key}}}" for key in values), None, values)


def brief(value: Any) -> str:
    """A value as it was written, cut short: it may be anything."""
    return json.dumps(value, default=repr)[:40]


def seat_letter(seat: int) -> str:
    """Seats are called A, B, C, D wherever people read of them."""
    return chr(ord("A") + seat)
