"""API tokens: made, listed, ended and looked up by their hash."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import bindparam
from sqlmodel import Session, col, select

from app.people.access_log import enqueue_access_mail, note_access
from app.people.accounts import check_not_suspended, load_account, settle_name
from app.platform import tables
from app.platform.errors import BadToken, Forbidden, Misspelt, NoScope
from app.platform.rows import TABLES, RowQuery
from app.platform.tokens import hash_secret, make_secret
from engine.core.sentence import say


def hand_out_token(
    session: Session,
    player_id: int,
    *,
    name: object,
    scopes: Iterable[str],
    browser: str,
    at: datetime,
) -> str:
    """A new token, in the access log and in a mail to its owner."""
    token = make_api_token(session, player_id, name, at, scopes)
    player = load_account(session, player_id)
    note_access(session, player, "token", browser, at)
    called = settle_name(name)
    enqueue_access_mail(session, player, "token", at, name=called)
    return token


TOKEN_PREFIX = "chq_"  # noqa: S105 - what scanners for leaked keys can look for
MOST_TOKENS = 20
TOKEN_LASTS = timedelta(days=365)


# What a token may be made for.
SCOPES = {
    "read": say("look at your matches, as you see them"),
    "play": say("play, draft, open tables and take seats"),
    "moderate": say("care for matches: pause, extend, rewind, close, give seats away"),
}


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose token a request shows, and what it may be used for."""

    player: tables.Player
    token: tables.ApiToken

    def check_scope(self, scope: str) -> None:
        if scope not in self.token.scopes:
            raise NoScope(scope, self.token.scopes)


def make_api_token(
    session: Session,
    player_id: int,
    name: object,
    at: datetime,
    scopes: Iterable[str] = tuple(SCOPES),
) -> str:
    """A key for a program, shown this once; good for a year."""
    player = load_account(session, player_id)
    if player.guest:
        raise Forbidden(say("Guests have no tokens; sign in with a mail address first."))
    if len(load_api_tokens(session, player_id, at)) >= MOST_TOKENS:
        raise Forbidden(say("{most} tokens are the most; end one first.", most=MOST_TOKENS))
    token = TOKEN_PREFIX + make_secret()
    session.add(
        tables.ApiToken(
            token_hash=hash_secret(token),
            player_id=player_id,
            name=settle_name(name),
            created_at=at,
            scopes=settle_scopes(scopes),
            expires_at=at + TOKEN_LASTS,
        )
    )
    session.flush()
    return token


def settle_scopes(chosen: Iterable[str]) -> list[str]:
    """The scopes of a new token, in one order; it must be good for something."""
    wanted = set(chosen)
    for scope in sorted(wanted - SCOPES.keys()):
        raise Misspelt(
            say("There is no scope {scope}; there are {all}.", scope=scope, all=", ".join(SCOPES))
        )
    if not wanted:
        raise Misspelt(say("A token needs at least one scope: {all}.", all=", ".join(SCOPES)))
    return [scope for scope in SCOPES if scope in wanted]


def load_api_tokens(session: Session, player_id: int, at: datetime) -> list[tables.ApiToken]:
    """The keys of a player that still open something."""
    query = select(tables.ApiToken).where(
        tables.ApiToken.player_id == player_id,
        col(tables.ApiToken.ended_at).is_(None),
        col(tables.ApiToken.expires_at) > at,
    )
    return list(session.exec(query.order_by(col(tables.ApiToken.id))))


def end_api_token(session: Session, player_id: int, token_id: int, at: datetime) -> None:
    for token in load_api_tokens(session, player_id, at):
        if token.id == token_id:
            token.ended_at = at
            session.add(token)
            session.flush()


def end_tokens(session: Session, player_id: int, at: datetime) -> None:
    """Ends every key of a player."""
    for token in load_api_tokens(session, player_id, at):
        token.ended_at = at
        session.add(token)
    session.flush()


TOKEN, PLAYER = (TABLES[name] for name in ("api_token", "player"))
BEARERS: RowQuery[tuple[tables.Player, tables.ApiToken]] = RowQuery(
    [tables.Player, tables.ApiToken],
    TOKEN.c.token_hash == bindparam("token"),
    TOKEN.c.ended_at.is_(None),
    TOKEN.c.expires_at > bindparam("at", type_=TOKEN.c.expires_at.type),
    PLAYER.c.deleted_at.is_(None),
    source=PLAYER.join(TOKEN, TOKEN.c.player_id == PLAYER.c.id),
)


def load_bearer(session: Session, token: str, at: datetime) -> Bearer:
    """Whose key that is; whoever is suspended is told so."""
    found = BEARERS.first(session, token=hash_secret(token), at=at)
    if found is None:
        raise BadToken
    check_not_suspended(found[0])
    return Bearer(*found)
