"""Mails that come without an envelope, by a pipe or from a mailbox: their headers say where they went."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app import inbox, replies
from app.inbox import Outcome
from app.inbox_mail import HEAD_END, LONGEST_HEAD, MOST_HEAD_LINES
from app.services import Services

# Where mail servers write the envelope's recipient, then what people see.
HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc")
ADDRESS = re.compile(r"(?:play|bounce)\+[a-z0-9.]{1,60}@[a-z0-9.-]{1,253}", re.IGNORECASE)
LONGEST_HEADER = 4000
FOLD = re.compile(r"\r?\n[ \t]+")


def routed(services: Services, raw: bytes, to: str | None = None) -> Outcome:
    """Takes in a mail at the address `to`, or at the first of ours that its headers name."""
    if to is None:
        ours = (address for address in addresses(raw) if is_ours(services, address))
        to = next(ours, "")
    return inbox.receive(services, to, raw)


def addresses(raw: bytes) -> Iterator[str]:
    """The addresses in the headers that look like ours; found in the bytes, for nobody has counted this mail yet."""
    head = HEAD_END.split(raw[:LONGEST_HEAD], 1)[0].decode("latin-1")
    lines = [line.partition(":") for line in FOLD.sub(" ", head).splitlines()[:MOST_HEAD_LINES]]
    for name in HEADERS:
        for found, _, value in lines:
            if found.strip().lower() == name.lower():
                yield from ADDRESS.findall(value[:LONGEST_HEADER])


def is_ours(services: Services, address: str) -> bool:
    reading = (replies.read_address, replies.read_bounce)
    return any(read(services.settings, address) is not None for read in reading)
