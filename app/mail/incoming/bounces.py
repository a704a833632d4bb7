"""Mails that come back: the person cannot be reached, and the tables they sit at are told.

A report of a mail system goes to the envelope sender, which names the mail it is about. It has no sender itself
(RFC 5321, 4.5.5), and comes within days: whatever else comes to that address, somebody made up. A recipient that is
refused at once, when the mail is sent, counts like one that is refused later.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import structlog
from sqlmodel import Session, select

from app.mail.incoming.message import Unreadable
from app.mail.incoming.reader_process import read_bounce
from app.outbox.deliverability import OURS, mark_unreachable, note_refusal_of_us, tell_host
from app.outbox.rows import mark_returned
from app.platform.services import Services
from app.platform.tables import Outbox, Player

log = structlog.get_logger()
NOBODY = ("", "<>")  # as an envelope writes that there is no sender
RETURNED = "bounced"
INVITING = ("invitation", "care")
LATEST = timedelta(days=7)  # after a mail was sent; mail servers try for five


def take_bounce(services: Services, outbox_id: int, raw: bytes, sender: str | None) -> bool:
    """Notes that a mail came back for good; False if it did not, or tells nothing new."""
    try:
        told = read_bounce(raw)
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return False
    # Where we see no envelope, whoever delivered the report wrote its sender above it.
    honest = is_nobody(told["sender"] if sender is None else sender)
    if not honest or told["verdict"] not in ("gone", "ours"):
        return False
    with services.database.session() as session:
        at = services.now()
        row = session.get(Outbox, outbox_id)
        if row is None or (row.sent_at or row.created_at) < at - LATEST:
            return False
        return note_return(session, row, told["verdict"] == "ours", at)


def note_return(session: Session, row: Outbox, ours: bool, at: datetime) -> bool:
    """What follows from a mail that was not taken: the person cannot be reached, or we were refused. False if that is known."""
    player = recipient(session, row)
    if ours:
        log.error(
            "mail refused",
            row=row.id,
            kind=row.kind,
            why="the recipient's server refuses us, not the person",
        )
        mark_returned(session, row, OURS)
        return player is not None and note_refusal_of_us(session, player, at)
    if row.kind in INVITING and row.why != RETURNED:
        mark_returned(session, row, RETURNED)
        tell_host(session, row, at)
        return True
    if player is None or player.bouncing_at is not None:
        return False
    mark_unreachable(session, player, at)
    return True


def is_nobody(sender: str | None) -> bool:
    """Whether the envelope names nobody, as that of every report must."""
    return sender is not None and sender.strip() in NOBODY


def recipient(session: Session, row: Outbox) -> Player | None:
    """Whom a mail went to, if they have an account."""
    if row.player_id is not None:
        return session.get(Player, row.player_id)
    return session.exec(select(Player).where(Player.email == row.email)).one_or_none()
