"""Mails that come back: the person cannot be reached, and the tables they sit at are told.

A report of the mail system (RFC 3464) goes to the envelope sender, which names the mail it is about.
"""

from __future__ import annotations

from collections.abc import Iterator
from email.message import Message

import structlog
from sqlmodel import Session, select

from app import mail_reader, reach
from app.inbox_mail import Unreadable
from app.models import Outbox, Player
from app.services import Services

log = structlog.get_logger()


def take(services: Services, outbox_id: int, raw: bytes) -> bool:
    """Notes that a mail came back for good; False if it did not, or tells nothing new."""
    try:
        final = mail_reader.read_bounce(raw)
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return False
    with services.database.session() as session:
        player = recipient(session, outbox_id) if final else None
        if player is None or player.bouncing_at is not None:
            return False
        reach.mark(session, player, services.now())
    return True


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


def recipient(session: Session, outbox_id: int) -> Player | None:
    """Whom the mail went to, if they have an account."""
    row = session.get(Outbox, outbox_id)
    if row is None:
        return None
    if row.player_id is not None:
        return session.get(Player, row.player_id)
    return session.exec(select(Player).where(Player.email == row.email)).one_or_none()
