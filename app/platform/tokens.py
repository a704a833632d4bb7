"""Tokens and sealed values (itsdangerous, SHA-256): the database keeps only hashes of what is handed out."""

from __future__ import annotations

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from functools import cache
from hashlib import sha256
from typing import Any

from itsdangerous import BadData, URLSafeSerializer
from itsdangerous.encoding import base64_encode

from app.platform.settings import Settings


def make_secret() -> str:
    """A secret that nobody can guess: 256 bits, in letters that an address may hold."""
    return secrets.token_urlsafe(32)


def hash_secret(token: str) -> str:
    """What the database keeps of a secret."""
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def derive_secret(key: str, purpose: str, nonce: str) -> str:
    """The secret that belongs to a nonce: whoever knows the key can make it again, nobody else can.

    A mail that waits in the outbox carries the nonce, so the table holds no link that opens anything, and
    a mail that must be sent twice says the same twice.
    """
    made = hmac.digest(key.encode(), f"{purpose}:{nonce}".encode(), "sha256")
    return urlsafe_b64encode(made).rstrip(b"=").decode()


def issue_nonce(settings: Settings, purpose: str) -> tuple[str, str]:
    """A new nonce for the outbox, and the hash of its secret for the table that will be asked."""
    nonce = secrets.token_urlsafe(16)
    return nonce, hash_secret(derive_secret(settings.signing_keys()[0], purpose, nonce))


def recover_secret(settings: Settings, purpose: str, nonce: str, token_hash: str) -> str | None:
    """The secret of a nonce again, also when the key has changed since; None if it is not ours."""
    made = (derive_secret(key, purpose, nonce) for key in settings.signing_keys())
    return next(
        (token for token in made if hmac.compare_digest(hash_secret(token), token_hash)), None
    )


def seal_value(settings: Settings, purpose: str, value: Any) -> str:
    """A value that only we can have written, in letters that an address may hold; anybody can read it."""
    return str(serializer(settings, purpose).dumps(value))


def unseal_value(settings: Settings, purpose: str, token: str) -> Any:
    """The value of a seal; None if it is not ours."""
    try:
        return serializer(settings, purpose).loads(token)
    except BadData:
        return None


def serializer(settings: Settings, purpose: str) -> Any:  # itsdangerous cannot say if it gives text
    return sealer(purpose, *settings.signing_keys())


class PlainSerializer(URLSafeSerializer):
    """Seals without packing: what was packed begins with a dot, and filters distrust hidden paths in links."""

    def dump_payload(self, obj: Any) -> bytes:
        return base64_encode(json.dumps(obj, separators=(",", ":")))


@cache
def sealer(purpose: str, newest: str, *older: str) -> Any:
    return PlainSerializer(
        [*reversed(older), newest],
        salt=purpose,
        signer_kwargs={"key_derivation": "hmac", "digest_method": sha256},
    )
