"""Words that may be a slip of the finger for a verb."""

from __future__ import annotations

import re
from collections.abc import Set

BULLET = re.compile(r"\s*(?:(?:[-=]>|[-+*•·◦‣▪→➤]|\(?(?:\d{1,2}[.):]|[a-z]\))\)?|\d{1,2}\.?)(?:\s+|(?=[a-z*_])))?[*_\"'`]*", re.IGNORECASE)  # fmt: skip
STRESS = re.compile(r"(?<!\w)[*_]+(?=\w)|(?<=\w)[*_]+(?!\w)")  # *bold* and _slanted_
FACES = re.compile(
    r"(?:\s*(?:[:;]-?[()dp]+|<3|[\U0001F300-\U0001FAFF\u2600-\u27BF\uFE0F\u200D]))+[\s.!]*$"
)
SHORT = 2  # letters of a word that any other might be a slip for
LONG = 6  # letters of a verb in which two slips are still one word


def bare(line: str) -> str:
    """A line without comment, number, bullet, bold, quotes, a smile, and the full stop that phones add."""
    words = FACES.sub("", " ".join(line.partition("#")[0].casefold().split()))
    return STRESS.sub("", BULLET.sub("", words, count=1)).rstrip(" .;,!\"'`").strip()


def first_word(line: str) -> str:
    """The word that a line begins with, as an order does; a comma behind it belongs to a date or a name."""
    return bare(line).split(" ", 1)[0]


def resembles(line: str, verbs: Set[str]) -> bool:
    """Whether a line begins with one of the verbs, or with what may be a slip for one."""
    word = first_word(line)
    return word in verbs or any(is_slip(word, verb) for verb in verbs)


def is_slip(word: str, verb: str) -> bool:
    """Whether one letter too many, too few, wrong or in the wrong place makes the difference; two in long words."""
    most = 1 + (len(verb) >= LONG)
    return len(verb) > SHORT and abs(len(word) - len(verb)) <= most and distance(word, verb) <= most


def distance(one: str, other: str) -> int:
    """How many letters are too many, too few, wrong, or changed places with their neighbour."""
    before, row = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                cost = min(cost, older[j - 2] + 1)
            row.append(cost)
    return row[-1]
