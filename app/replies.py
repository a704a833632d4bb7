"""Where answers by mail go: addresses that nobody can guess, and the line above which people write.

An address says for whom it was made and is sealed by the service's key: `play+MATCH.SEAT.PLAYER.HEAD.SEAL`.
Small letters and digits throughout, for some mail systems fold the case of what stands before the @.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass

from app import i18n
from app.models import Language, Outbox
from app.settings import Settings
from engine.core.sentence import say

SEALED_BYTES = 16  # 128 bits
LONGEST_LOCAL_PART = 64
MARKER = say("--- Answer above this line ---")
REPLY = re.compile(r"play\+(([a-z0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+))\.([a-z2-7]{26})")
BOUNCE = re.compile(r"bounce\+([0-9]+)\.([a-z2-7]{26})")


@dataclass(frozen=True, slots=True)
class Answerer:
    """For whom a reply address was made, and where the match stood."""

    match_id: str
    seat: int
    player_id: int
    head: int


def marker(language: Language) -> str:
    """The line that ends an answer; every mail that can be answered begins with it."""
    return i18n.translate(MARKER, language=language)


def reply_address(settings: Settings, match_id: str, seat: int, player_id: int, head: int) -> str:
    """Where one player answers for one seat at one position."""
    said = f"{match_id}.{seat}.{player_id}.{head}"
    return f"play+{said}.{seal(settings.signing_keys()[0], 'reply', said)}@{settings.reply_host}"


def read_address(settings: Settings, address: str) -> Answerer | None:
    """For whom that address was made; None if we did not make it."""
    found = REPLY.fullmatch(local_part(settings, address))
    if found is None or not sealed(settings, "reply", found[1], found[6]):
        return None
    return Answerer(found[2], int(found[3]), int(found[4]), int(found[5]))


def bounce_address(settings: Settings, row: Outbox) -> str:
    """The envelope sender of a mail: what comes back to it is about that mail."""
    said = str(row.id)
    return f"bounce+{said}.{seal(settings.signing_keys()[0], 'bounce', said)}@{settings.reply_host}"


def read_bounce(settings: Settings, address: str) -> int | None:
    """The outbox row whose mail came back to that address; None if we did not make it."""
    found = BOUNCE.fullmatch(local_part(settings, address))
    ours = found is not None and sealed(settings, "bounce", found[1], found[2])
    return int(found[1]) if found is not None and ours else None


def local_part(settings: Settings, address: str) -> str:
    """What stands before the @, of an address at our domain."""
    local, _, domain = address.strip().strip("<>").lower().rpartition("@")
    ours = domain == settings.reply_host and len(local) <= LONGEST_LOCAL_PART
    return local if ours else ""


def seal(key: str, purpose: str, said: str) -> str:
    made = hmac.digest(key.encode(), f"{purpose}:{said}".encode(), "sha256")[:SEALED_BYTES]
    return b32encode(made).decode().rstrip("=").lower()


def sealed(settings: Settings, purpose: str, said: str, given: str) -> bool:
    """Whether one of our keys sealed it; the old ones still count."""
    return any(
        hmac.compare_digest(seal(key, purpose, said), given) for key in settings.signing_keys()
    )
