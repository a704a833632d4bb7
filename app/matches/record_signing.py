"""Ed25519 signatures over the heads of records, so that a file proves which service wrote it, and how far."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from app.platform.settings import Settings
from engine.core import record
from engine.core.match import Match
from engine.core.record import Line, Record
from engine.core.refusal import Unknown
from engine.core.sentence import say

ALGORITHM = "Ed25519"
KEY_DIGITS = 64  # of a public key, in hexadecimal
ADDRESS = "/.well-known/chasqui-record-key"


@dataclass(frozen=True, slots=True)
class Signer:
    """A service that signs: its private key, its public one and the address it goes by."""

    private: Ed25519PrivateKey
    public: str
    service: str


def load_signer(settings: Settings) -> Signer | None:
    """Whoever signs the records of this service; a grown one without a key signs nothing."""
    secret = settings.record_key()
    if secret is None:
        return None
    private = Ed25519PrivateKey.from_private_bytes(sha256(secret.encode()).digest())
    return Signer(private, private.public_key().public_bytes_raw().hex(), settings.base_url)


def load_public_keys(settings: Settings) -> list[str]:
    """The key that signs now, then those whose signatures are still good."""
    signer = load_signer(settings)
    return [*([signer.public] if signer else []), *settings.old_signing_keys]


def describe_public_keys(settings: Settings) -> dict[str, Any]:
    """What stands at the known address, for those who check a record."""
    signer = load_signer(settings)
    return {
        "service": settings.base_url,
        "keys": [
            {
                "id": key_id(key),
                "algorithm": ALGORITHM,
                "public_key": key,
                "signs": signer is not None and key == signer.public,
            }
            for key in load_public_keys(settings)
        ],
    }


def key_id(key: str) -> str:
    """A key in few letters, for people to name it."""
    return key[:16]


def export_record(settings: Settings, match: Match, seat: int | None, at: datetime) -> str:
    """The record file as `seat` may have it, its head signed if this service has a key."""
    signer = load_signer(settings)
    lines = sign_record(match, seat, signer, at) if signer else record.redacted(match, seat)
    return record.text(lines)


def sign_record(match: Match, seat: int | None, signer: Signer, at: datetime) -> list[Line]:
    """The record with a signed head, which names its last position and hash."""
    header, *rest = record.headed(
        match,
        seat,
        at.isoformat(timespec="seconds"),
        algorithm=ALGORITHM,
        key=signer.public,
        service=signer.service,
    )
    signature = signer.private.sign(record.statement(header)).hex()
    return [{**header, "signed": {**header["signed"], "signature": signature}}, *rest]


def check_signature(told: Record) -> bool:
    """Whether a record is signed; a signature that does not fit the key it names is refused."""
    if told.signed is None:
        return False
    try:
        if told.signed.algorithm != ALGORITHM:
            raise ValueError(told.signed.algorithm)
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(told.signed.key))
        key.verify(bytes.fromhex(told.signed.signature), told.statement)
    except (ValueError, InvalidSignature) as error:
        raise Unknown(say("The signature of the record does not fit it.")) from error
    return True


def read_public_keys(content: str) -> list[str]:
    """The public keys in a text: hexadecimal digits, or what a service tells at its known address."""
    words = content.split()
    try:
        told = json.loads(content) if content.lstrip().startswith("{") else {"keys": words}
        named = [one["public_key"] if isinstance(one, dict) else one for one in told["keys"]]
        keys = [key.lower() for key in named if len(bytes.fromhex(key)) * 2 == KEY_DIGITS]
    except (ValueError, LookupError, TypeError, AttributeError):
        keys = []
    if not keys or len(keys) != len(named):
        raise Unknown(say("This names no key: a public key has {n} digits.", n=KEY_DIGITS))
    return keys
