"""Mails that tell of undelivered ones, in every format that is known; read in the child process that reads mails.

RFC 3464 first: what a report says of each recipient. Where a mail is no such report, `flufl.bounce` knows the formats of
some thirty mail systems, and the words of the servers themselves tell the rest. docs/MAIL.md has the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.message import Message
from typing import Any, Literal

from flufl.bounce import all_failures

from app.mail.incoming.body import content
from app.mail.incoming.message import header, parse_message
from app.mail.server_words import blames_us

Verdict = Literal["gone", "ours", "late", "none"]
LONGEST = 20_000  # letters that are looked through for a server's words
DAEMON = re.compile(r"mailer-daemon|postmaster|mail delivery|returned mail|undeliver|failure notice|delivery (status|failure)|non recapit|unzustellbar|non remis|não entregue", re.IGNORECASE)  # fmt: skip
LATE = re.compile(r"will (be )?(re)?tr(y|ied)|delayed|has not yet been delivered|still (being )?(trying|tried|queued)|warning message only|no action is required|temporar", re.IGNORECASE)  # fmt: skip
GONE = re.compile(
    r"\b55[0134][ -]|\b5\.[1-5]\.\d{1,3}\b|user (is )?unknown|unknown (user|recipient|address|mailbox|local)|no such (user|recipient|mailbox|"
    r"address|account)|(user|mailbox|recipient|address|account|e-?mail) [^.\n]{0,60}(does not exist|doesn't exist|not found|"
    r"unavailable|is disabled|is inactive|rejected)|mailbox unavailable|not listed in|invalid (recipient|mailbox|address)|"
    r"could not be delivered|undeliverable|delivery (has )?failed|permanent (fatal )?error",
    re.IGNORECASE,
)


def read_report(raw: bytes) -> dict[str, Any]:
    """What a report says of a mail of ours, and the sender that whoever delivered it wrote above it."""
    message = parse_message(raw)
    return {"verdict": judge_report(message), "sender": header(message, "Return-Path") or None}


def judge_report(message: Message) -> Verdict:
    """Whether a mail will never arrive (`gone`), was refused because of us (`ours`), or may arrive yet (`late`)."""
    told = [judge_fields(fields) for fields in reports(message)]
    known = next((verdict for verdict in ("gone", "ours", "late") if verdict in told), None)
    if known is not None:
        return known
    return judge_words(message)


def judge_fields(fields: Message) -> Verdict:
    """What RFC 3464 says of one recipient: `failed` is final, after days of 4.x too."""
    action = str(fields.get("Action", "")).strip().lower()
    status = str(fields.get("Status", "")).strip()
    said = f"{status} {fields.get('Diagnostic-Code', '')}"
    if action == "failed":
        return "ours" if blames_us(said) else "gone"
    return "late" if action == "delayed" else "none"


def judge_words(message: Message) -> Verdict:
    """What a mail says that is no report by RFC 3464."""
    temporary, permanent = all_failures(message)
    text = content(message)[:LONGEST]
    if permanent:
        return "ours" if blames_us(text) and not GONE.search(text) else "gone"
    if temporary:
        return "late"
    above = " ".join(header(message, name) for name in ("From", "Subject"))
    if not DAEMON.search(above) or LATE.search(text):
        return "none"
    if blames_us(text):
        return "ours"
    return "gone" if GONE.search(text) else "none"


def reports(message: Message) -> Iterator[Message]:
    """What a report says of each recipient."""
    for part in message.walk():
        if part.get_content_type() == "message/delivery-status" and part.is_multipart():
            yield from (
                fields
                for fields in part.get_payload()
                if isinstance(fields, Message) and "Action" in fields
            )
