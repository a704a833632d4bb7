"""Suspension: an account that the site's moderators shut out for a while. Its clocks run on, and `on_timeout` does the rest."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, or_, select

from app import access_log, audit, models, signin
from app.errors import Forbidden
from app.moderation import given_reason
from engine.core.refusal import Unknown
from engine.core.sentence import say

MOST_FOUND = 50


def find_people(session: Session, words: str) -> list[models.Player]:
    """The accounts of that very address, or with these words in their name; without words, those suspended."""
    query = select(models.Player).where(col(models.Player.deleted_at).is_(None))
    words = "".join(letter for letter in words if letter.isprintable())  # PostgreSQL keeps no NUL
    if words:
        named = col(models.Player.name).icontains(words, autoescape=True)
        query = query.where(or_(named, models.Player.email == words.lower()))
    else:
        query = query.where(col(models.Player.suspended_at).is_not(None))
    return list(session.exec(query.order_by(col(models.Player.id).desc()).limit(MOST_FOUND)))


def get_person(session: Session, player_id: int) -> models.Player:
    """An account, suspended or not."""
    player = session.get(models.Player, player_id)
    if player is None or player.deleted_at is not None:
        raise Unknown(say("There is no such account."))
    return player


def suspend_account(
    session: Session,
    player: models.Player,
    moderator: models.Player | None,
    reason: Any,
    at: datetime,
) -> None:
    """Ends every session and shuts the account out; without a moderator it is the operator who does it."""
    why = given_reason(reason)
    if player.suspended_at is not None:
        raise Forbidden(say("This account is suspended already."))
    if moderator is not None and player.moderator:
        raise Forbidden(
            say("Moderators of this site are suspended by its operator, not by each other.")
        )
    player.suspended_at, player.suspended_why = at, why
    session.add(player)
    signin.end_sessions(session, player, at)
    access_log.enqueue_access_mail(session, player, "suspended", at, reason=why)
    note_deed(session, audit.SUSPENDED, player, moderator, why, at)


def lift_suspension(
    session: Session,
    player: models.Player,
    moderator: models.Player | None,
    reason: Any,
    at: datetime,
) -> None:
    """Lets the account in again, with the tokens and passkeys that it had."""
    why = given_reason(reason)
    if player.suspended_at is None:
        raise Forbidden(say("This account is not suspended."))
    player.suspended_at, player.suspended_why = None, ""
    session.add(player)
    access_log.enqueue_access_mail(session, player, "lifted", at, reason=why)
    note_deed(session, audit.LIFTED, player, moderator, why, at)


def note_deed(
    session: Session,
    act: str,
    player: models.Player,
    moderator: models.Player | None,
    why: str,
    at: datetime,
) -> None:
    role, who = ("site", moderator.id) if moderator else ("operator", None)
    audit.note(session, act, role, who, at, subject_id=player.id, reason=why)
