"""Text from outside, hostile until proven otherwise."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from engine.core.refusal import NotUnderstood
from engine.core.sentence import Sentence, say

FORBIDDEN = {
    "Cc",
    "Cf",
    "Cs",
    "Co",
    "Cn",
    "Zl",
    "Zp",
}  # control, direction, surrogate, unassigned, breaks


def one_line(value: Any, what: Sentence, longest: int) -> str:
    """A short text on one line, without marks that change how other text is read."""
    return checked(value, what, longest, set())


def plain_text(value: Any, what: Sentence, longest: int) -> str:
    """A longer text; line breaks are all that it may have besides letters."""
    return checked(
        str(value).replace("\r\n", "\n") if isinstance(value, str) else value, what, longest, {"\n"}
    )


def checked(value: Any, what: Sentence, longest: int, allowed: set[str]) -> str:
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


LONGEST_EMAIL = 254
LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
DOMAIN = re.compile(
    r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)


def email_address(value: object) -> str:
    """A mail address in the one form that we keep: small letters, the domain as the wires know it."""
    local, at, domain = value.strip().rpartition("@") if isinstance(value, str) else ("", "", "")
    try:
        wired = domain.lower().encode("idna").decode("ascii")
    except UnicodeError:
        wired = ""
    fits = LOCAL_PART.fullmatch(local) and ".." not in local and local.strip(".") == local
    if not (at and fits and DOMAIN.fullmatch(wired)):
        raise NotUnderstood(say("That is no mail address that we can write to."))
    return f"{local.lower()}@{wired}"
