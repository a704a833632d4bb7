"""Who wants to be written to about what: ticks on the account page, a button for each match, one click in a mail."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from hashlib import scrypt

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete

from app import accounts, models, tokens
from app.errors import Forbidden
from app.settings import Settings
from engine.core.sentence import say

MUTED = "muted"  # beside the ticks of the account page: the matches that are not written about
PURPOSE = "unsubscribe"
DIGEST, INVITATIONS = "digest", "invitations"  # scopes besides a match's id, which has ten letters
COST = {"n": 2**14, "r": 8, "p": 1}  # of a guess at an address that is kept as a hash


@dataclass(frozen=True, slots=True)
class Ending:
    """What a link in a mail ends, and nothing else: the mails about one match, the digest, or invitations."""

    scope: str
    player: models.Player | None = None
    title: str | None = None  # of the match
    address_hash: str = ""  # of whom nobody shall invite


def token(settings: Settings, player_id: int | None, scope: str) -> str:
    """What ends mails without signing in: it can do nothing else, so it may work for ever."""
    return tokens.sealed(settings, PURPOSE, [player_id, scope])


def invitations_token(settings: Settings, address: str) -> str:
    """What ends the invitations to an address, whether or not there is an account; it does not tell the address."""
    return tokens.sealed(settings, PURPOSE, [hash_address(address), INVITATIONS])


def find(session: Session, settings: Settings, given: str) -> Ending:
    """What a link ends, and for whom."""
    match tokens.unsealed(settings, PURPOSE, given):
        case [str(address), "invitations"]:
            return Ending(INVITATIONS, address_hash=address)
        case [int(player_id), str(scope)]:
            player = session.get(models.Player, player_id)
            match = session.get(models.Match, scope)
            if player and player.deleted_at is None and (match or scope == DIGEST):
                return Ending(scope, player, match.title if match else None)
    raise Forbidden(say("This link does not work: perhaps a part of it is missing."))


def end(session: Session, ending: Ending, at: datetime) -> None:
    """Writes no more of what the link stands for; links to sign in are sent all the same."""
    player = ending.player
    if player is None:
        decline_invitations(session, ending.address_hash, at)
    elif ending.scope == DIGEST:
        player.mail_preferences = {**player.mail_preferences, DIGEST: False}
        player.digest_at = accounts.next_digest(player, at)
        session.add(player)
    else:
        mute(session, player, ending.scope, silent=True)


# Invitations


@lru_cache(maxsize=1000)
def hash_address(address: str) -> str:
    """What is kept of an address: slow to guess, and the same after the service's key has changed."""
    return scrypt(address.encode(), salt=INVITATIONS.encode(), **COST).hex()


def decline_invitations(session: Session, address_hash: str, at: datetime) -> None:
    """Lets nobody invite that address any more; to say so twice changes nothing."""
    with suppress(IntegrityError), session.begin_nested():
        session.add(models.Declined(address_hash=address_hash, at=at))


def allow_invitations(session: Session, address_hash: str) -> None:
    """Lets that address be invited again."""
    session.exec(delete(models.Declined).where(col(models.Declined.address_hash) == address_hash))


def choose_invitations(
    session: Session, player: models.Player, at: datetime, *, wanted: bool
) -> None:
    """What somebody who is signed in says of invitations to their own address."""
    if player.email is None:
        raise Forbidden(say("Guests play alone; sign in with a mail address to sit with others."))
    address = hash_address(player.email)
    if wanted:
        allow_invitations(session, address)
    else:
        decline_invitations(session, address, at)


def is_declined(session: Session, address: str) -> bool:
    """Whether the owner of an address wants no invitations."""
    return session.get(models.Declined, hash_address(address)) is not None


# Matches


def muted(player: models.Player) -> list[str]:
    """The matches that a player wants no mails about."""
    return list(player.mail_preferences.get(MUTED, ()))


def mute(session: Session, player: models.Player, match_id: str, *, silent: bool) -> None:
    others = [known for known in muted(player) if known != match_id]
    silenced = [*others, match_id] if silent else others
    player.mail_preferences = {**player.mail_preferences, MUTED: silenced}
    session.add(player)
    session.flush()
