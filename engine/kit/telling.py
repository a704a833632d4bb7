"""Events as sentences: what all games do alike when they tell what happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

from engine.core.game import Option
from engine.core.sentence import Sentence, filled, say

Spell = Callable[[str, Any], Any]  # a field of an event, by name, as it stands in a sentence


def told(event: Any, sentence: Sentence, spell: Spell, **words: Any) -> Sentence:
    """A sentence with the fields of its event in it, and the words that the game has for things."""
    values = {part.name: spell(part.name, getattr(event, part.name)) for part in fields(event)}
    return filled(sentence, {**words, **values})


def table_laid(options: Mapping[str, Option], seats: int, named: Mapping[str, Any]) -> Sentence:
    """The beginning, with the options that are not as usual today."""
    chosen = chosen_options(options, named)
    if not chosen:
        return say("The table was laid for {n} players.", n=seats)
    return say(
        "The table was laid for {n} players, with the options {chosen}.", n=seats, chosen=chosen
    )


def chosen_options(options: Mapping[str, Option], named: Mapping[str, Any]) -> str:
    """The options that are not as usual today, in a row."""
    return ", ".join(
        option_word(name, value)
        for name, value in sorted(named.items())
        if name in options and value != options[name].default
    )


def option_word(name: str, value: Any) -> str:
    """An option as a table speaks of it: its name, `off` where it is usually on, or its number."""
    if value is True:
        return name
    return f"{name} off" if value is False else f"{name} {value}"
