"""Invitations to a table: addresses that a seat is kept for, and the links that let somebody in."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.errors import TooMany
from app.platform.settings import Settings
from app.platform.text_input import check_email_address
from app.platform.tokens import seal_value, unseal_value
from engine.core.refusal import Unknown
from engine.core.sentence import say

SHARE, INVITATION = "share", "invitation"  # what seals are for


@dataclass(frozen=True, slots=True)
class Way:
    """Where a link leads: to a seat that is kept (by its key), or to any open seat of a table."""

    match_id: str
    key: str | None = None


def find_invitation_way(session: Session, settings: Settings, token: str) -> Way:
    """What a link opens; it does not say why it opens nothing."""
    if match_id := shared(settings, token):
        return Way(match_id)
    key = str(unseal_value(settings, INVITATION, token))
    query = select(tables.Seat).where(tables.Seat.invite_hash == token_hash(key))
    seat = session.exec(query).one_or_none()
    if seat is None:
        raise Unknown(say("This link opens no table, or no longer: perhaps the seat is taken."))
    return Way(seat.match_id, key)


def invited_address(session: Session, way: Way) -> str | None:
    """The address to which the link of a kept seat was mailed; a link that anybody may hand on proves none."""
    if way.key is None:
        return None
    query = select(tables.Seat.invited_email).where(tables.Seat.invite_hash == token_hash(way.key))
    return session.exec(query).one_or_none()


def find_rematch_guest(
    session: Session, row: tables.Match, seat: tables.Seat
) -> tables.Player | None:
    """For whom of the match before a seat of its rematch is kept: they are told by their name, nobody learns their address."""
    if row.rematch_of is None or seat.invited_email is None:
        return None
    sat = select(tables.Seat.player_id).where(tables.Seat.match_id == row.rematch_of)
    query = select(tables.Player).where(
        tables.Player.email == seat.invited_email, col(tables.Player.id).in_(sat)
    )
    return session.exec(query).one_or_none()


# Links that open a table


def make_share_token(settings: Settings, match_id: str) -> str:
    """What the people of a table hand on in a link: whoever has it may take an open seat."""
    return seal_value(settings, SHARE, match_id)


def shared(settings: Settings, token: str) -> str | None:
    """The match whose people made this token."""
    found = unseal_value(settings, SHARE, token)
    return None if found is None else str(found)


def make_invitation_token(settings: Settings, key: str) -> str:
    """What opens a seat that is kept. The mail that waits holds the key alone: unsealed it opens nothing."""
    return seal_value(settings, INVITATION, key)


TO_ONE_ADDRESS = 5  # invitations an hour, whoever invites
TO_ALL_ADDRESSES = 50  # that one person may invite in a day


def invite_address(
    session: Session,
    row: tables.Match,
    seat: tables.Seat,
    email: str,
    at: datetime,
    *,
    pos: int | None = None,
) -> None:
    """Keeps the seat for an address and writes to it; the link in the mail opens the seat.

    The key waits in the outbox, and opens nothing before the mail is written, which seals it. Before the match
    begins an invitation counts seats where later ones have their position.
    """
    address = check_email_address(email)
    check_invitations(session, row.owner_id, address, at)
    seat.invited_email = address
    payload = {"key": keep_seat_key(session, seat)}
    number = seat.number if pos is None else pos
    if may_write_to(session, address, at):
        enqueue_mail(
            session, "invitation", at, match_id=row.id, pos=number, email=address, payload=payload
        )


def may_write_to(session: Session, address: str, at: datetime) -> bool:
    """Whether an address has not had enough invitations for now.

    If it has, they are quietly not sent: who invites must not learn what others wrote to it. The lobby tells of the seat.
    """
    same = tables.Outbox.email == address
    return count_invitations(session, func.count(), at - timedelta(hours=1), same) < TO_ONE_ADDRESS


def check_invitations(session: Session, owner_id: int | None, address: str, at: datetime) -> None:
    """Refuses to write to ever more strangers for the same person."""
    own = select(tables.Match.id).where(tables.Match.owner_id == owner_id)
    others = (col(tables.Outbox.match_id).in_(own), tables.Outbox.email != address)
    addresses = func.count(func.distinct(tables.Outbox.email))
    if count_invitations(session, addresses, at - timedelta(days=1), *others) >= TO_ALL_ADDRESSES:
        raise TooMany


def count_invitations(session: Session, what: Any, since: datetime, *which: Any) -> int:
    """How many invitations were written, or to how many."""
    sent = (
        col(tables.Outbox.kind).in_(("invitation", "care")),
        col(tables.Outbox.created_at) > since,
    )
    found: int = session.exec(select(what).select_from(tables.Outbox).where(*sent, *which)).one()
    return found


def keep_seat_key(session: Session, seat: tables.Seat) -> str:
    """A new key to a seat that is kept; no other opens it from now on."""
    key = secrets.token_urlsafe(24)
    seat.invite_hash = token_hash(key)
    session.add(seat)
    return key


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def kept_for(seat: tables.Seat, player: tables.Player, token: str | None) -> bool:
    if seat.player_id is not None or seat.invited_email is None:
        return False
    by_token = token is not None and seat.invite_hash == token_hash(token)
    return by_token or (player.email is not None and player.email == seat.invited_email)
