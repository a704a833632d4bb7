"""Asking somebody who does not sit at the table to care for a match beside its owner.

The mail is the invitation: whoever signs in with its address may accept it. So nobody learns who has an account here.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, or_, select

from app import audit, consent, lobby, models, notices, play, stewards, store
from app.errors import Forbidden
from app.models import UNDER_WAY, Outbox
from app.moderation import Care, Carer, in_care
from app.outbox_count import count_mail
from app.words import email_address
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ActProposed, ModeratorNamed

KIND = "care"
LASTS = timedelta(days=14)
PATIENCE = timedelta(hours=1)
MOST = 10  # invitations to care for one match that stand open
SETTLED = ("taken", "withdrawn")
INVITED = "ModeratorInvited"  # what the audit calls it


def invitations(
    session: Session, match_id: str, at: datetime, address: str | None = None
) -> list[Outbox]:
    """The invitations to care for a match that stand open, all or those to one address."""
    query = select(Outbox).where(
        Outbox.match_id == match_id,
        Outbox.kind == KIND,
        col(Outbox.created_at) > at - LASTS,
        or_(col(Outbox.why).is_(None), col(Outbox.why).not_in(SETTLED)),
    )
    if address is not None:
        query = query.where(Outbox.email == address)
    return list(session.exec(query.order_by(col(Outbox.id))))


def invite(
    session: Session, match_id: str, carer: Carer, email: str, head: int | None, at: datetime
) -> bool:
    """Asks the person behind an address to care for the match too; False if others must agree first.

    They would be judges: who plays does not choose them alone.
    """
    care = in_care(session, match_id, carer, head, at, *UNDER_WAY)
    stewards.check_owner(care)
    if care.player_id is not None:
        lobby.check_address(session.get_one(models.Player, care.player_id))
    address = email_address(email)
    lobby.check_invitations(session, care.row.owner_id, address, at)
    if len(invitations(session, match_id, at)) >= MOST:
        raise Forbidden(say("Too many invitations to care for this match stand open."))
    if invitations(session, match_id, at, address):
        raise Forbidden(say("That address is invited already."))
    if consent.await_leave(care, ActProposed(care.role, "moderator", ""), address):
        return False
    write_to(care, address)
    return True


def write_to(care: Care, address: str) -> None:
    """Writes the invitation, unless the address has had enough of them for now."""
    session, match_id, at = care.session, care.row.id, care.at
    withdrawn = select(Outbox).where(
        Outbox.match_id == match_id,
        Outbox.kind == KIND,
        Outbox.pos == care.match.head,
        Outbox.email == address,
    )
    if again := session.exec(withdrawn).one_or_none():  # there is one row for each position
        reopen(again, at)
        session.add(again)
    elif lobby.may_write_to(session, address, at):
        notices.post(session, KIND, at, match_id=match_id, pos=care.match.head, email=address)
    audit.note(session, INVITED, care.role, care.player_id, at, match_id=match_id)


def reopen(row: Outbox, at: datetime) -> None:
    """An invitation that was taken back stands again; who has just got the mail gets no other."""
    row.why = None
    if row.state != "sent" or row.created_at < at - PATIENCE:
        row.state, row.tries, row.sent_at = "waiting", 0, None
        row.created_at = row.not_before = at
        count_mail(row.player_id, row.email)


def withdraw(session: Session, match_id: str, carer: Carer, number: int, at: datetime) -> None:
    """Takes an invitation back that was not accepted yet."""
    care = in_care(session, match_id, carer, None, at, *UNDER_WAY)
    stewards.check_owner(care)
    for row in invitations(session, match_id, at):
        if row.id == number:
            row.state = "dropped" if row.state == "waiting" else row.state
            row.why = "withdrawn"
            session.add(row)
            return
    raise Unknown(say("There is no such invitation."))


def invitation(session: Session, match_id: str, player: models.Player, at: datetime) -> Outbox:
    """The invitation to whoever is signed in; for others there is no such match."""
    found = invitations(session, match_id, at, player.email) if player.email else []
    if not found:
        raise store.no_match(match_id)
    return found[-1]


def accept(session: Session, match_id: str, player: models.Player, at: datetime) -> None:
    """Cares for the match from now on; the log says as what the one who asked did so."""
    row = play.take_turn(session, match_id)
    found = invitation(session, match_id, player, at)
    named = session.get(models.Moderator, (match_id, player.id))
    if named or row.owner_id == player.id:
        raise Forbidden(say("You care for this match already."))
    found.why = "taken"
    session.add_all((found, models.Moderator(match_id=match_id, player_id=player.id or 0)))
    session.flush()
    asked = select(models.Audit.role).where(
        models.Audit.match_id == match_id, models.Audit.act == INVITED
    )
    role = session.exec(asked.order_by(col(models.Audit.id).desc())).first() or "owner"
    care = in_care(session, match_id, player.id or 0, None, at, *UNDER_WAY)
    stewards.entered(care, ModeratorNamed(role))
