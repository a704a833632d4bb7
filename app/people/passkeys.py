"""Passkeys (WebAuthn): a second way in beside the mailed link, by a key that never leaves its device.

They are discoverable, so nobody types an address, and the device asks for its PIN or a finger: user verification
is required, for the passkey alone signs in. A challenge is handed to one browser, for one use.

`webauthn` is imported where it is used: it takes 14 MB and a tenth of a start, and most processes never see a passkey.
"""

from __future__ import annotations

import ipaddress
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import token_bytes
from typing import Any, TypeVar
from urllib.parse import urlsplit

import structlog
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from app.people.access_log import enqueue_access_mail, note_access
from app.people.accounts import load_account, settle_name
from app.people.browsers import Browser
from app.people.puzzle_tries import hand_over_puzzle_tries
from app.people.sessions import SignedIn, enter_player, leave_old
from app.people.solved_lessons import hand_over_solved_lessons
from app.platform import tables
from app.platform.database import Database
from app.platform.errors import BadPasskey, Forbidden
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Challenge, Passkey
from app.platform.tokens import hash_secret
from engine.core.sentence import say

log = structlog.get_logger()
T = TypeVar("T")
CHALLENGE_LASTS = timedelta(minutes=5)
MOST_PASSKEYS = 10
LONGEST_CREDENTIAL = 16 * 1024
UNNAMED = "Passkey"
CHALLENGE_BYTES = 64


@dataclass(frozen=True, slots=True)
class Party:
    """The relying party: the name that passkeys are bound to, and the one place they may be used at."""

    id: str
    origin: str


def relying_party(settings: Settings) -> Party | None:
    """Who we are to passkeys; None where browsers allow none: without https, or at a bare number."""
    base = urlsplit(settings.base_url)
    host = base.hostname or ""
    if base.scheme != "https" and host != "localhost":
        return None
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return Party(host, f"{base.scheme}://{base.netloc.lower()}")
    return None


def our_party(settings: Settings) -> Party:
    party = relying_party(settings)
    if party is None:
        raise Forbidden(say("Passkeys need a service with https and a name of its own."))
    return party


# What a browser sends and is sent


def bytes_to_base64url(told: bytes) -> str:
    return urlsafe_b64encode(told).rstrip(b"=").decode()


def base64url_to_bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


# Challenges


def new_challenge(session: Session, player_id: int | None, at: datetime) -> bytes:
    session.exec(delete(Challenge).where(col(Challenge.created_at) < at - CHALLENGE_LASTS))
    made = token_bytes(CHALLENGE_BYTES)
    known = hash_secret(bytes_to_base64url(made))
    session.add(Challenge(challenge_hash=known, player_id=player_id, created_at=at))
    return made


def take_challenge(
    database: Database, challenge: str | None, player_id: int | None, at: datetime
) -> bytes:
    """Uses a challenge up in a transaction of its own: whatever comes of it, it is good no second time."""
    given = challenge or ""
    with database.session() as session:
        taken = session.exec(
            delete(Challenge).where(
                col(Challenge.challenge_hash) == hash_secret(given),
                col(Challenge.player_id).is_not_distinct_from(player_id),
                col(Challenge.created_at) >= at - CHALLENGE_LASTS,
            )
        )
    if taken.rowcount != 1:
        raise BadPasskey
    return base64url_to_bytes(given)


# Adding and removing


def load_passkeys(session: Session, player_id: int) -> list[Passkey]:
    query = select(Passkey).where(Passkey.player_id == player_id)
    return list(session.exec(query.order_by(col(Passkey.id))))


def check_room(session: Session, player_id: int) -> tables.Player:
    player = load_account(session, player_id)
    if player.email is None:
        raise Forbidden(say("Guests have no passkeys; sign in with a mail address first."))
    if len(load_passkeys(session, player_id)) >= MOST_PASSKEYS:
        raise Forbidden(say("{most} passkeys are the most; remove one first.", most=MOST_PASSKEYS))
    return player


def handle_of(player_id: int) -> bytes:
    """By what a device knows an account: always the same, and nothing about the person."""
    return sha256(f"chasqui player {player_id}".encode()).digest()


def registration_options(
    session: Session, settings: Settings, player_id: int, at: datetime
) -> tuple[str, str]:
    """What a browser needs to make a passkey, as JSON, and the challenge in it."""
    import webauthn  # noqa: PLC0415 - see above
    from webauthn.helpers import structs  # noqa: PLC0415 - see above

    party, player = our_party(settings), check_room(session, player_id)
    challenge = new_challenge(session, player_id, at)
    options = webauthn.generate_registration_options(
        rp_id=party.id,
        rp_name="Chasqui",
        user_id=handle_of(player_id),
        user_name=player.email or "",
        user_display_name=player.name,
        challenge=challenge,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
        exclude_credentials=[
            structs.PublicKeyCredentialDescriptor(id=base64url_to_bytes(one.credential_id))
            for one in load_passkeys(session, player_id)
        ],
    )
    return webauthn.options_to_json(options), bytes_to_base64url(challenge)


