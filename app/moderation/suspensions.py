"""Suspension: an account that the site's moderators shut out for a while. Its clocks run on, and `on_timeout` does the rest."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, or_, select

from app.moderation.acts import check_reason
from app.moderation.audit import LIFTED, SUSPENDED, note_audit
from app.people.access_log import enqueue_access_mail
from app.people.sessions import end_sessions
from app.platform import tables
from app.platform.errors import Forbidden
from engine.core.refusal import Unknown
from engine.core.sentence import say

MOST_FOUND = 50


def find_people(session: Session, words: str) -> list[tables.Player]:
    """The accounts of that very address, or with these words in their name; without words, those suspended."""
    query = select(tables.Player).where(col(tables.Player.deleted_at).is_(None))
    words = "".join(letter for letter in words if letter.isprintable())  # PostgreSQL keeps no NUL
    if words:
        named = col(tables.Player.name).icontains(words, autoescape=True)
        query = query.where(or_(named, tables.Player.email == words.lower()))
    else:
        query = query.where(col(tables.Player.suspended_at).is_not(None))
    return list(session.exec(query.order_by(col(tables.Player.id).desc()).limit(MOST_FOUND)))


def get_person(session: Session, player_id: int) -> tables.Player:
    """An account, suspended or not."""
    player = session.get(tables.Player, player_id)
    if player is None or player.deleted_at is not None:
        raise Unknown(say("There is no such account."))
    return player


def suspend_account(
    session: Session,
    player: tables.Player,
    moderator: tables.Player | None,
    reason: Any,
    at: datetime,
) -> None:
    """Ends every session and shuts the account out; without a moderator it is the operator who does it."""
    why = check_reason(reason)
    if player.suspended_at is not None:
        raise Forbidden(say("This account is suspended already."))
    if moderator is not None and player.moderator:
        raise Forbidden(
            say("Moderators of this site are suspended by its operator, not by each other.")
        )
    player.suspended_at, player.suspended_why = at, why
    session.add(player)
    end_sessions(session, player, at)
    enqueue_access_mail(session, player, "suspended", at, reason=why)
    note_deed(session, SUSPENDED, player, moderator, why, at)


def lift_suspension(
    session: Session,
    player: tables.Player,
    moderator: tables.Player | None,
    reason: Any,
    at: datetime,
) -> None:
    """Lets the account in again, with the tokens and passkeys that it had."""
    why = check_reason(reason)
    if player.suspended_at is None:
        raise Forbidden(say("This account is not suspended."))
    player.suspended_at, player.suspended_why = None, ""
    session.add(player)
    enqueue_access_mail(session, player, "lifted", at, reason=why)
    note_deed(session, LIFTED, player, moderator, why, at)


def note_deed(
    session: Session,
    act: str,
    player: tables.Player,
    moderator: tables.Player | None,
    why: str,
    at: datetime,
) -> None:
    role, who = ("site", moderator.id) if moderator else ("operator", None)
    note_audit(session, act, role, who, at, subject_id=player.id, reason=why)
