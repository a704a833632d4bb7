"""Reply-To and bounce addresses with sealed tokens, and the marker line above which people write.

An address says for whom it was made and is sealed by the service's key: `play+MATCH.SEAT.PLAYER.HEAD.SEAL`. What stands
before the + can be set, so that the plus-addresses of one ordinary account serve for answers and for what comes back.
Small letters and digits throughout, for some mail systems fold the case of what stands before the @.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from dataclasses import dataclass

from app.platform.i18n import translate_sentence
from app.platform.settings import Settings
from app.platform.tables import Language, Outbox
from engine.core.sentence import say

SEALED_BYTES = 16  # 128 bits
SHORT_SEAL, LONG_NAME = (
    16,
    11,
)  # letters: 80 bits where the name of an account leaves no room for more
LONGEST_LOCAL_PART = 64
MARKER = say("--- Answer above this line ---")
REPLY = re.compile(r"(([a-z0-9]+)\.([0-9]+)\.([0-9]+)\.([0-9]+))\.([a-z2-7]{16}|[a-z2-7]{26})")
BOUNCE = re.compile(r"([0-9]+)\.([a-z2-7]{16}|[a-z2-7]{26})")


EXERCISE = re.compile(
    r"((lesson|puzzle)\.([a-z]+)\.([0-9]+)\.([0-9]+))\.([a-z2-7]{16})"  # a short seal: there is little to gain
)


@dataclass(frozen=True, slots=True)
class Learner:
    """For whom the address under a lesson or a puzzle was made; `number` counts from 1."""

    kind: str
    game: str
    number: int
    player_id: int


@dataclass(frozen=True, slots=True)
class Answerer:
    """For whom a reply address was made, and where the match stood."""

    match_id: str
    seat: int
    player_id: int
    head: int


def marker_line(language: Language) -> str:
    """The line that ends an answer; every mail that can be answered begins with it."""
    return translate_sentence(MARKER, language=language)


def make_reply_address(
    settings: Settings, match_id: str, seat: int, player_id: int, head: int
) -> str:
    """Where one player answers for one seat at one position."""
    said = f"{match_id}.{seat}.{player_id}.{head}"
    return address(settings, settings.reply_local, "reply", said)


def read_reply_address(settings: Settings, address: str) -> Answerer | None:
    """For whom that address was made; None if we did not make it."""
    found = REPLY.fullmatch(extension(settings, settings.reply_local, address))
    if found is None or not sealed(settings, "reply", found[1], found[6], settings.reply_local):
        return None
    return Answerer(found[2], int(found[3]), int(found[4]), int(found[5]))


def make_exercise_address(settings: Settings, to: Learner) -> str:
    """Where one player answers to one lesson or puzzle."""
    said = f"{to.kind}.{to.game}.{to.number}.{to.player_id}"
    made = seal(settings.signing_keys()[0], "exercise", said)[:SHORT_SEAL]
    return f"{settings.reply_local}+{said}.{made}@{settings.reply_host}"


def read_exercise_address(settings: Settings, address: str) -> Learner | None:
    """For whom that address was made; None if we did not make it."""
    found = EXERCISE.fullmatch(extension(settings, settings.reply_local, address))
    if found is None:
        return None
    made = [seal(key, "exercise", found[1])[:SHORT_SEAL] for key in settings.signing_keys()]
    if not any(hmac.compare_digest(one, found[6]) for one in made):
        return None
    return Learner(found[2], found[3], int(found[4]), int(found[5]))


def make_bounce_address(settings: Settings, row: Outbox) -> str:
    """The envelope sender of a mail: what comes back to it is about that mail."""
    return address(settings, settings.bounce_local, "bounce", str(row.id))


def read_bounce_address(settings: Settings, address: str) -> int | None:
    """The outbox row whose mail came back to that address; None if we did not make it."""
    local = settings.bounce_local
    found = BOUNCE.fullmatch(extension(settings, local, address))
    ours = found is not None and sealed(settings, "bounce", found[1], found[2], local)
    return int(found[1]) if found is not None and ours else None


def address(settings: Settings, local: str, purpose: str, said: str) -> str:
    """An address of ours that says something, and its seal."""
    made = seal(settings.signing_keys()[0], purpose, said)[: seal_length(local)]
    return f"{local}+{said}.{made}@{settings.reply_host}"


def extension(settings: Settings, name: str, address: str) -> str:
    """What stands between the + and the @, of an address at our domain."""
    local, _, domain = address.strip().strip("<>").lower().rpartition("@")
    ours = domain == settings.reply_host and len(local) <= LONGEST_LOCAL_PART
    return local.removeprefix(f"{name}+") if ours and local.startswith(f"{name}+") else ""


def seal_length(local: str) -> int | None:
    """How many letters of a seal are written behind a name; None: all of them."""
    return SHORT_SEAL if len(local) > LONG_NAME else None


def seal(key: str, purpose: str, said: str) -> str:
    made = hmac.digest(key.encode(), f"{purpose}:{said}".encode(), "sha256")[:SEALED_BYTES]
    return b32encode(made).decode().rstrip("=").lower()


def sealed(settings: Settings, purpose: str, said: str, given: str, local: str) -> bool:
    """Whether one of our keys sealed it; the old ones still count, and a short seal only behind a long name."""
    made = [seal(key, purpose, said) for key in settings.signing_keys()]
    cut = [one[: seal_length(local)] for one in made]
    return any(hmac.compare_digest(one, given) for one in (*made, *cut))
