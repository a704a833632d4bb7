"""Mails that let somebody in, and those that tell who came in: sign-in links, kept seats, changes of an account."""

from __future__ import annotations

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import bindparam
from sqlmodel import Session, select

from app.mail.outgoing.match_context import name_told
from app.mail.outgoing.template import Declined, Draft, Unwanted
from app.matches.invitations import find_rematch_guest, make_invitation_token, token_hash
from app.moderation.moderator_invitations import load_moderator_invitations
from app.outbox.mail_preferences import invitations_token, is_declined
from app.people.address_changes import PURPOSE, check_address_link, is_taken
from app.people.sessions import LINK_LASTS, LOGIN_PURPOSE
from app.platform import tables
from app.platform.i18n import LANGUAGES, SOURCE, format_moment, translate_sentence
from app.platform.rows import TABLES, ColumnQuery, RowQuery
from app.platform.services import Services
from app.platform.tables import UNDER_WAY, Language, Outbox
from app.platform.text_input import defuse_text
from app.platform.tokens import recover_secret
from engine.core.refusal import Unknown
from engine.core.registry import find
from engine.core.sentence import say

LINK, PLAYER = (TABLES[name] for name in ("login", "player"))
LINKS: RowQuery[tables.Login] = RowQuery([tables.Login], LINK.c.token_hash == bindparam("hash"))
SPOKEN: ColumnQuery[Language] = ColumnQuery(PLAYER.c.language, PLAYER.c.email == bindparam("email"))


# What the person is told of their own account, by what happened; {browser} and {name} come from the outbox.
TOLD = {
    "browser": (
        say("Somebody signed in from a new browser"),
        say("Somebody signed in to your account with a browser that we did not know: {browser}."),
    ),
    "passkey": (
        say("A passkey was added to your account"),
        say(
            "A passkey was added to your account, with this browser: {browser}. It signs in without a mail."
        ),
    ),
    "token": (
        say("A token was made for your account"),
        say("A token called {name} was made for your account. A program that has it acts as you."),
    ),
    "moved": (
        say("Your address at Chasqui was changed"),
        say("Your account has another mail address now. We write to this one no more."),
    ),
    "suspended": (
        say("Your account is suspended"),
        say("The moderators of this site suspended your account: {reason}"),
    ),
    "lifted": (
        say("Your account is open again"),
        say("The moderators of this site lifted the suspension of your account: {reason}"),
    ),
}
NOT_YOU = say(
    "It was you? Then all is well. If not, open your account page, end what is not yours under “Signing in”, "
    "or sign out everywhere."
)
NOT_YOU_MOVED = say("It was not you? Then write to those who run this service at once.")
WHILE_SUSPENDED = say(
    "You cannot sign in, act or answer by mail. The clocks of your seats run on; when your time is over the "
    "table goes on as it agreed to."
)
WELCOME_BACK = say("You can sign in as before.")
ADVICE = {"moved": NOT_YOU_MOVED, "suspended": WHILE_SUSPENDED, "lifted": WELCOME_BACK}
UNKNOWN_BROWSER = say("one that does not say what it is")
KEPT_SEAT = say("A seat at {title} is kept for you")
REMATCH = say("{title}: a rematch, and a seat is kept for you")
SEATING = ("open", *UNDER_WAY)  # while a match is played a seat may be given to another


def compose_login(session: Session, services: Services, row: Outbox) -> Draft:
    """The sign-in link, unless it was used or ran out while it waited."""
    payload = row.payload
    token = recover_secret(services.settings, LOGIN_PURPOSE, payload["nonce"], payload["hash"])
    link = LINKS.first(session, hash=payload["hash"])
    stale = link is None or link.used_at or link.created_at + LINK_LASTS < services.now()
    if token is None or row.email is None or stale:
        raise Unwanted("stale")
    url = f"{services.settings.base_url}/sign-in/link/{token}"
    language = language_of(session, row, payload.get("language"))
    return Draft(row.email, language, say("Your way in"), "login", {"url": url})


