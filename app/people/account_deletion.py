"""Export of an account, and what its deletion takes out of the tables."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, delete, select

from app.outbox.mail_preferences import is_declined
from app.outbox.rows import forget_mails
from app.people.accounts import load_account
from app.platform import tables

SECRET = {
    *("token_hash", "invite_hash", "payload", "payload_hash", "answer", "seeds", "standing_at"),
    *("nonce", "asker"),  # of sign-in links
    *("public_key", "old_hash", "new_hash"),  # of passkeys and changes of address
    *("p256dh", "auth", "key"),  # of browsers to be woken, and of orders that wait
}
# What is kept of a player row by row, under the names of the export.
EXPORTED: dict[str, Any] = {
    "sessions": tables.Session,
    "tokens": tables.ApiToken,
    "passkeys": tables.Passkey,
    "access_log": tables.AccessEvent,
    "address_changes": tables.AddressChange,
    "woken_browsers": tables.PushSubscription,
    "webhooks": tables.Webhook,
    "waiting_orders": tables.Cooling,
    "late_turns": tables.LateTurn,
    "vacations": tables.Vacation,
    "lessons": tables.SolvedLesson,
    "puzzles": tables.PuzzleTry,
    "talk": tables.Talk,
    "reports": tables.Report,
    "acts": tables.Audit,
    "cares_for": tables.Moderator,
    "left_seats": tables.SeatChange,
    "mails": tables.Outbox,
}


def export_account(session: Session, player_id: int, at: datetime) -> dict[str, Any]:
    """Everything kept about a player, for the player."""
    player = load_account(session, player_id)
    seats = rows(session, tables.Seat, tables.Seat.player_id == player_id)
    own = {
        name: table(rows(session, model, model.player_id == player_id))
        for name, model in EXPORTED.items()
    }
    return {
        "exported_at": at.isoformat(),
        "player": plain(player),
        "logins": table(rows(session, tables.Login, tables.Login.email == player.email)),
        "seats": table(seats),
        "matches": table(
            rows(session, tables.Match, col(tables.Match.id).in_([seat.match_id for seat in seats]))
        ),
        "drafts": table(of_seats(session, tables.Draft, seats)),
        "notes": table(of_seats(session, tables.Note, seats)),
        "standing_orders": table(of_seats(session, tables.Standing, seats)),
        "clocks": table(of_seats(session, tables.Clock, seats)),
        **own,
        "wants_invitations": not (player.email and is_declined(session, player.email)),
    }


def rows(session: Session, model: Any, where: Any) -> list[Any]:
    return list(session.exec(select(model).where(where)))


def of_seats(session: Session, model: Any, seats: Iterable[tables.Seat]) -> list[Any]:
    """The rows that belong to these seats and to no other."""
    found = (session.get(model, (seat.match_id, seat.number)) for seat in seats)
    return [row for row in found if row is not None]


def table(found: Iterable[Any]) -> list[dict[str, Any]]:
    return [plain(row) for row in found]


def plain(row: Any) -> dict[str, Any]:
    """A row as JSON, without secrets: those of the service, and those of the other seats."""
    kept: dict[str, Any] = row.model_dump(mode="json", exclude=SECRET)
    return kept


def forget_access(session: Session, player_id: int) -> None:
    """Takes out what let the person in, and when and from where they came."""
    for model in (
        tables.Passkey,
        tables.Challenge,
        tables.AddressChange,
        tables.AccessEvent,
        tables.TalkRead,
        tables.LateTurn,
        tables.SolvedLesson,
        tables.PuzzleTry,
        tables.Cooling,
        tables.Notice,
        tables.PushSubscription,
        tables.Webhook,
    ):
        session.exec(delete(model).where(col(model.player_id) == player_id))
    theirs = col(tables.Session.player_id) == player_id
    session.execute(update(tables.Session).where(theirs).values(browser=""))


def forget_address(session: Session, email: str) -> None:
    """Takes an address out of every table that holds it."""
    session.exec(delete(tables.Login).where(col(tables.Login.email) == email))
    session.exec(delete(tables.Letter).where(col(tables.Letter.to) == email))
    forget_mails(session, col(tables.Outbox.email) == email)
    named = col(tables.Proposal.email) == email
    session.execute(update(tables.Proposal).where(named).values(email=None))
    asked = col(tables.ModeratorInvitation.email) == email
    session.exec(delete(tables.ModeratorInvitation).where(asked))
    invited = col(tables.Seat.invited_email) == email
    session.execute(update(tables.Seat).where(invited).values(invited_email=None, invite_hash=None))
