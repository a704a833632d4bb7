"""Asking somebody who does not sit at the table to care for a match beside its owner.

Whoever signs in with the address that was written to may accept. So nobody learns who has an account here.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import unknown_match
from app.matches.invitations import check_invitations, may_write_to
from app.matches.tables import check_reachable
from app.moderation.acts import Care, take_care
from app.moderation.audit import note_audit
from app.moderation.commands import (
    AcceptModeratorInvitation,
    InviteModerator,
    WithdrawModeratorInvitation,
)
from app.moderation.consent import await_leave
from app.moderation.moderators import check_match_owner, enter_fact
from app.outbox.rows import enqueue_mail, requeue_mail
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.tables import UNDER_WAY, ModeratorInvitation, Outbox
from app.platform.text_input import check_email_address
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ActProposed, ModeratorNamed

KIND = "care"
LASTS = timedelta(days=14)
PATIENCE = timedelta(hours=1)
MOST = 10  # invitations to care for one match that stand open
INVITED = "ModeratorInvited"  # what the audit calls it


def load_moderator_invitations(
    session: Session, match_id: str, at: datetime, address: str | None = None
) -> list[ModeratorInvitation]:
    """The invitations to care for a match that stand open, all or those to one address."""
    query = select(ModeratorInvitation).where(
        ModeratorInvitation.match_id == match_id,
        col(ModeratorInvitation.created_at) > at - LASTS,
        col(ModeratorInvitation.settled).is_(None),
    )
    if address is not None:
        query = query.where(ModeratorInvitation.email == address)
    return list(session.exec(query.order_by(col(ModeratorInvitation.id))))


def invite_moderator(session: Session, command: InviteModerator, at: datetime) -> bool:
    """They would be judges: who plays does not choose them alone."""
    care = take_care(session, command, at, *UNDER_WAY)
    check_match_owner(care)
    if care.player_id is not None:
        check_reachable(session.get_one(tables.Player, care.player_id))
    address = check_email_address(command.email)
    check_invitations(session, care.row.owner_id, address, at)
    if len(load_moderator_invitations(session, care.row.id, at)) >= MOST:
        raise Forbidden(say("Too many invitations to care for this match stand open."))
    if load_moderator_invitations(session, care.row.id, at, address):
        raise Forbidden(say("That address is invited already."))
    if await_leave(care, ActProposed(care.role, "moderator", ""), address):
        return False
    write_to(care, address)
    return True


def write_to(care: Care, address: str) -> None:
    """Writes the invitation down, and to the address, unless it has had enough of them for now."""
    session, match_id, at = care.session, care.row.id, care.at
    invited = ModeratorInvitation(match_id=match_id, email=address, role=care.role, created_at=at)
    session.add(invited)
    pos = care.match.head
    sent = select(Outbox).where(
        Outbox.match_id == match_id, Outbox.kind == KIND, Outbox.pos == pos, Outbox.email == address
    )
    mail = session.exec(sent).one_or_none()  # there is one for each position
    if mail is None and may_write_to(session, address, at):
        enqueue_mail(session, KIND, at, match_id=match_id, pos=pos, email=address)
    elif mail is not None and (mail.state != "sent" or mail.created_at < at - PATIENCE):
        requeue_mail(session, mail, at)
    note_audit(session, INVITED, care.role, care.player_id, at, match_id=match_id)


def withdraw_moderator_invitation(
    session: Session, command: WithdrawModeratorInvitation, at: datetime
) -> bool:
    care = take_care(session, command, at, *UNDER_WAY)
    check_match_owner(care)
    for invited in load_moderator_invitations(session, care.row.id, at):
        if invited.id == command.number:
            invited.settled = "withdrawn"
            session.add(invited)
            return True
    raise Unknown(say("There is no such invitation."))


def load_moderator_invitation(
    session: Session, match_id: str, player: tables.Player, at: datetime
) -> ModeratorInvitation:
    """The invitation to whoever is signed in; for others there is no such match."""
    found = load_moderator_invitations(session, match_id, at, player.email) if player.email else []
    if not found:
        raise unknown_match(match_id)
    return found[-1]


def accept_moderator_invitation(
    session: Session, command: AcceptModeratorInvitation, at: datetime
) -> bool:
    """The log says as what the one who asked cared for the match."""
    row = lock_match_row(session, command.match_id)
    player = session.get_one(tables.Player, command.by)
    found = load_moderator_invitation(session, row.id, player, at)
    if session.get(tables.Moderator, (row.id, command.by)) or row.owner_id == command.by:
        raise Forbidden(say("You care for this match already."))
    found.settled = "taken"
    session.add_all((found, tables.Moderator(match_id=row.id, player_id=command.by)))
    session.flush()
    enter_fact(take_care(session, command, at, *UNDER_WAY), ModeratorNamed(found.role))
    return True