def compose_invitation(session: Session, services: Services, row: Outbox) -> Draft:
    """A seat is kept for somebody, unless the table has gone or the seat is taken."""
    key = row.payload.get("key", "")
    match = session.get(tables.Match, row.match_id) if row.match_id else None
    if row.email is None or match is None or match.status not in SEATING:
        raise Unwanted("stale")
    query = select(tables.Seat).where(tables.Seat.invite_hash == token_hash(key))
    seat = session.exec(query).one_or_none()
    if seat is None:
        raise Unwanted("stale")
    never = way_out(session, services, row.email)
    host = session.get(tables.Player, match.owner_id) if match.owner_id else None
    check_host(host)
    token = make_invitation_token(services.settings, key)
    url = f"{services.settings.base_url}/invitation/{token}"
    values = {
        "url": url,
        "title": defuse_text(match.title),
        "game": find(match.game).name,
        "host": name_told(host),
        "rematch": find_rematch_guest(session, match, seat) is not None,
        "never": never,
    }
    subject = REMATCH if values["rematch"] else KEPT_SEAT
    return Draft(
        row.email,
        language_of(session, row, host.language if host else None),
        say(subject.one, title=defuse_text(match.title)),
        "invitation",
        values,
        thread=match.id,
        unsubscribe=never,
    )


def compose_moderator_invitation(session: Session, services: Services, row: Outbox) -> Draft:
    """Somebody is asked to care for a match, while it is played and they have not answered."""
    match = session.get(tables.Match, row.match_id) if row.match_id else None
    if row.email is None or match is None or match.status not in UNDER_WAY:
        raise Unwanted("stale")
    if not load_moderator_invitations(session, match.id, services.now(), row.email):
        raise Unwanted("stale")
    never = way_out(session, services, row.email)
    host = session.get(tables.Player, match.owner_id) if match.owner_id else None
    check_host(host)
    values = {
        "url": f"{services.settings.base_url}/m/{match.id}/care/invitation",
        "title": defuse_text(match.title),
        "game": find(match.game).name,
        "host": name_told(host),
        "never": never,
    }
    language = language_of(session, row, host.language if host else None)
    subject = say("You are asked to care for {title}", title=defuse_text(match.title))
    return Draft(row.email, language, subject, "care", values, thread=match.id, unsubscribe=never)


def way_out(session: Session, services: Services, address: str) -> str:
    """Where somebody who is invited can say that they never want to be again; `Declined` if they have said so."""
    if is_declined(session, address):
        raise Declined
    token = invitations_token(services.settings, address)
    return f"{services.settings.base_url}/unsubscribe/{token}"


def check_host(host: tables.Player | None) -> None:
    """Nobody is invited in the name of somebody who is suspended."""
    if host is not None and host.suspended_at is not None:
        raise Unwanted("suspended")


def compose_access_notice(session: Session, services: Services, row: Outbox) -> Draft:
    """What happened to the reader's own account: who was not there should know."""
    player = session.get(tables.Player, row.player_id) if row.player_id else None
    if player is None or player.email is None or player.deleted_at is not None:
        raise Unwanted("gone")
    what = row.payload["what"]
    subject, words = TOLD[what]
    given = {name: row.payload.get(name) or "" for name in ("name", "reason")}
    browser = row.payload.get("browser") or translate_sentence(
        UNKNOWN_BROWSER, language=player.language
    )
    happened = datetime.fromisoformat(row.payload["at"])
    values = {
        "url": f"{services.settings.base_url}/account#access",
        "account": what not in ADVICE,
        "words": say(words.one, browser=browser, **given),
        "advice": ADVICE.get(what, NOT_YOU),
        "when": format_moment(happened, player.language, ZoneInfo(player.timezone)),
    }
    return Draft(row.email or player.email, player.language, subject, "access", values)


def compose_address_change(session: Session, services: Services, row: Outbox) -> Draft:
    """Asks at one of two addresses whether an account shall move; a new one that is taken is told so, and nobody else."""
    payload = row.payload
    given = (payload["nonce"], payload["hash"])
    token = recover_secret(services.settings, PURPOSE, *given)
    if token is None or row.email is None:
        raise Unwanted("stale")
    try:
        link = check_address_link(session, token, services.now())
    except Unknown as void:
        raise Unwanted("stale") from void
    new = link.side == "new"
    values = {
        "url": f"{services.settings.base_url}/address/link/{token}",
        "side": link.side,
        "email": link.change.email,
        "taken": new and is_taken(session, link.change.email),
    }
    language = language_of(session, row, payload.get("language"))
    return Draft(row.email, language, say("Your new mail address at Chasqui"), "address", values)


def language_of(session: Session, row: Outbox, otherwise: Any) -> Language:
    """The language of the recipient, or the one it was asked in."""
    known = SPOKEN.first(session, email=row.email) if row.email else None
    if known is not None:
        return known
    return otherwise if otherwise in LANGUAGES else SOURCE
