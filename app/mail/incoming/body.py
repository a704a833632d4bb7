"""What a person wrote in a mail: their own lines, without quote, signature and what mail readers add.

From a message to its text and from the text to tidy lines; `own_lines` parts the person's from the quoted ones.
"""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Iterable, Iterator
from email.message import Message

from app.mail.incoming.html_text import plain
from app.mail.incoming.own_lines import OurMarks, OwnLines, find_own_lines
from app.matches.order_lines import LONGEST_ORDER, MOST_ORDERS

MOST_LETTERS = 64_000  # orders come first; what is further down is a quote, or hostile
MOST_LINES = 1500


# Longer than all orders of a turn may be: what is too long or too much is refused, never cut and played.
LONGEST_LINE = MOST_ORDERS * (LONGEST_ORDER + 1)


# Codecs that a mail may name. Others are no text, or slow on purpose (punycode, idna).
CHARSETS = re.compile(
    r"utf-?8|utf-?16(-?[bl]e)?|(windows-|cp)125\d|iso-?8859-\d+|koi8-[ru]|macroman|mac-roman|gb18030|gb2312|gbk|"
    r"big5|shift_jis|euc[-_](jp|kr)|iso-2022-jp",
    re.IGNORECASE,
)


# What mail readers call Latin-1 or ASCII has the dashes and quotes of Windows in it.
WINDOWS = {"iso8859-1", "ascii"}
SPACES = {**dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u3000"), " "), 9: " " * 8}
DASHES = dict.fromkeys(map(ord, "‐‑‒–—―−"), "-")
QUOTES = {**dict.fromkeys(map(ord, "‘’‚′"), "'"), **dict.fromkeys(map(ord, "“”„«»″"), '"')}
TYPOGRAPHY = SPACES | DASHES | QUOTES


def written_lines(message: Message, ours: OurMarks, verbs: Iterable[str] = ()) -> OwnLines:
    """The person's own lines, tidied; `ours` tells mails of ours, `verbs` what orders begin with."""
    text = content(message)
    lines = text.translate(TYPOGRAPHY).splitlines()
    whole = len(text) < MOST_LETTERS and len(lines) <= MOST_LINES
    return find_own_lines(tidy(lines[:MOST_LINES]), ours, verbs, whole)


# From a message to text


def content(message: Message) -> str:
    """The text of a mail; its HTML where it has no other."""
    parts = list(texts(message))
    for kind in ("text/plain", "text/html"):
        for part in parts:
            text = decoded(part) if part.get_content_type() == kind else ""
            if text.strip():
                return text if kind == "text/plain" else plain(text)
    return ""


def texts(message: Message) -> Iterator[Message]:
    """The parts that were written to be read here: no attachments, and no mails inside the mail."""
    if message.get_content_maintype() == "message" or attached(message):
        return
    if not message.is_multipart():
        yield message
    else:
        for part in message.get_payload():
            if isinstance(part, Message):
                yield from texts(part)


def attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment" or part.get_filename() is not None


def decoded(part: Message) -> str:
    """The text of a part, whatever it says of its letters."""
    payload = part.get_payload(decode=True)
    text = letters(payload if isinstance(payload, bytes) else b"", part.get_content_charset())
    return flowed(text, part) if str(part.get_param("format", "")).lower() == "flowed" else text


def letters(payload: bytes, charset: str | None) -> str:
    known = charset is not None and CHARSETS.fullmatch(charset)
    name = codecs.lookup(charset).name if known and charset else "utf-8"
    for codec in ("cp1252" if name in WINDOWS else name, "utf-8"):
        try:
            return payload.decode(codec)[:MOST_LETTERS]
        except UnicodeDecodeError:
            continue
    return payload.decode("cp1252", "replace")[:MOST_LETTERS]


def flowed(text: str, part: Message) -> str:
    """Lines that were broken for the journey, whole again (RFC 3676)."""
    delete = str(part.get_param("delsp", "")).lower() == "yes"
    made, open_line = list[str](), False
    for line in text.splitlines():
        own = line[1:] if line.startswith(" ") else line  # stuffed with a space
        if open_line and not own.startswith(">"):
            made[-1] += own
        else:
            made.append(own)
        open_line = own.endswith(" ") and own != "-- " and not own.startswith(">")
        if open_line and delete:
            made[-1] = made[-1][:-1]
    return "\n".join(made)


# From text to lines


def tidy(lines: list[str]) -> list[str]:
    """Lines without what cannot be seen, and no longer than may be."""
    return ["".join(filter(seen, line[:LONGEST_LINE])).rstrip() for line in lines]


def seen(letter: str) -> bool:
    return unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn")
