"""Taking everything along, and leaving for good."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from sqlalchemy import update
from sqlmodel import Session, col, delete, select

from app import departures, models
from app.accounts import NOBODY, get
from app.signin import sign_out_everywhere
from app.subscriptions import is_declined

SECRET = {
    *("token_hash", "invite_hash", "payload", "payload_hash", "answer", "seeds", "standing_at"),
    *("nonce", "asker"),  # of sign-in links
    *("public_key", "old_hash", "new_hash"),  # of passkeys and changes of address
}


def export(session: Session, player_id: int, at: datetime) -> dict[str, Any]:
    """Everything kept about a player, for the player."""
    player = get(session, player_id)
    seats = rows(session, models.Seat, models.Seat.player_id == player_id)
    return {
        "exported_at": at.isoformat(),
        "player": plain(player),
        "sessions": table(rows(session, models.Session, models.Session.player_id == player_id)),
        "tokens": table(rows(session, models.ApiToken, models.ApiToken.player_id == player_id)),
        "passkeys": table(rows(session, models.Passkey, models.Passkey.player_id == player_id)),
        "access_log": table(
            rows(session, models.AccessEvent, models.AccessEvent.player_id == player_id)
        ),
        "address_changes": table(
            rows(session, models.AddressChange, models.AddressChange.player_id == player_id)
        ),
        "logins": table(rows(session, models.Login, models.Login.email == player.email)),
        "seats": table(seats),
        "matches": table(
            rows(session, models.Match, col(models.Match.id).in_([seat.match_id for seat in seats]))
        ),
        "drafts": table(of_seats(session, models.Draft, seats)),
        "notes": table(of_seats(session, models.Note, seats)),
        "standing_orders": table(of_seats(session, models.Standing, seats)),
        "clocks": table(of_seats(session, models.Clock, seats)),
        "vacations": table(rows(session, models.Vacation, models.Vacation.player_id == player_id)),
        "talk": table(rows(session, models.Talk, models.Talk.player_id == player_id)),
        "mails": table(rows(session, models.Outbox, models.Outbox.player_id == player_id)),
        "wants_invitations": not (player.email and is_declined(session, player.email)),
    }


def rows(session: Session, model: Any, where: Any) -> list[Any]:
    return list(session.exec(select(model).where(where)))


def of_seats(session: Session, model: Any, seats: Iterable[models.Seat]) -> list[Any]:
    """The rows that belong to these seats and to no other."""
    found = (session.get(model, (seat.match_id, seat.number)) for seat in seats)
    return [row for row in found if row is not None]


def table(found: Iterable[Any]) -> list[dict[str, Any]]:
    return [plain(row) for row in found]


def plain(row: Any) -> dict[str, Any]:
    """A row as JSON, without secrets: those of the service, and those of the other seats."""
    kept: dict[str, Any] = row.model_dump(mode="json", exclude=SECRET)
    return kept


def delete_account(session: Session, player_id: int, at: datetime) -> None:
    """The moves and words at the table stay, under nobody's name; everything that names the person goes.

    Nobody waits for who has left: bots play on in running matches, and the next person owns them.
    """
    player = get(session, player_id)
    departures.leave_everything(session, player, at)
    sign_out_everywhere(session, player, at)
    forget_access(session, player_id)
    for seat in rows(session, models.Seat, models.Seat.player_id == player_id):
        for model in (models.Note, models.Standing, models.Draft):
            if kept := session.get(model, (seat.match_id, seat.number)):
                session.delete(kept)
    if player.email:
        forget_address(session, player.email)
    forget_mails(session, models.Outbox.player_id == player_id)
    sent = col(models.Received.player_id) == player_id
    session.execute(update(models.Received).where(sent).values(source=None))
    player.email, player.name, player.deleted_at = None, NOBODY, at
    session.exec(delete(models.Vacation).where(col(models.Vacation.player_id) == player_id))
    player.timezone, player.mail_preferences = "UTC", {}
    player.quiet_from = player.quiet_to = None
    session.add(player)
    session.flush()


def forget_access(session: Session, player_id: int) -> None:
    """Takes out what let the person in, and when and from where they came."""
    for model in (models.Passkey, models.Challenge, models.AddressChange, models.AccessEvent):
        session.exec(delete(model).where(col(model.player_id) == player_id))
    theirs = col(models.Session.player_id) == player_id
    session.execute(update(models.Session).where(theirs).values(browser=""))


def forget_address(session: Session, email: str) -> None:
    """Takes an address out of every table that holds it."""
    session.exec(delete(models.Login).where(col(models.Login.email) == email))
    session.exec(delete(models.Letter).where(col(models.Letter.to) == email))
    forget_mails(session, col(models.Outbox.email) == email)
    named = col(models.Proposal.email) == email
    session.execute(update(models.Proposal).where(named).values(email=None))
    invited = col(models.Seat.invited_email) == email
    session.execute(update(models.Seat).where(invited).values(invited_email=None, invite_hash=None))


def forget_mails(session: Session, where: Any) -> None:
    """Mails that wait are not sent, and those that were sent do not say to whom."""
    waiting = col(models.Outbox.state) == "waiting"
    session.execute(update(models.Outbox).where(where, waiting).values(state="dropped"))
    session.execute(update(models.Outbox).where(where).values(email=None, payload={}))
