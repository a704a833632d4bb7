"""A mail that came in, read with suspicion: who wrote it, whether a person did, and their lines.

The parser is the old one of the standard library (`compat32`): it takes headers as they are. The new one reads
them in depth, which a hostile header turns into minutes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message

from app.mail.incoming.body import written_lines
from app.mail.incoming.own_lines import NO_MARKS, OurMarks
from app.platform.text_input import check_email_address
from engine.core.refusal import NotUnderstood

# What a mail may be made of, counted in its bytes before anything reads it. People's mails have a tenth of each.
MOST_NESTS = 40  # parts that hold others; however a boundary is spelt, it needs one of these words
MOST_PARTS = 1000  # lines that might begin a part
MOST_LINES = 20_000
MOST_HEAD_LINES, LONGEST_HEAD = 1000, 128 * 1024
NEST = re.compile(rb"(?:multipart|message)/", re.IGNORECASE)
PART = re.compile(rb"(?:^|[\r\n])--")
HEAD_END = re.compile(rb"\r?\n\r?\n|\r\r")
LONGEST_HEADER = 2000
QUOTED = re.compile(r'"(?:\\.|[^"\\])*"')
COMMENT = re.compile(r"\([^()]*\)")
MAILBOX = re.compile(
    r"[^<>@,;:]*<\s*([^<>\s@]+@[^<>\s@]+)\s*>\s*|\s*([^<>\s@,;:]+@[^<>\s@,;:]+)\s*"
)
WRITTEN_BY_MACHINES = ("List-Id", "X-Loop", "X-Autoreply", "X-Autorespond", "X-Auto-Reply")
BULK = ("bulk", "list", "junk", "auto_reply")
AWAY = re.compile(
    r"\s*(auto(matic)?[- ]?(reply|response)|out of (the )?office|réponse automatique|absence du bureau|"
    r"absent du bureau|resposta automática|fora do escritório|ausência temporária)\b",
    re.IGNORECASE,
)


class Unreadable(Exception):
    """A mail made to be unreadable."""


@dataclass(frozen=True, slots=True)
class Mail:
    """What counts of a mail. `sender` is the one address that it is from, if it is from one."""

    message_id: str
    sender: str | None
    automatic: bool
    lines: list[str]
    elsewhere: list[str]  # orders that stand apart from the lines, below a quote or in it
    doubtful: list[str]  # nobody can say whether they were written or quoted
    stamp: str  # tells it from others where it has no Message-ID


def check_shape(raw: bytes) -> None:
    """Refuses a mail of too many parts, lines or headers, by its bytes: it is never parsed."""
    head = HEAD_END.split(raw, 1)[0]
    counts = (
        (len(NEST.findall(raw)), MOST_NESTS),
        (len(PART.findall(raw)), MOST_PARTS),
        (max(raw.count(b"\n"), raw.count(b"\r")), MOST_LINES),
        (max(head.count(b"\n"), head.count(b"\r")), MOST_HEAD_LINES),
        (len(head), LONGEST_HEAD),
    )
    if any(count > most for count, most in counts):
        raise Unreadable("shape")


def parse_message(raw: bytes) -> Message:
    """The message of these bytes, if their shape is one that can be read."""
    check_shape(raw)
    return message_from_bytes(raw)


def read_message(raw: bytes, ours: OurMarks = NO_MARKS, verbs: Iterable[str] = ()) -> Mail:
    """The mail of these bytes; whatever it raises, they are no mail. `ours` and `verbs` tell orders from quotes."""
    message = parse_message(raw)
    own = written_lines(message, ours, verbs)
    stamp = [header(message, name) for name in ("From", "Date", "Subject")]
    return Mail(
        message_id=header(message, "Message-ID").strip(),
        sender=sender(message),
        automatic=automatic(message),
        lines=own.lines,
        elsewhere=own.elsewhere,
        doubtful=own.doubtful,
        stamp="\n".join([*stamp, *own.lines]),
    )


def header(message: Message, name: str) -> str:
    """The first header of that name, as much of it as matters; some programs write UTF-8 there."""
    raw = (str(value) for known, value in message.raw_items() if known.lower() == name.lower())
    kept = next(raw, "")[:LONGEST_HEADER]
    return kept.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def sender(message: Message) -> str | None:
    """The address in From, in the form that we keep; None where there is not exactly one."""
    if len(message.get_all("From", [])) != 1:
        return None
    text = COMMENT.sub("", QUOTED.sub("", header(message, "From")))
    found = MAILBOX.fullmatch(re.sub(r"\r?\n[ \t]", " ", text))
    try:
        return check_email_address(found[1] or found[2]) if found else None
    except NotUnderstood:
        return None


def automatic(message: Message) -> bool:
    """Whether a machine wrote it: answering machines could go on for ever."""
    submitted = header(message, "Auto-Submitted").partition(";")[0].strip().lower()
    return (
        submitted not in ("", "no")
        or header(message, "Precedence").strip().lower() in BULK
        or any(name in message for name in WRITTEN_BY_MACHINES)
        or header(message, "Return-Path").strip() == "<>"
        or message.get_content_type() == "multipart/report"
        or AWAY.match(subject(message)) is not None
    )


def subject(message: Message) -> str:
    raw = header(message, "Subject")
    try:
        return str(make_header(decode_header(raw)))
    except (HeaderParseError, ValueError, LookupError):  # letters that no charset has, too
        return raw
