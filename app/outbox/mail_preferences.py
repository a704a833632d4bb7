"""Mail preferences, who wants to be written to about what: ticks on the account page, a button for each match, one click in a mail."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from hashlib import scrypt
from zoneinfo import ZoneInfo

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete

from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.settings import Settings
from app.platform.tokens import seal_value, unseal_value
from engine.core.refusal import NotUnderstood
from engine.core.sentence import say

MUTED = "muted"  # beside the ticks of the account page: the matches that are not written about
PURPOSE = "unsubscribe"
DIGEST, PUZZLE, INVITATIONS = (
    "digest",
    "puzzle",
    "invitations",
)  # scopes besides a match's id, which has ten letters
DAILY = (DIGEST, PUZZLE)
COST = {"n": 2**14, "r": 8, "p": 1}  # of a guess at an address that is kept as a hash


@dataclass(frozen=True, slots=True)
class Ending:
    """What a link in a mail ends, and nothing else: the mails about one match, the digest, or invitations."""

    scope: str
    player: tables.Player | None = None
    title: str | None = None  # of the match
    address_hash: str = ""  # of whom nobody shall invite


def unsubscribe_token(settings: Settings, player_id: int | None, scope: str) -> str:
    """What ends mails without signing in: it can do nothing else, so it may work for ever."""
    return seal_value(settings, PURPOSE, [player_id, scope])


def invitations_token(settings: Settings, address: str) -> str:
    """What ends the invitations to an address, whether or not there is an account; it does not tell the address."""
    return seal_value(settings, PURPOSE, [hash_address(address), INVITATIONS])


def read_unsubscribe_token(session: Session, settings: Settings, given: str) -> Ending:
    """What a link ends, and for whom."""
    match unseal_value(settings, PURPOSE, given):
        case [str(address), "invitations"]:
            return Ending(INVITATIONS, address_hash=address)
        case [int(player_id), str(scope)]:
            player = session.get(tables.Player, player_id)
            match = session.get(tables.Match, scope)
            if player and player.deleted_at is None and (match or scope in DAILY):
                return Ending(scope, player, match.title if match else None)
    raise Forbidden(say("This link does not work: perhaps a part of it is missing."))


def end_mails(session: Session, ending: Ending, at: datetime) -> None:
    """Writes no more of what the link stands for; links to sign in are sent all the same."""
    player = ending.player
    if player is None:
        decline_invitations(session, ending.address_hash, at)
    elif ending.scope in DAILY:
        player.mail_preferences = {**player.mail_preferences, ending.scope: False}
        player.digest_at = next_digest_time(player, at)
        session.add(player)
    else:
        mute_match(session, player, ending.scope, silent=True)


# Invitations


@lru_cache(maxsize=1000)
def hash_address(address: str) -> str:
    """What is kept of an address: slow to guess, and the same after the service's key has changed."""
    return scrypt(address.encode(), salt=INVITATIONS.encode(), **COST).hex()


def decline_invitations(session: Session, address_hash: str, at: datetime) -> None:
    """Lets nobody invite that address any more; to say so twice changes nothing."""
    with suppress(IntegrityError), session.begin_nested():
        session.add(tables.Declined(address_hash=address_hash, at=at))


def allow_invitations(session: Session, address_hash: str) -> None:
    """Lets that address be invited again."""
    session.exec(delete(tables.Declined).where(col(tables.Declined.address_hash) == address_hash))


def choose_invitations(
    session: Session, player: tables.Player, at: datetime, *, wanted: bool
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
    return session.get(tables.Declined, hash_address(address)) is not None


# Matches


def load_muted(player: tables.Player) -> list[str]:
    """The matches that a player wants no mails about."""
    return list(player.mail_preferences.get(MUTED, ()))


def mute_match(session: Session, player: tables.Player, match_id: str, *, silent: bool) -> None:
    others = [known for known in load_muted(player) if known != match_id]
    silenced = [*others, match_id] if silent else others
    player.mail_preferences = {**player.mail_preferences, MUTED: silenced}
    session.add(player)
    session.flush()


COOLING, MOST_COOLING = "cooling", 60  # minutes that orders by mail wait before they count


def load_cooling(player: tables.Player) -> int:
    """How many minutes a player's orders by mail wait before they count."""
    return int(player.mail_preferences.get(COOLING, 0))


def settle_cooling(value: object) -> int:
    """Minutes as somebody chose them: none, to an hour."""
    minutes = int(value) if isinstance(value, str) and value.isdecimal() else value or 0
    if not isinstance(minutes, int) or not 0 <= minutes <= MOST_COOLING:
        raise NotUnderstood(say("Orders by mail may wait for 0 to 60 minutes."))
    return minutes


MORNING = 7  # o'clock: when the digest is written


# What a player can be written to about, and whether they are unless they say otherwise.
MAILS: dict[str, bool] = {
    "turn": True,
    "question": True,
    "reminder": True,
    "over": True,
    "table": True,
    "talk": False,
    "digest": False,
    "puzzle": False,
    "pictures": True,
}


def wants_mail(player: tables.Player, mail: str) -> bool:
    """Whether a player wants mails of that kind."""
    return bool(player.mail_preferences.get(mail, MAILS.get(mail, True)))


def next_digest_time(player: tables.Player, at: datetime) -> datetime | None:
    """The next morning where the player lives, for those who want a mail a day: the digest, the puzzle or both."""
    if not (wants_mail(player, "digest") or wants_mail(player, PUZZLE)):
        return None
    here = at.astimezone(ZoneInfo(player.timezone))
    today = here.replace(hour=MORNING, minute=0, second=0, microsecond=0, fold=0)
    return (today if today > here else today + timedelta(days=1)).astimezone(UTC)
