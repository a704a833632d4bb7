"""Links that let their reader play one seat of one match, and nothing else: those in mails about it.

A bearer link, so weaker than an answer by mail, which needs the account's address as its sender too (docs/ACCESS.md).
It gives the turn page and the history as that seat sees them, talk and notes to read; no session, and only orders to give.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session

from app.platform import tables
from app.platform.settings import Settings
from app.platform.tokens import seal_value, unseal_value

SEAT_LINK = "seat link"  # what the seal is for
LASTS = timedelta(days=30)


def make_seat_key(
    settings: Settings, match_id: str, seat: int, player: tables.Player, at: datetime
) -> str:
    """A key from that day on: a mail that is written twice in a day says the same twice.

    Signing out everywhere makes it void, as it does the link to the calendar.
    """
    made = [match_id, seat, player.id, player.calendars, at.date().toordinal()]
    return seal_value(settings, SEAT_LINK, made)


def find_seat_holder(
    session: Session, settings: Settings, match_id: str, key: str, at: datetime
) -> tables.Player | None:
    """Whose seat a key opens: None for another match, once it is old, or when the seat has changed hands."""
    match unseal_value(settings, SEAT_LINK, key):
        case [str(where), int(seat), int(player_id), int(turn), int(made)] if where == match_id:
            row = session.get(tables.Seat, (match_id, seat))
            player = session.get(tables.Player, player_id)
        case _:
            return None
    if row is None or player is None or (row.player_id, player.calendars) != (player_id, turn):
        return None
    old = made + LASTS.days < at.date().toordinal()
    return None if old or player.deleted_at or player.suspended_at else player
