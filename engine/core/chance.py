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


class Every(Chance):
    """Chance that gives each outcome once: `script` says which of the picks to take, in turn."""

    __slots__ = ("open", "script")

    def __init__(self, script: tuple[int, ...]) -> None:
        super().__init__("", "", 0)
        self.script = script
        self.open: list[tuple[int, ...]] = []  # the scripts that differ in a pick beyond this one

    def pick(self, items: Sequence[T]) -> T:
        different = self.outcomes(items)
        at = self._count
        self._count += 1
        if at == len(self.script):
            self.open += [(*self.script, other) for other in range(1, len(different))]
            self.script = (*self.script, 0)
        return different[self.script[at]]

    def outcomes(self, items: Sequence[T]) -> Sequence[T]:
        """What a pick may give, in the order in which it is tried."""
        return list(dict.fromkeys(items))


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
