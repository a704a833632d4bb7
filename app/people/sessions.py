"""Sign-in by mailed link, sessions, and guests.

A link is good for ten minutes and one use, and asking for one answers alike for every address. Whoever asks in another's
name takes nothing from them: beyond some links the newest is mailed again. Each sign-in makes a new session, so nobody
can plant one beforehand.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, bindparam, update
from sqlmodel import Session, col, delete, select

from app.outbox.deliverability import confirm_reachable
from app.outbox.rows import enqueue_mail
from app.people.access_log import enqueue_access_mail, note_access
from app.people.accounts import check_not_suspended, settle_name
from app.people.api_tokens import end_tokens
from app.people.browsers import UNNAMED, Browser
from app.people.puzzle_tries import hand_over_puzzle_tries
from app.people.solved_lessons import hand_over_solved_lessons
from app.platform import tables
from app.platform.errors import BadLink, Forbidden, NotFresh
from app.platform.i18n import translate_sentence
from app.platform.rows import TABLES, RowQuery
from app.platform.settings import Settings
from app.platform.tables import Language
from app.platform.text_input import check_email_address, check_no_address
from app.platform.tokens import derive_secret, hash_secret, issue_nonce, make_secret
from engine.core.sentence import say

LINK_LASTS = timedelta(minutes=10)
LINKS_KEPT = timedelta(days=1)  # long enough to count them, no longer
LINKS_AN_HOUR = 5  # for one address, by one asker; of more, the newest is mailed again
LINKS_BY_ALL = 15  # for one address in an hour, by all who ask
AGAIN = LINK_LASTS / 2  # between two mails with one link, and what it must have left for the second
SESSION_LASTS = timedelta(days=90)  # since it last did something
SESSION_ENDS = timedelta(days=365)  # since it was made, whatever it did
SEEN_EVERY = timedelta(hours=1)
FRESH = timedelta(minutes=15)
LOGIN_PURPOSE = "login"


@dataclass(frozen=True)
class Visit:
    """A signed-in browser and whose it is."""

    session: tables.Session
    player: tables.Player


@dataclass(frozen=True)
class SignedIn:
    """A new session: its secret goes into the cookie and is kept nowhere."""

    token: str
    player: tables.Player
    next: str | None = None
    newcomer: bool = False


# Links


def request_login(
    session: Session,
    settings: Settings,
    email: object,
    *,
    next_page: str | None,
    language: Language,
    at: datetime,
    asker: str = "",
) -> None:
    """Has a sign-in link sent; `asker` is where the wish comes from. However many ask, a good link is in the mailbox."""
    address = check_email_address(email)
    session.exec(delete(tables.Login).where(col(tables.Login.created_at) < at - LINKS_KEPT))
    by = derive_secret(settings.signing_keys()[0], "asker", asker)
    made = links_since(session, address, at - timedelta(hours=1))
    link = link_to_repeat(made, by)
    if link is not None and link.mailed_at is not None and link.mailed_at > at - AGAIN:
        return
    if link is None or link.created_at + AGAIN < at:
        nonce, token_hash = issue_nonce(settings, LOGIN_PURPOSE)
        link = tables.Login(token_hash=token_hash, email=address, next=next_page, nonce=nonce)
        link.asker, link.created_at = by, at
    link.mailed_at = at
    session.add(link)
    payload = {"nonce": link.nonce, "hash": link.token_hash, "language": language}
    enqueue_mail(session, "login", at, email=address, payload=payload)


def link_to_repeat(made: list[tables.Login], by: str) -> tables.Login | None:
    """The newest link that was not used, where so many were made that no other is; otherwise None."""
    own = [link for link in made if link.asker == by]
    if len(own) < LINKS_AN_HOUR and len(made) < LINKS_BY_ALL:
        return None
    return next((link for link in made if link.used_at is None and link.nonce), None)


def links_since(session: Session, address: str, since: datetime) -> list[tables.Login]:
    """The links that were made for an address since then, the newest first."""
    query = select(tables.Login).where(
        tables.Login.email == address, col(tables.Login.created_at) > since
    )
    return list(session.exec(query.order_by(col(tables.Login.id).desc())))


def check_login(session: Session, token: str, at: datetime) -> tables.Login:
    """The link of that token while it can be used; looking at it changes nothing."""
    query = select(tables.Login).where(tables.Login.token_hash == hash_secret(token))
    link = session.exec(query).one_or_none()
    if link is None or link.used_at is not None or link.created_at + LINK_LASTS < at:
        raise BadLink
    return link


def use_login(
    session: Session,
    token: str,
    *,
    language: Language,
    at: datetime,
    before: str | None = None,
    browser: Browser = UNNAMED,
) -> SignedIn:
    """Signs in by a link, the first time too. The session `before` ends; a guest who is new stays who they are."""
    link = check_login(session, token, at)
    if not mark_used(session, link, at):
        raise BadLink
    guest = leave_old(session, before, at)
    player, newcomer = find_or_make_player(session, link.email, language, at, guest)
    confirm_reachable(session, player.id or 0, at)  # the link was mailed, so mails arrive
    return enter_player(
        session, player, "link", browser, at, next_page=link.next, newcomer=newcomer
    )


def enter_by_invitation(
    session: Session,
    address: str | None,
    *,
    name: object,
    language: Language,
    at: datetime,
    before: str | None = None,
    browser: Browser = UNNAMED,
) -> SignedIn:
    """Lets somebody new in by the link of an invitation, which only their mailbox got; they say what to call them.

    Whoever has an account proves it as always: an invitation is handed on more easily than a sign-in link. And a link
    that was mailed to nobody proves no address: without one there is no account.
    """
    if address is None:
        raise Forbidden(say("Guests play alone; sign in with a mail address to sit with others."))
    if knows_address(session, address):
        raise Forbidden(say("This address has an account already: sign in with it."))
    called = settle_name(name)
    check_no_address(called, say("The name"))
    guest = leave_old(session, before, at)
    player, newcomer = find_or_make_player(session, address, language, at, guest)
    player.name = called
    confirm_reachable(session, player.id or 0, at)  # the link was mailed, so mails arrive
    return enter_player(session, player, "link", browser, at, newcomer=newcomer)


def knows_address(session: Session, address: str) -> bool:
    query = select(tables.Player.id).where(tables.Player.email == address)
    return session.exec(query).first() is not None


def enter_player(
    session: Session,
    player: tables.Player,
    way: str,
    browser: Browser,
    at: datetime,
    *,
    next_page: str | None = None,
    newcomer: bool = False,
) -> SignedIn:
    """Opens a session for whoever proved to be that player, who is told of a browser that is new to them."""
    check_not_suspended(player)
    note_access(session, player, way, browser.name, at)
    if not newcomer and not browser.knows(player):
        enqueue_access_mail(session, player, "browser", at, browser=browser.name)
    token = open_session(session, player, at, browser.name)
    return SignedIn(token, player, next_page, newcomer)


def mark_used(session: Session, link: tables.Login, at: datetime) -> bool:
    """Takes the one use of a link, unless somebody else was quicker; all others to that address are void with it."""
    free = (col(tables.Login.id) == link.id, col(tables.Login.used_at).is_(None))
    marked = session.connection().execute(update(tables.Login).where(*free).values(used_at=at))
    if marked.rowcount != 1:
        return False
    others = (col(tables.Login.email) == link.email, col(tables.Login.used_at).is_(None))
    session.connection().execute(update(tables.Login).where(*others).values(used_at=at))
    return True


def leave_old(session: Session, before: str | None, at: datetime) -> tables.Player | None:
    """Ends the session that the browser had; a guest's every session, for the guest may become somebody."""
    visit = find_session(session, before, at)
    if visit is None:
        return None
    if not visit.player.guest:
        close_session(session, visit.session, at)
        return None
    sign_out_everywhere(session, visit.player, at)
    return visit.player


