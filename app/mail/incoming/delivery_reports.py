"""Mails that tell of undelivered ones, in every format that is known; read in the child process that reads mails.

RFC 3464 first: what a report says of each recipient. Where a mail is no such report, `flufl.bounce` knows the formats of
some thirty mail systems, and the words of the servers themselves tell the rest. docs/MAIL.md has the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from itertools import takewhile
from typing import Any, Literal

from flufl.bounce import all_failures

from app.mail.incoming.body import content
from app.mail.incoming.message import header, parse_message
from app.mail.server_words import blames_us, blames_us_in_prose, names_recipient

Verdict = Literal["gone", "ours", "late", "none"]
KNOWN: tuple[Verdict, ...] = ("gone", "ours", "late")
LONGEST = 20_000  # letters that are looked through for a server's words
DAEMON = re.compile(r"mailer-daemon|postmaster@|mail delivery|returned mail|undeliver|failure notice|delivery (status|failure)|mail error|(could not|cannot) be delivered|non recapit|unzustellbar|non remis|não entregue", re.IGNORECASE)  # fmt: skip
LATE = re.compile(r"will (be )?(re)?tr(y|ied)|delayed|has not yet been delivered|still (being )?(trying|tried|queued)|warning message only|no action is required|temporar", re.IGNORECASE)  # fmt: skip
FINAL = re.compile(r"undeliver(able|ed)|failure notice|delivery (has )?(failed|failure)|returned (mail|to sender)|mail (system )?error|notification: (error|failed)|\(failure\)|(could not|cannot) be delivered|unzustellbar|non remis|não entregue|non recapitato|devuelto", re.IGNORECASE)  # fmt: skip
GONE = re.compile(
    r"\b55[0134][ -]|\b5\.[1-5]\.\d{1,3}\b|could not be delivered|cannot be delivered|undeliverable|(could ?n.t|unable to|not able to) deliver|"
    r"delivery (has )?failed|permanent (fatal )?error|not (been )?delivered|did not reach",
    re.IGNORECASE,
)
CODE = re.compile(r"(?:^|[\s:(#<])(?:[45]\d\d[ -]|#?[45]\.\d\.\d)")
COPY = re.compile(
    r"^\s*(received:\s?|return-path:\s?|[-*= ]*(below this line|this is a copy|a copy of|copy of|original message|the original message follows|"
    r"message (header|text|contents)|unsent message|returned message|header of the|possibly truncated|(the )?(message )?headers? follow))",
    re.IGNORECASE | re.MULTILINE,
)
FOLLOWING = 3  # lines over which a server's words are broken


def read_report(raw: bytes) -> dict[str, Any]:
    """What a report says of a mail of ours, and the sender that whoever delivered it wrote above it."""
    message = parse_message(raw)
    return {"verdict": judge_report(message), "sender": header(message, "Return-Path") or None}


def judge_report(message: Message) -> Verdict:
    """Whether a mail will never arrive (`gone`), was refused because of us (`ours`), or may arrive yet (`late`)."""
    text = (content(message) or unparted(message))[:LONGEST]
    told = [judge_fields(fields, text) for fields in reports(message)]
    known = next((verdict for verdict in KNOWN if verdict in told), None)
    if known is not None or "well" in told:
        return known or "none"
    return judge_words(message, text)


def unparted(message: Message) -> str:
    """The text of a report that says it has parts, and has none."""
    payload = message.get_payload()
    return payload if isinstance(payload, str) else ""


def judge_fields(fields: Message, text: str = "") -> Verdict | Literal["well"]:
    """What RFC 3464 says of one recipient: `failed` is final, after days of 4.x too."""
    action = str(fields.get("Action", "")).strip().lower()
    status = str(fields.get("Status", "")).strip()
    said = str(fields.get("Diagnostic-Code", "")).strip()
    if action == "failed":
        return "ours" if blames_us(f"{status} {said or quoted_words(text)}") else "gone"
    if action in ("delivered", "relayed", "expanded"):
        return "well"
    return "late" if action == "delayed" else "none"


def judge_words(message: Message, text: str) -> Verdict:
    """What a mail says that is no report by RFC 3464."""
    temporary, permanent = all_failures(message)
    own = COPY.split(text, maxsplit=1)[0]
    if not permanent:
        if temporary:
            return "late"
        above = " ".join(header(message, name) for name in ("From", "Subject"))
        if not DAEMON.search(above) or LATE.search(own):
            return "none"
        if not (FINAL.search(above) or GONE.search(own) or names_recipient(own)):
            return "ours" if blames_us_in_prose(own) else "none"
    said = quoted_words(own)
    ours = blames_us(said) if said else blames_us_in_prose(own)
    return "ours" if ours else "gone"


def quoted_words(text: str) -> str:
    """What a report quotes of the server that refused: lines with its codes, and what follows them."""
    lines = COPY.split(text, maxsplit=1)[0].splitlines()
    coded = [n for n, line in enumerate(lines) if CODE.search(line)]
    return "\n".join(" ".join(takewhile(str.strip, lines[n : n + FOLLOWING + 1])) for n in coded)


def reports(message: Message) -> Iterator[Message]:
    """What a report says of each recipient."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            yield from (
                fields
                for fields in part.get_payload()
                if isinstance(fields, Message) and "Action" in fields
            )
