"""Text from outside, hostile until proven otherwise."""

from __future__ import annotations

import unicodedata
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

FORBIDDEN = {
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
    "Zl",
    "Zp",
}  # control, direction, surrogate, unassigned, breaks


def one_line(value: Any, what: str, longest: int) -> str:
    """A short text on one line, without marks that change how other text is read."""
    return checked(value, what, longest, set())


def plain_text(value: Any, what: str, longest: int) -> str:
    """A longer text; line breaks are all that it may have besides letters."""
    return checked(
        str(value).replace("\r\n", "\n") if isinstance(value, str) else value, what, longest, {"\n"}
    )


def checked(value: Any, what: str, longest: int, allowed: set[str]) -> str:
    if not isinstance(value, str) or not value.strip():
        raise NotUnderstood(say("{what} is missing.", what=what))
    text = unicodedata.normalize("NFC", value.strip())
    if len(text) > longest:
        raise NotUnderstood(
            say(
                "{what} has {count} letters; {most} are the most.",
                what=what,
                count=len(text),
                most=longest,
            )
        )
    if any(unicodedata.category(letter) in FORBIDDEN and letter not in allowed for letter in text):
        raise NotUnderstood(say("{what} holds letters that cannot be shown.", what=what))
    return text
