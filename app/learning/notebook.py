"""What somebody has tried in an analysis, in so few letters that an address holds it all: nothing of it is stored."""

from __future__ import annotations

import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from app.matches.order_lines import LONGEST_ORDER
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

MOST_PLAYED = 400  # orders in one line; a match of two has some 300
MOST_KEPT = 12  # lines
LONGEST_NOTE = 200
LONGEST_ADDRESS = 3000  # letters: servers take a first line of 4000
MOST_UNPACKED = 60_000


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line that is not to be lost, and what somebody has noted about it."""

    orders: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Notebook:
    """The line that is looked at, those that were kept, and through whose eyes the position is seen where one may choose."""

    line: tuple[str, ...] = ()
    kept: tuple[KeptLine, ...] = ()
    eyes: int | None = None

    def at(self, line: Sequence[str]) -> Notebook:
        """The same with another line on the board."""
        return replace(self, line=tuple(line))

    def keeping(self, note: str) -> Notebook:
        """The same with the line on the board kept; one that is kept already gets the new note."""
        others = tuple(one for one in self.kept if one.orders != self.line)
        if len(others) == MOST_KEPT:
            raise NotUnderstood(say("An analysis keeps {most} lines at most.", most=MOST_KEPT))
        kept = KeptLine(self.line, " ".join(note.split())[:LONGEST_NOTE])
        return replace(self, kept=(*others, kept))

    def without(self, number: int) -> Notebook:
        """The same without one of the kept lines."""
        return replace(self, kept=tuple(x for n, x in enumerate(self.kept) if n != number))

    @property
    def note(self) -> str:
        """What was noted about the line on the board."""
        return next((one.note for one in self.kept if one.orders == self.line), "")


def pack_notebook(book: Notebook) -> str:
    """The notebook as a part of an address; one in which nothing stands is no part of it."""
    if book == Notebook():
        return ""
    told = [list(book.line), [[one.note, *one.orders] for one in book.kept], book.eyes]
    text = json.dumps(told, ensure_ascii=False, separators=(",", ":"))
    packed = urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(packed) > LONGEST_ADDRESS or len(book.line) > MOST_PLAYED:
        raise NotUnderstood(
            say("This analysis has grown too long for an address: remove some of its lines.")
        )
    return packed


def read_notebook(packed: str) -> Notebook:
    """What an address holds; refuses what no page of ours has written."""
    if not packed:
        return Notebook()
    try:
        content = zlib.decompressobj()
        padded = packed[:LONGEST_ADDRESS] + "=" * (-len(packed) % 4)
        text = content.decompress(urlsafe_b64decode(padded), MOST_UNPACKED)
        line, kept, eyes = json.loads(text)
        book = Notebook(
            read_orders(line),
            tuple(KeptLine(read_orders(orders), read_note(note)) for note, *orders in kept),
            eyes if isinstance(eyes, int) else None,
        )
    except (ValueError, TypeError, zlib.error, RecursionError):
        raise damaged() from None
    if len(book.kept) > MOST_KEPT:
        raise damaged()
    return book


def read_orders(told: Any) -> tuple[str, ...]:
    if not isinstance(told, list) or len(told) > MOST_PLAYED:
        raise ValueError(told)
    return tuple(read_words(order, LONGEST_ORDER) for order in told)


def read_note(told: Any) -> str:
    return read_words(told, LONGEST_NOTE)


def read_words(told: Any, longest: int) -> str:
    """A text that is not too long; half a letter can be written in JSON, but not shown."""
    if not isinstance(told, str) or len(told) > longest:
        raise ValueError(told)
    told.encode()
    return told


def damaged() -> NotUnderstood:
    return NotUnderstood(say("This address of an analysis is damaged."))