def find_or_make_player(
    session: Session,
    email: str,
    language: Language,
    at: datetime,
    guest: tables.Player | None = None,
) -> tuple[tables.Player, bool]:
    """The account of an address, and whether it was made just now; a guest may become it."""
    query = select(tables.Player).where(tables.Player.email == email)
    if known := session.exec(query).one_or_none():
        if guest is not None:
            hand_over_solved_lessons(session, guest.id or 0, known.id or 0)
            hand_over_puzzle_tries(session, guest.id or 0, known.id or 0)
            known.coach_off_at = known.coach_off_at or guest.coach_off_at
            session.add(known)
        return known, False
    player = guest or new_player(session, language, at)
    unnamed = player.name == first_name(player)
    player.email, player.guest = email, False
    if unnamed:
        player.name = first_name(player)
    session.add(player)
    session.flush()
    return player, True


def new_player(session: Session, language: Language, at: datetime) -> tables.Player:
    """Somebody new, without an address yet."""
    player = tables.Player(name="-", language=language, guest=True, created_at=at)
    session.add(player)
    session.flush()
    player.name = first_name(player)
    session.flush()
    return player


def first_name(player: tables.Player) -> str:
    """What somebody is called until they say otherwise; it gives nothing of the address away."""
    guest, other = say("Guest {number}", number=player.id), say("Player {number}", number=player.id)
    return translate_sentence(guest if player.guest else other, language=player.language)


def guest_login(session: Session, language: Language, at: datetime) -> SignedIn:
    """A player without an address, who can play at once."""
    player = new_player(session, language, at)
    return SignedIn(open_session(session, player, at), player)


