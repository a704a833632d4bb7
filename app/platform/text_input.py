"""Validation of text from outside, hostile until proven otherwise: lines, plain text, mail addresses."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

import idna

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


# Letters by their category, but nothing is to be seen of them: who is called by them alone has no name.
BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")


# What mail programs make a link of, in a word that holds it; letters of double width are brought to one form before.
ADDRESS = re.compile(
    r"""://
    | \b(?:https?|ftp|mailto|tel|sms|xmpp|data|javascript):\S
    | \bwww[.。]
    | [^\s@]@[^\s@]
    | [^\W_][\w-]*[.。](?:[^\W\d_]{2,}|xn--\w)
    | \b\d{1,3}(?:[.。]\d{1,3}){3}\b""",
    re.VERBOSE | re.IGNORECASE,
)
LEFT_OUT = "…"


def check_one_line(value: Any, what: Sentence, longest: int) -> str:
    """A short text on one line, without marks that change how other text is read."""
    return checked(value, what, longest, set())


def check_plain_text(value: Any, what: Sentence, longest: int) -> str:
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
    if holds_unseen(text, allowed):
        raise NotUnderstood(say("{what} holds letters that cannot be shown.", what=what))
    return text


def holds_unseen(text: str, allowed: Iterable[str] = ()) -> bool:
    """Whether there are letters that cannot be seen, or that change how the others are read."""
    return any(map(is_unseen, set(text).difference(allowed)))


def is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in FORBIDDEN or letter in BLANK


# Titles and names, which our mails carry to strangers


def shown_line(value: Any, what: Sentence, longest: int) -> str:
    """A short text that strangers are mailed, so that nobody can advertise by inviting them."""
    text = check_one_line(value, what, longest)
    check_no_address(text, what)
    return text


def check_no_address(text: str, what: Sentence) -> None:
    """Refuses text with a word in it of which mail programs would make a link."""
    for word in addresses_in(text):
        raise NotUnderstood(
            say(
                "{what} may hold no web or mail address, and “{word}” looks like one; with a space in it, it is none.",
                what=what,
                word=word,
            )
        )


def addresses_in(text: str) -> Iterator[str]:
    return filter(is_address, text.split())


def is_address(word: str) -> bool:
    return ADDRESS.search(unicodedata.normalize("NFKC", word)) is not None


def defuse_text(text: str) -> str:
    """Text that was taken in before the rule above, as mails may carry it: without addresses and unseen letters."""
    seen = "".join(letter for letter in text if not is_unseen(letter))
    return "".join(LEFT_OUT if is_address(part) else part for part in re.split(r"(\s+)", seen))


# Mail addresses


LONGEST_EMAIL = 254
LOCAL_PART = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
DOMAIN = re.compile(
    r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
)
A_LABEL = "xn--"  # how a label begins that stands for one with other letters


def check_email_address(value: object) -> str:
    """A mail address in the one form that we keep: small letters, the domain as the wires know it."""
    given = value.strip() if isinstance(value, str) else ""
    local, at, domain = given.rpartition("@") if len(given) <= LONGEST_EMAIL else ("", "", "")
    wired = wire_domain(domain)
    fits = LOCAL_PART.fullmatch(local) and ".." not in local and local.strip(".") == local
    short = len(local) + len(at) + len(wired) <= LONGEST_EMAIL
    if not (at and fits and short and DOMAIN.fullmatch(wired)):
        raise NotUnderstood(say("That is no mail address that we can write to."))
    return f"{local.lower()}@{wired}"


def wire_domain(domain: str) -> str:
    """The ASCII form of a domain by IDNA 2008, its letters mapped by UTS 46; empty if it has none.

    What is spelled in ASCII already is its own form, so addresses that were taken by the rules of 2003 stay good.
    """
    try:
        if domain.isascii():
            return domain.lower() if all(map(is_spelled_right, domain.lower().split("."))) else ""
        return idna.encode(domain, uts46=True, std3_rules=True).decode("ascii")
    except UnicodeError:
        return ""


def is_spelled_right(label: str) -> bool:
    """Whether a label that stands for other letters is the one way to write them; any other is as it is."""
    if not label.startswith(A_LABEL):
        return True
    letters = label.removeprefix(A_LABEL).encode("ascii").decode("punycode")
    return not letters.isascii() and f"{A_LABEL}{letters.encode('punycode').decode()}" == label


LONGEST_REASON = 500
