"""Who wants to be written to about what: ticks on the account page, a button for each match, one click in a mail."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session

from app import accounts, models, tokens
from app.errors import Forbidden
from app.settings import Settings
from engine.core.sentence import say

MUTED = "muted"  # beside the ticks of the account page: the matches that are not written about
PURPOSE = "unsubscribe"
DIGEST, ALL = "digest", "all"  # scopes besides a match's id, which has ten letters


@dataclass(frozen=True, slots=True)
class Ending:
    """What a link in a mail ends: the mails about one match, the digest, or all."""

    player: models.Player
    scope: str
    title: str | None  # of the match


def token(settings: Settings, player_id: int | None, scope: str) -> str:
    """What ends mails without signing in: it can do nothing else, so it may work for ever."""
    return tokens.sealed(settings, PURPOSE, [player_id, scope])


def find(session: Session, settings: Settings, given: str) -> Ending:
    """What a link ends, and for whom."""
    found = tokens.unsealed(settings, PURPOSE, given)
    player = session.get(models.Player, found[0]) if found else None
    if player is None or player.deleted_at is not None:
        raise Forbidden(say("This link does not work: perhaps a part of it is missing."))
    match = session.get(models.Match, found[1])
    return Ending(player, found[1], match.title if match else None)


def end(session: Session, ending: Ending, everything: bool, at: datetime) -> None:
    """Writes no more: about that match, or about anything; links to sign in are sent all the same."""
    player, scope = ending.player, ALL if everything else ending.scope
    if scope in (DIGEST, ALL):
        some = accounts.MAILS.keys() - {"pictures"} if scope == ALL else {DIGEST}
        player.mail_preferences = {**player.mail_preferences, **dict.fromkeys(sorted(some), False)}
        player.digest_at = accounts.next_digest(player, at)
        session.add(player)
    else:
        mute(session, player, scope, silent=True)


def muted(player: models.Player) -> list[str]:
    """The matches that a player wants no mails about."""
    return list(player.mail_preferences.get(MUTED, ()))


def mute(session: Session, player: models.Player, match_id: str, *, silent: bool) -> None:
    others = [known for known in muted(player) if known != match_id]
    silenced = [*others, match_id] if silent else others
    player.mail_preferences = {**player.mail_preferences, MUTED: silenced}
    session.add(player)
    session.flush()
