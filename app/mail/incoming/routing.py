"""Mails that come without an envelope, by a pipe or from a mailbox: their headers say where they went."""

from __future__ import annotations

import re
from collections.abc import Iterator

from app.mail.compose import host_of, message_id
from app.mail.incoming.message import HEAD_END, LONGEST_HEAD, MOST_HEAD_LINES
from app.mail.incoming.receive import Outcome, receive_mail
from app.mail.reply_addresses import make_bounce_address, read_bounce_address, read_reply_address
from app.platform.services import Services
from app.platform.tables import Outbox

# Where mail servers write the envelope's recipient, then what people see.
HEADERS = ("Delivered-To", "X-Original-To", "Envelope-To", "X-Envelope-To", "To", "Cc")
ADDRESS = re.compile(r"[a-z0-9.-]{1,24}\+[a-z0-9.]{1,60}@[a-z0-9.-]{1,253}", re.IGNORECASE)
MESSAGE_ID = re.compile(rb"<([0-9]{1,12})\.([0-9]{1,12})@([a-z0-9.-]{1,253})>", re.IGNORECASE)
LONGEST_HEADER = 4000
FOLD = re.compile(r"\r?\n[ \t]+")


def route_mail(services: Services, raw: bytes, to: str | None = None) -> Outcome:
    """Takes in a mail at the address `to`, or at the first of ours that its headers name."""
    if to is None:
        ours = (address for address in addresses(raw) if is_ours(services, address))
        to = next(ours, None) or bounce_address_within(services, raw)
    return receive_mail(services, to, raw)


def bounce_address_within(services: Services, raw: bytes) -> str:
    """Where a report belongs that came to the plain address of an account: the mail of ours that it holds tells."""
    if services.settings.envelope_from is None:
        return ""
    for number, moment, host in MESSAGE_ID.findall(raw[:LONGEST_HEAD]):
        with services.database.look() as session:
            row = session.get(Outbox, int(number))
        named = f"<{int(number)}.{int(moment)}@{host.decode().lower()}>"
        if row is not None and named == message_id(row, host_of(services.settings)):
            return make_bounce_address(services.settings, row)
    return ""


def addresses(raw: bytes) -> Iterator[str]:
    """The addresses in the headers that look like ours; found in the bytes, for nobody has counted this mail yet."""
    head = HEAD_END.split(raw[:LONGEST_HEAD], 1)[0].decode("latin-1")
    lines = [line.partition(":") for line in FOLD.sub(" ", head).splitlines()[:MOST_HEAD_LINES]]
    for name in HEADERS:
        for found, _, value in lines:
            if found.strip().lower() == name.lower():
                yield from ADDRESS.findall(value[:LONGEST_HEADER])


def is_ours(services: Services, address: str) -> bool:
    reading = (read_reply_address, read_bounce_address)
    return any(read(services.settings, address) is not None for read in reading)
