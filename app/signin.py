"""Coming in and going out: mailed links, sessions and guests.

A link is good for ten minutes and one use, and asking for one answers alike for every address. Each sign-in
makes a new session, so nobody can plant one beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, update
from sqlmodel import Session, col, delete, select

from app import models, tokens
from app.accounts import email_address
from app.errors import BadLink, Forbidden, NotFresh
from app.models import Language
from app.settings import Settings
from engine.core.sentence import say

LINK_LASTS = timedelta(minutes=10)
LINKS_KEPT = timedelta(days=1)  # long enough to count them, no longer
LINKS_AN_HOUR = 5  # to one address, whoever asks
SESSION_LASTS = timedelta(days=90)  # since it last did something
FRESH = timedelta(minutes=15)
PURPOSE = "login"


@dataclass(frozen=True)
class SignedIn:
    """A new session: its secret goes into the cookie and is kept nowhere."""

    token: str
    player: models.Player
    next: str | None = None
    newcomer: bool = False


# Links


def request_login(
    session: Session,
    settings: Settings,
    email: object,
    next_page: str | None,
    language: Language,
    at: datetime,
) -> None:
    """Has a sign-in link sent. Too many to one address are quietly not sent: the answer tells nothing."""
    address = email_address(email)
    session.exec(delete(models.Login).where(col(models.Login.created_at) < at - LINKS_KEPT))
    if links_since(session, address, at - timedelta(hours=1)) >= LINKS_AN_HOUR:
        return
    nonce, token_hash = tokens.issue(settings, PURPOSE)
    session.add(
        models.Login(token_hash=token_hash, email=address, next=next_page, created_at=at)
    )
    payload = {"nonce": nonce, "hash": token_hash, "language": language}
    session.add(
        models.Outbox(kind="login", email=address, payload=payload, created_at=at, not_before=at)
    )


def links_since(session: Session, address: str, since: datetime) -> int:
    query = select(func.count()).where(
        models.Login.email == address, col(models.Login.created_at) > since
    )
    return session.exec(query).one()


def check_login(session: Session, token: str, at: datetime) -> models.Login:
    """The link of that token while it can be used; looking at it changes nothing."""
    query = select(models.Login).where(models.Login.token_hash == tokens.digest(token))
    link = session.exec(query).one_or_none()
    if link is None or link.used_at is not None or link.created_at + LINK_LASTS < at:
        raise BadLink
    return link


def use_login(
    session: Session, token: str, language: Language, at: datetime, before: str | None = None
) -> SignedIn:
    """Signs in by a link, for the first time too; the session `before` ends, and a guest stays who they are."""
    link = check_login(session, token, at)
    used = (
        update(models.Login)
        .where(col(models.Login.id) == link.id, col(models.Login.used_at).is_(None))
        .values(used_at=at)
    )
    if session.execute(used).rowcount != 1:  # somebody else was quicker
        raise BadLink
    old = find_session(session, before, at)
    player, newcomer = player_of(session, link.email, language, at, old[1] if old else None)
    if old:
        end_sessions(session, at, models.Session.player_id == old[1].id, guest=old[1].guest)
        old[0].ended_at = at
        session.add(old[0])
    return SignedIn(open_session(session, player, at), player, link.next, newcomer)
