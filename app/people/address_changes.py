"""Change of a player's address: asked for on the page, and done once links sent to the old and the new one were used."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from sqlalchemy import func, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, or_, select

from app.outbox.deliverability import confirm_reachable
from app.outbox.rows import enqueue_mail, readdress_mails
from app.people.access_log import enqueue_access_mail, note_access
from app.people.accounts import load_account
from app.people.sessions import end_sessions
from app.platform import tables
from app.platform.errors import Forbidden, Misspelt, TooMany
from app.platform.settings import Settings
from app.platform.tables import AddressChange
from app.platform.tables import ModeratorInvitation as Invited
from app.platform.text_input import check_email_address
from app.platform.tokens import hash_secret, issue_nonce
from engine.core.refusal import Unknown
from engine.core.sentence import say

LASTS = timedelta(days=1)
ADDRESS_CHANGES_KEPT = timedelta(days=90)
MOST_A_DAY = 5
PURPOSE = "address"
Side = Literal["old", "new"]
INVITING = ("invitation", "care")  # mails that ask whoever has an address to come
MAILS = {"old": "address_old", "new": "address_new"}  # the kinds of mail, by where they go
TAKEN = say("This address has an account here already.")
VOID = say("This link is too old, was used before, or the change was taken back. Links last a day.")


@dataclass(frozen=True, slots=True)
class Link:
    """A link that was mailed to one of the two addresses."""

    change: AddressChange
    side: Side


def request_address_change(
    session: Session,
    settings: Settings,
    player_id: int,
    *,
    session_id: int,
    email: object,
    at: datetime,
) -> None:
    """Has a link sent to both addresses. A new address that is taken is answered alike: only its mailbox learns of it."""
    player, address = load_account(session, player_id), check_email_address(email)
    if player.email is None:
        raise Forbidden(say("Guests have no address to change; sign in with one."))
    if address == player.email:
        raise Misspelt(say("That is your address already."))
    if changes_since(session, player_id, at - timedelta(days=1)) >= MOST_A_DAY:
        raise TooMany
    cancel_address_change(session, player_id, at)
    nonces, hashes = zip(*(issue_nonce(settings, PURPOSE) for _ in MAILS), strict=True)
    session.add(
        AddressChange(
            player_id=player_id,
            session_id=session_id,
            email=address,
            old_hash=hashes[0],
            new_hash=hashes[1],
            created_at=at,
        )
    )
    for kind, to, nonce, token_hash in zip(
        MAILS.values(), (player.email, address), nonces, hashes, strict=True
    ):
        payload = {"nonce": nonce, "hash": token_hash, "language": player.language}
        enqueue_mail(session, kind, at, email=to, payload=payload)


def changes_since(session: Session, player_id: int, since: datetime) -> int:
    query = select(func.count()).where(
        AddressChange.player_id == player_id, col(AddressChange.created_at) > since
    )
    return session.exec(query).one()


def load_address_change(session: Session, player_id: int, at: datetime) -> AddressChange | None:
    """The change that a player waits for."""
    query = select(AddressChange).where(
        AddressChange.player_id == player_id,
        col(AddressChange.ended_at).is_(None),
        col(AddressChange.created_at) > at - LASTS,
    )
    return session.exec(query.order_by(col(AddressChange.id).desc())).first()


def cancel_address_change(session: Session, player_id: int, at: datetime) -> None:
    """Makes the links of every change void that a player waits for."""
    waiting = (col(AddressChange.player_id) == player_id, col(AddressChange.ended_at).is_(None))
    session.execute(update(AddressChange).where(*waiting).values(ended_at=at))


def check_address_link(session: Session, token: str, at: datetime) -> Link:
    """The link of that token while it can be used; looking at it changes nothing."""
    given = hash_secret(token)
    query = select(AddressChange).where(
        or_(AddressChange.old_hash == given, AddressChange.new_hash == given),
        col(AddressChange.ended_at).is_(None),
        col(AddressChange.created_at) > at - LASTS,
    )
    change = session.exec(query).one_or_none()
    if change is None:
        raise Unknown(VOID)
    return Link(change, "old" if change.old_hash == given else "new")


def confirm_address(session: Session, token: str, browser: str, at: datetime) -> bool:
    """Confirms the change at one address; True if it was the second, and the change is made."""
    link = check_address_link(session, token, at)
    # Both links may be used at once: the second must see that the first was.
    change = session.get_one(
        AddressChange, link.change.id, with_for_update=True, populate_existing=True
    )
    player = load_account(session, change.player_id)
    if link.side == "old":
        change.old_at = change.old_at or at
    else:
        if is_taken(session, change.email):
            raise Forbidden(TAKEN)
        change.new_at = change.new_at or at
    session.add(change)
    session.flush()
    if change.old_at is None or change.new_at is None:
        return False
    move(session, player, change, browser, at)
    return True


def is_taken(session: Session, email: str) -> bool:
    known = select(tables.Player.id).where(tables.Player.email == email)
    return session.exec(known).first() is not None


def move(
    session: Session, player: tables.Player, change: AddressChange, browser: str, at: datetime
) -> None:
    """Makes the new address the player's: other browsers are signed out, and the old address is told."""
    old = player.email or ""
    player.email, change.ended_at = change.email, at
    session.add_all((player, change))
    try:
        session.flush()
    except IntegrityError as taken:  # somebody signed in with it since it was confirmed
        raise Forbidden(TAKEN) from taken
    session.exec(delete(tables.Login).where(col(tables.Login.email) == old))
    end_sessions(session, player, at, but=change.session_id)
    take_invitations_along(session, old, change.email)
    confirm_reachable(session, player.id or 0, at)  # the link was mailed to the new address
    note_access(session, player, "address", browser, at)
    enqueue_access_mail(session, player, "moved", at, email=old)


def take_invitations_along(session: Session, old: str, new: str) -> None:
    """Seats that are kept, and invitations to care for a match, follow the person; where the new address has one, both stay."""
    doubled = select(tables.Seat.match_id).where(tables.Seat.invited_email == new)
    kept = (col(tables.Seat.invited_email) == old, col(tables.Seat.match_id).not_in(doubled))
    session.execute(
        update(tables.Seat)
        .where(*kept)
        .values(invited_email=new)
        .execution_options(synchronize_session=False)
    )
    twice = select(Invited.match_id).where(Invited.email == new)
    invited = (col(Invited.email) == old, col(Invited.match_id).not_in(twice))
    session.execute(
        update(Invited)
        .where(*invited)
        .values(email=new)
        .execution_options(synchronize_session=False)
    )
    readdress_mails(session, old, new, INVITING)
