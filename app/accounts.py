"""A person's own affairs: name, language, time zone, mails, keys for programs, taking everything along, leaving."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import get_args
from zoneinfo import ZoneInfo, available_timezones

from sqlmodel import Session, col, select

from app import models, tokens
from app.errors import BadToken, Forbidden, Misspelt, NoScope, Suspended
from app.models import Language
from app.words import check_no_address, holds_unseen
from engine.core.sentence import Sentence, say

LONGEST_NAME = 30
MARKS_IN_A_ROW = 2  # more accents on one letter spill over the lines above and below
TOKEN_PREFIX = "chq_"  # noqa: S105 - what scanners for leaked keys can look for
MOST_TOKENS = 20
TOKEN_LASTS = timedelta(days=365)
# What a token may be made for.
SCOPES = {
    "read": say("look at your matches, as you see them"),
    "play": say("play, draft, open tables and take seats"),
    "moderate": say("care for matches: pause, extend, rewind, close, give seats away"),
}
MORNING = 7  # o'clock: when the digest is written
NOBODY = "-"  # the name of those who have left

# What a player can be written to about, and whether they are unless they say otherwise.
MAILS: dict[str, bool] = {
    "turn": True,
    "festival": True,
    "reminder": True,
    "over": True,
    "table": True,
    "talk": False,
    "digest": False,
    "pictures": True,
}


# Who somebody is


def display_name(player: models.Player | None) -> str | Sentence:
    """What a player is called; of those who have left there is no name to tell."""
    if player is None or player.deleted_at is not None:
        return say("former player")
    return player.name


def settle_name(value: object) -> str:
    """A name that others can be shown: short, readable, and without marks that rearrange the page."""
    name = " ".join(unicodedata.normalize("NFC", value).split()) if isinstance(value, str) else ""
    if not any(letter.isalnum() for letter in name):
        raise Misspelt(say("A name needs at least one letter or digit."))
    if len(name) > LONGEST_NAME:
        raise Misspelt(
            say(
                "This name has {count} letters; {most} are the most.",
                count=len(name),
                most=LONGEST_NAME,
            )
        )
    if holds_unseen(name):
        raise Misspelt(
            say("This name has letters that cannot be seen or that turn the line around.")
        )
    if marks_in_a_row(name) > MARKS_IN_A_ROW:
        raise Misspelt(say("This name has too many accents on one letter."))
    return name


def marks_in_a_row(text: str) -> int:
    longest = run = 0
    for letter in unicodedata.normalize("NFD", text):
        run = run + 1 if unicodedata.combining(letter) else 0
        longest = max(longest, run)
    return longest


def settle_language(value: object) -> Language:
    if value not in get_args(Language):
        raise Misspelt(say("That language is not spoken here."))
    return value  # type: ignore[return-value]  # it is one of them


@cache
def timezones() -> tuple[str, ...]:
    """The places that a clock can be set to, as the zone database names them."""
    real = (name for name in available_timezones() if "/" in name and not name.startswith("Etc/"))
    return ("UTC", *sorted(real))


def settle_timezone(value: object) -> str:
    if value not in timezones():
        raise Misspelt(say("There is no such time zone."))
    return str(value)


def wants(player: models.Player, mail: str) -> bool:
    """Whether a player wants mails of that kind."""
    return bool(player.mail_preferences.get(mail, MAILS.get(mail, True)))


def next_digest(player: models.Player, at: datetime) -> datetime | None:
    """The next morning where the player lives, for those who want a mail a day."""
    if not wants(player, "digest"):
        return None
    here = at.astimezone(ZoneInfo(player.timezone))
    today = here.replace(hour=MORNING, minute=0, second=0, microsecond=0, fold=0)
    return (today if today > here else today + timedelta(days=1)).astimezone(UTC)


def change(
    session: Session,
    player_id: int,
    *,
    name: object,
    language: object,
    timezone: object,
    mails: set[str],
    at: datetime,
) -> models.Player:
    """Keeps what a player wrote on the account page; a guest, who has no address, is not asked about mails."""
    player = get(session, player_id)
    if (chosen := settle_name(name)) != player.name:  # an old one stays until it is changed
        check_no_address(chosen, say("The name"))
        player.name = chosen
    player.language = settle_language(language)
    player.timezone = settle_timezone(timezone)
    if not player.guest:
        ticked = {mail: mail in mails for mail in MAILS}
        player.mail_preferences = {**player.mail_preferences, **ticked}
    player.digest_at = next_digest(player, at)
    session.add(player)
    session.flush()
    return player


def change_language(session: Session, player_id: int, language: Language) -> None:
    player = get(session, player_id)
    player.language = language
    session.add(player)
    session.flush()


def get(session: Session, player_id: int) -> models.Player:
    player = session.get(models.Player, player_id)
    if player is None or player.deleted_at is not None:
        raise Forbidden(say("There is no such account any more."))
    check_not_suspended(player)
    return player


def check_not_suspended(player: models.Player) -> None:
    """Refuses whoever the site's moderators shut out, and says why they did."""
    if player.suspended_at is not None:
        raise Suspended(player.suspended_why)


# Keys for programs


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose token a request shows, and what it may be used for."""

    player: models.Player
    token: models.ApiToken

    def check_scope(self, scope: str) -> None:
        if scope not in self.token.scopes:
            raise NoScope(scope, self.token.scopes)


def new_token(
    session: Session,
    player_id: int,
    name: object,
    at: datetime,
    scopes: Iterable[str] = tuple(SCOPES),
) -> str:
    """A key for a program, shown this once; good for a year."""
    player = get(session, player_id)
    if player.guest:
        raise Forbidden(say("Guests have no tokens; sign in with a mail address first."))
    if len(tokens_of(session, player_id, at)) >= MOST_TOKENS:
        raise Forbidden(say("{most} tokens are the most; end one first.", most=MOST_TOKENS))
    token = TOKEN_PREFIX + tokens.fresh()
    session.add(
        models.ApiToken(
            token_hash=tokens.digest(token),
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


def tokens_of(session: Session, player_id: int, at: datetime) -> list[models.ApiToken]:
    """The keys of a player that still open something."""
    query = select(models.ApiToken).where(
        models.ApiToken.player_id == player_id,
        col(models.ApiToken.ended_at).is_(None),
        col(models.ApiToken.expires_at) > at,
    )
    return list(session.exec(query.order_by(col(models.ApiToken.id))))


def end_token(session: Session, player_id: int, token_id: int, at: datetime) -> None:
    for token in tokens_of(session, player_id, at):
        if token.id == token_id:
            token.ended_at = at
            session.add(token)
            session.flush()


def end_tokens(session: Session, player_id: int, at: datetime) -> None:
    """Ends every key of a player."""
    for token in tokens_of(session, player_id, at):
        token.ended_at = at
        session.add(token)
    session.flush()


def bearer(session: Session, token: str, at: datetime) -> Bearer:
    """Whose key that is; whoever is suspended is told so."""
    query = (
        select(models.Player, models.ApiToken)
        .join(models.ApiToken, col(models.ApiToken.player_id) == col(models.Player.id))
        .where(
            models.ApiToken.token_hash == tokens.digest(token),
            col(models.ApiToken.ended_at).is_(None),
            col(models.ApiToken.expires_at) > at,
            col(models.Player.deleted_at).is_(None),
        )
    )
    found = session.exec(query).one_or_none()
    if found is None:
        raise BadToken
    check_not_suspended(found[0])
    return Bearer(*found)
