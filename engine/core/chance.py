"""Committed chance: every draw follows from a secret seed whose hash is known from the first event on."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from hashlib import sha256
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """The draws of one act, whose first event will stand at `pos`; draw i is HMAC(seed, match, pos, i)."""

    __slots__ = ("_count", "_key", "_place")

    def __init__(self, seed: str, match: str, pos: int) -> None:
        self._key = seed.encode()
        self._place = f"{match}:{pos}"
        self._count = 0

    @property
    def used(self) -> bool:
        """Whether anything was drawn."""
        return self._count > 0

    def pick(self, items: Sequence[T]) -> T:
        """One of `items`, each with the same chance (256 bits leave a bias nobody could ever see)."""
        digest = hmac.digest(self._key, f"draw:{self._place}:{self._count}".encode(), "sha256")
        self._count += 1
        return items[int.from_bytes(digest, "big") % len(items)]


def commitment(seed: str) -> str:
    """What is shown of the seed while the match runs."""
    return sha256(f"seed:{seed}".encode()).hexdigest()


def salt(seed: str, match: str, pos: int, part: str) -> str:
    """The salt that seals one secret part of one event: it tells nothing of the seed."""
    return hmac.digest(seed.encode(), f"salt:{match}:{pos}:{part}".encode(), "sha256").hex()[:32]


def mixed(seed: str, nonces: Sequence[str]) -> str:
    """What is drawn from once players have mixed their own nonces into a seed that was committed to before."""
    if not any(nonces):
        return seed
    return sha256(":".join(("mixed", seed, *nonces)).encode()).hexdigest()


def next_seed(seed: str, pos: int) -> str:
    """A successor for a seed that draws no more, for tables that keep one seed for everything."""
    return sha256(f"next:{pos}:{seed}".encode()).hexdigest()
