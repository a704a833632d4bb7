"""The hash chain: every event carries the hash of all that went before, secrets as salted seals."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

GENESIS = "0" * 64


def canonical(value: Any) -> bytes:
    """The one way to write a JSON value, so that everybody hashes the same bytes."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def link(before: str, body: dict[str, Any]) -> str:
    """The hash of an event whose body (with its secrets sealed) follows the event hashed `before`."""
    return sha256(before.encode() + canonical(body)).hexdigest()


def seal(value: Any, salt: str) -> dict[str, str]:
    """A secret as everybody may see it: a commitment that can be opened, but not guessed."""
    return {"sealed": sha256(salt.encode() + canonical(value)).hexdigest()}