def add_passkey(
    services: Services,
    player_id: int,
    *,
    name: str | None,
    credential: str | None,
    challenge: str | None,
    browser: Browser,
) -> None:
    """Keeps the passkey that a browser made for a challenge of ours."""
    import webauthn  # noqa: PLC0415 - see above

    party, at = our_party(services.settings), services.now()
    expected = take_challenge(services.database, challenge, player_id, at)
    made = verified(
        webauthn.verify_registration_response,
        credential=read_credential(credential),
        expected_challenge=expected,
        expected_rp_id=party.id,
        expected_origin=party.origin,
        require_user_verification=True,
    )
    with services.database.session() as session:
        player = check_room(session, player_id)
        session.add(
            Passkey(
                player_id=player_id,
                credential_id=bytes_to_base64url(made.credential_id),
                public_key=bytes_to_base64url(made.credential_public_key),
                sign_count=made.sign_count,
                name=settle_name(name if name and name.strip() else browser.name or UNNAMED),
                created_at=at,
            )
        )
        try:
            session.flush()
        except IntegrityError as known:  # somebody has it already
            raise BadPasskey from known
        note_access(session, player, "passkey added", browser.name, at)
        enqueue_access_mail(session, player, "passkey", at, browser=browser.name)


def find_passkey(session: Session, credential_id: str) -> Passkey | None:
    query = select(Passkey).where(Passkey.credential_id == credential_id)
    return session.exec(query).one_or_none()


def remove_passkey(
    session: Session, player_id: int, passkey_id: int, browser: Browser, at: datetime
) -> None:
    """Removes one of a player's passkeys; those of others are nothing to them."""
    found = session.get(Passkey, passkey_id)
    if found is not None and found.player_id == player_id:
        session.delete(found)
        note_access(session, load_account(session, player_id), "passkey removed", browser.name, at)


# Signing in


def sign_in_options(session: Session, settings: Settings, at: datetime) -> tuple[str, str]:
    """What a browser needs to ask for any passkey that it has for us, as JSON, and the challenge in it."""
    import webauthn  # noqa: PLC0415 - see above
    from webauthn.helpers.structs import UserVerificationRequirement  # noqa: PLC0415 - see above

    party, challenge = our_party(settings), new_challenge(session, None, at)
    options = webauthn.generate_authentication_options(
        rp_id=party.id,
        challenge=challenge,
        user_verification=UserVerificationRequirement.REQUIRED,
    )
    return webauthn.options_to_json(options), bytes_to_base64url(challenge)


def sign_in_by_passkey(
    services: Services,
    credential: str | None,
    challenge: str | None,
    browser: Browser,
    before: str | None = None,
) -> SignedIn:
    """Signs in whoever holds a passkey of ours. The session `before` ends."""
    import webauthn  # noqa: PLC0415 - see above
    from webauthn.helpers import parse_authentication_credential_json  # noqa: PLC0415 - see above

    party, at = our_party(services.settings), services.now()
    expected = take_challenge(services.database, challenge, None, at)
    given = verified(parse_authentication_credential_json, read_credential(credential))
    with services.database.session() as session:
        found = find_passkey(session, bytes_to_base64url(given.raw_id))
        if found is None or given.response.user_handle != handle_of(found.player_id):
            raise BadPasskey
        count = verified(
            webauthn.verify_authentication_response,
            credential=given,
            expected_challenge=expected,
            expected_rp_id=party.id,
            expected_origin=party.origin,
            credential_public_key=base64url_to_bytes(found.public_key),
            credential_current_sign_count=0,  # compared below, where a copy is noted
            require_user_verification=True,
        ).new_sign_count
        player = load_account(session, found.player_id)
        copied = is_copied(found.sign_count, count)
        if copied:
            note_access(session, player, "passkey refused", browser.name, at)
        else:
            found.sign_count, found.last_used_at = count, at
            session.add(found)
            if guest := leave_old(session, before, at):
                hand_over_solved_lessons(session, guest.id or 0, found.player_id)
                hand_over_puzzle_tries(session, guest.id or 0, found.player_id)
            entered = enter_player(session, player, "passkey", browser, at)
    if copied:
        raise BadPasskey
    return entered


def is_copied(before: int, now: int) -> bool:
    """Whether a device counted backwards, as a copy would; devices that do not count say 0."""
    return (before > 0 or now > 0) and now <= before


def read_credential(given: str | None) -> dict[str, Any]:
    """What a browser sends, as far as it can be read."""
    try:
        found = json.loads((given or "")[:LONGEST_CREDENTIAL])
    except (ValueError, RecursionError) as garbled:
        raise BadPasskey from garbled
    if not isinstance(found, dict):
        raise BadPasskey
    return found


def verified(check: Callable[..., T], *given: Any, **more: Any) -> T:
    """What the library makes of bytes from outside; whatever is wrong with them, the answer is the same."""
    try:
        return check(*given, **more)
    except Exception as wrong:  # hostile CBOR, keys and JSON break it in more ways than it names
        log.warning("passkey", refused=type(wrong).__name__)
        raise BadPasskey from wrong
