"""Mails that come back: the person cannot be reached, and the tables they sit at are told.

A report of the mail system (RFC 3464) goes to the envelope sender, which names the mail it is about. It has no
sender itself (RFC 5321, 4.5.5), and comes within days: whatever else comes to that address, somebody made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from email.message import Message
from typing import Any

import structlog
from sqlmodel import Session, select

from app import inbox_mail, mail_reader, reach
from app.inbox_mail import Unreadable
from app.models import Outbox, Player
from app.services import Services

log = structlog.get_logger()

NOBODY = ("", "<>")  # as an envelope writes that there is no sender
LATEST = timedelta(days=7)  # after a mail was sent; mail servers try for five


def take(services: Services, outbox_id: int, raw: bytes, sender: str | None) -> bool:
    """Notes that a mail came back for good; False if it did not, or tells nothing new."""
    try:
        told = mail_reader.read_bounce(raw)
        # Where we see no envelope, whoever delivered the report wrote its sender above it.
        final = told["final"] and is_nobody(told["sender"] if sender is None else sender)
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return False
    with services.database.session() as session:
        at = services.now()
        player = recipient(session, outbox_id, at - LATEST) if final else None
        if player is None or player.bouncing_at is not None:
            return False
        reach.mark(session, player, at)
    return True


def is_nobody(sender: str | None) -> bool:
    """Whether the envelope names nobody, as that of every report must."""
    return sender is not None and sender.strip() in NOBODY


def read_report(raw: bytes) -> dict[str, Any]:
    """What counts of a report; in the child that reads mails."""
    message = inbox_mail.parsed(raw)
    return {"final": is_final(message), "sender": inbox_mail.header(message, "Return-Path") or None}


def is_final(message: Message) -> bool:
    """Whether the report says that the mail will never arrive."""
    return any(
        str(fields.get("Action", "")).strip().lower() == "failed"
        and str(fields.get("Status", "")).strip().startswith("5.")
        for fields in reports(message)
    )


def reports(message: Message) -> Iterator[Message]:
    """What a report says of each recipient."""
    if message.get_content_type() != "multipart/report":
        return
    for part in message.get_payload():
        if isinstance(part, Message) and part.get_content_type() == "message/delivery-status":
            yield from (fields for fields in part.get_payload() if isinstance(fields, Message))


def recipient(session: Session, outbox_id: int, since: datetime) -> Player | None:
    """Whom the mail went to, if they have an account and it was not sent too long ago."""
    row = session.get(Outbox, outbox_id)
    if row is None or (row.sent_at or row.created_at) < since:
        return None
    if row.player_id is not None:
        return session.get(Player, row.player_id)
    return session.exec(select(Player).where(Player.email == row.email)).one_or_none()