# Sessions


def open_session(session: Session, player: tables.Player, at: datetime, browser: str = "") -> str:
    if player.id is None:
        raise ValueError("the player is not kept yet")
    token = make_secret()
    session.add(
        tables.Session(
            token_hash=hash_secret(token),
            player_id=player.id,
            created_at=at,
            fresh_at=at,
            seen_at=at,
            browser=browser,
        )
    )
    session.flush()
    return token


WHOSE = (
    select(tables.Session, tables.Player)
    .join(tables.Player, col(tables.Player.id) == col(tables.Session.player_id))
    .where(
        col(tables.Session.token_hash) == bindparam("token"),
        col(tables.Session.ended_at).is_(None),
        col(tables.Session.seen_at) > bindparam("since"),
        col(tables.Session.created_at) > bindparam("born"),
        col(tables.Player.deleted_at).is_(None),
        col(tables.Player.suspended_at).is_(None),
    )
)


def find_session(session: Session, token: str | None, at: datetime) -> Visit | None:
    """Whose cookie that is, if it still counts."""
    if not token:
        return None
    found = session.exec(WHOSE, params=session_lookup(token, at)).one_or_none()
    return Visit(*found) if found else None


def session_lookup(token: str, at: datetime) -> dict[str, Any]:
    """What a session that still counts is looked up by."""
    return {
        "token": hash_secret(token),
        "since": at - SESSION_LASTS,
        "born": at - SESSION_ENDS,
    }


SESSION, PLAYER = (TABLES[name] for name in ("session", "player"))
VISITS: RowQuery[tuple[tables.Session, tables.Player]] = RowQuery(
    [tables.Session, tables.Player],
    SESSION.c.token_hash == bindparam("token"),
    SESSION.c.ended_at.is_(None),
    SESSION.c.seen_at > bindparam("since", type_=SESSION.c.seen_at.type),
    SESSION.c.created_at > bindparam("born", type_=SESSION.c.created_at.type),
    PLAYER.c.deleted_at.is_(None),
    PLAYER.c.suspended_at.is_(None),
    source=SESSION.join(PLAYER, PLAYER.c.id == SESSION.c.player_id),
)


def seen_visit(connection: Connection, token: str, at: datetime) -> Visit | None:
    """The same to look at, in a tenth of the time: every page asks it."""
    found = VISITS.first(connection, **session_lookup(token, at))
    return Visit(*found) if found else None


def note_session_seen(session: Session, visit: Visit, at: datetime) -> None:
    """Notes that a session is alive; only acts do, so that looking writes nothing."""
    row = session.get(tables.Session, visit.session.id)
    if row is not None:
        row.seen_at = at
        session.add(row)


def is_fresh(visit: Visit, at: datetime) -> bool:
    """Whether somebody proved just now who they are."""
    return visit.session.fresh_at + FRESH >= at


def check_fresh(visit: Visit, at: datetime) -> None:
    """Refuses what is dangerous to somebody who did not sign in just now."""
    if not is_fresh(visit, at):
        raise NotFresh


def close_session(session: Session, row: tables.Session, at: datetime) -> None:
    row.ended_at = at
    session.add(row)
    session.flush()


def sign_out(session: Session, token: str | None, at: datetime) -> None:
    """Ends one session."""
    if visit := find_session(session, token, at):
        close_session(session, visit.session, at)


def sign_out_everywhere(session: Session, player: tables.Player, at: datetime) -> None:
    """Ends every session and token of a player, and the secret link to their calendar."""
    end_sessions(session, player, at)
    end_tokens(session, player.id or 0, at)


def end_sessions(
    session: Session, player: tables.Player, at: datetime, *, but: int | None = None
) -> None:
    """Ends the sessions of a player, all or all but one; with all of them their calendar and known browsers."""
    if but is None:
        kept = session.get_one(tables.Player, player.id)
        kept.calendars += 1
        session.add(kept)
    for row in open_sessions(session, player.id or 0, at):
        if row.id != but:
            row.ended_at = at
            session.add(row)
    session.flush()


def open_sessions(session: Session, player_id: int, at: datetime) -> list[tables.Session]:
    """The browsers in which a player is signed in, the latest first."""
    query = select(tables.Session).where(
        tables.Session.player_id == player_id,
        col(tables.Session.ended_at).is_(None),
        col(tables.Session.seen_at) > at - SESSION_LASTS,
        col(tables.Session.created_at) > at - SESSION_ENDS,
    )
    return list(session.exec(query.order_by(col(tables.Session.seen_at).desc())))


def end_session(session: Session, player_id: int, session_id: int, at: datetime) -> None:
    """Ends one session of a player; those of others are nothing to them."""
    for row in open_sessions(session, player_id, at):
        if row.id == session_id:
            close_session(session, row, at)
