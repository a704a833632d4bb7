"""Deadlines as a calendar file (RFC 5545): a match keeps its entry, and a later position replaces it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from app.platform.i18n import translate_sentence
from app.views.deadlines import Date
from engine.core.sentence import say

LONGEST = 73  # bytes of a line before it is folded


def make_calendar_file(dates: Iterable[Date], base: str, host: str, at: datetime) -> str:
    """The file; `base` is where the service is, `host` makes its entries unlike those of any other."""
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Chasqui//Deadlines//EN",
        "METHOD:PUBLISH",
        *(line for date in dates for line in entry(date, base, host, at)),
        "END:VCALENDAR",
    ]
    return "".join(f"{part}\r\n" for line in lines for part in folded(line))


def entry(date: Date, base: str, host: str, at: datetime) -> Iterator[str]:
    said = (
        say("Your answer in {title} is due", title=date.title)
        if date.mine
        else say("An answer in {title} is due", title=date.title)
    )
    link = f"{base}/m/{date.match_id}"
    yield "BEGIN:VEVENT"
    yield f"UID:{date.match_id}@{host}"
    yield f"SEQUENCE:{date.head}"
    yield f"DTSTAMP:{stamp(at)}"
    yield f"DTSTART:{stamp(date.due)}"
    yield f"DTEND:{stamp(date.due)}"
    yield f"SUMMARY:{escaped(translate_sentence(said))}"
    yield f"URL:{link}"
    yield f"DESCRIPTION:{escaped(link)}"
    yield "TRANSP:TRANSPARENT"
    yield "END:VEVENT"


def stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def escaped(text: str) -> str:
    """Text that cannot end its line or begin another value."""
    for letter in "\\;,":
        text = text.replace(letter, f"\\{letter}")
    return text.replace("\r", "").replace("\n", "\\n")


def folded(line: str) -> Iterator[str]:
    """A long line in pieces: those after the first begin with a space, and no letter is cut in two."""
    piece = ""
    for letter in line:
        if len((piece + letter).encode()) > LONGEST:
            yield piece
            piece = " "
        piece += letter
    yield piece
