"""Seeds at rest: encrypted and authenticated with Fernet, under keys that HKDF derives from the settings.

Whoever reads the table or a backup could foresee every draw of every running match.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from typing import Any

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

Seeds = tuple[tuple[int, str], ...]
WRONG_KEY = (
    "The seeds in the database are sealed with another key: CHASQUI_SEED_KEY (or CHASQUI_SECRET_KEY, where that "
    "is not set) must be the one they were sealed with, or its _FALLBACKS must name it."
)


class WrongSeedKey(Exception):
    """The seeds of a match cannot be read with the keys of the settings."""

    def __init__(self) -> None:
        super().__init__(WRONG_KEY)


class SeedVault:
    """Seals seeds with the first of its keys and opens what any of them sealed; without a key they stay plain."""

    def __init__(self, secrets: Sequence[str] = ()) -> None:
        self._keys: MultiFernet | None = None
        self.use(secrets)

    def use(self, secrets: Sequence[str]) -> None:
        """Takes these keys from now on; a vault that has its keys keeps them."""
        if secrets and self._keys is None:
            self._keys = MultiFernet([Fernet(derived_key(secret)) for secret in secrets])

    def seal(self, seeds: Seeds) -> Any:
        """The seeds as the table keeps them."""
        if self._keys is None:
            return seeds
        return self._keys.encrypt(json.dumps(seeds).encode()).decode()

    def unseal(self, kept: Any) -> Seeds:
        """The seeds of a row; those of older versions lie there in plain."""
        found = json.loads(self._opened(kept)) if isinstance(kept, str) else kept
        return tuple((since, seed) for since, seed in found)

    def _opened(self, sealed: str) -> bytes:
        if self._keys is None:
            raise WrongSeedKey
        try:
            return self._keys.decrypt(sealed.encode())
        except InvalidToken as fault:
            raise WrongSeedKey from fault


def derived_key(secret: str) -> bytes:
    """A key for seeds alone: whoever had it could sign nothing."""
    made = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"chasqui seeds")
    return urlsafe_b64encode(made.derive(secret.encode()))
