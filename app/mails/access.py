"""Mails that let somebody in: the sign-in link, and a seat that is kept."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam
from sqlmodel import Session, select

from app import door, glance, i18n, lobby, models, signin, subscriptions, tokens
from app.mails.draft import Declined, Draft, Unwanted
from app.mails.sheet import name_told
from app.models import UNDER_WAY, Language, Outbox
from app.services import Services
from app.words import defuse_text
from engine.core.registry import find
from engine.core.sentence import say

LINK, PLAYER = (glance.TABLES[name] for name in ("login", "player"))
LINKS: glance.Glance[models.Login] = glance.Glance(
    [models.Login], LINK.c.token_hash == bindparam("hash")
)
SPOKEN: glance.Values[Language] = glance.Values(
    PLAYER.c.language, PLAYER.c.email == bindparam("email")
)
SEATING = ("open", *UNDER_WAY)  # while a match is played a seat may be given to another


def login(session: Session, services: Services, row: Outbox) -> Draft:
    """The sign-in link, unless it was used or ran out while it waited."""
    payload = row.payload
    token = tokens.recover(services.settings, signin.PURPOSE, payload["nonce"], payload["hash"])
    link = LINKS.first(session, hash=payload["hash"])
    stale = link is None or link.used_at or link.created_at + signin.LINK_LASTS < services.now()
    if token is None or row.email is None or stale:
        raise Unwanted("stale")
    url = f"{services.settings.base_url}/sign-in/link/{token}"
    language = language_of(session, row, payload.get("language"))
    return Draft(row.email, language, say("Your way in"), "login", {"url": url})


def invitation(session: Session, services: Services, row: Outbox) -> Draft:
    """A seat is kept for somebody, unless the table has gone or the seat is taken."""
    key = row.payload.get("key", "")
    match = session.get(models.Match, row.match_id) if row.match_id else None
    if row.email is None or match is None or match.status not in SEATING:
        raise Unwanted("stale")
    query = select(models.Seat).where(models.Seat.invite_hash == lobby.token_hash(key))
    if session.exec(query).one_or_none() is None:
        raise Unwanted("stale")
    never = way_out(session, services, row.email)
    host = session.get(models.Player, match.owner_id) if match.owner_id else None
    token = door.invitation_token(services.settings, key)
    url = f"{services.settings.base_url}/invitation/{token}"
    values = {
        "url": url,
        "title": defuse_text(match.title),
        "game": find(match.game).name,
        "host": name_told(host),
        "never": never,
    }
    return Draft(
        row.email,
        language_of(session, row, host.language if host else None),
        say("A seat at {title} is kept for you", title=defuse_text(match.title)),
        "invitation",
        values,
        thread=match.id,
        unsubscribe=never,
    )


def care(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody is asked to care for a match, while it is played and they have not answered."""
    match = session.get(models.Match, row.match_id) if row.match_id else None
    if row.email is None or match is None or match.status not in UNDER_WAY:
        raise Unwanted("stale")
    never = way_out(session, services, row.email)
    host = session.get(models.Player, match.owner_id) if match.owner_id else None
    values = {
        "url": f"{services.settings.base_url}/m/{match.id}/care/invitation",
        "title": defuse_text(match.title),
        "game": find(match.game).name,
        "host": name_told(host),
        "never": never,
    }
    language = language_of(session, row, host.language if host else None)
    subject = say("Will you care for {title}?", title=defuse_text(match.title))
    return Draft(row.email, language, subject, "care", values, thread=match.id, unsubscribe=never)


def way_out(session: Session, services: Services, address: str) -> str:
    """Where somebody who is invited can say that they never want to be again; `Declined` if they have said so."""
    if subscriptions.is_declined(session, address):
        raise Declined
    token = subscriptions.invitations_token(services.settings, address)
    return f"{services.settings.base_url}/unsubscribe/{token}"


def language_of(session: Session, row: Outbox, otherwise: Any) -> Language:
    """The language of the recipient, or the one it was asked in."""
    known = SPOKEN.first(session, email=row.email) if row.email else None
    if known is not None:
        return known
    return otherwise if otherwise in i18n.LANGUAGES else i18n.SOURCE
