"""Sets of places as the bits of one number."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_


def union(masks: Iterable[int]) -> int:
    """What is in any of these sets."""
    return reduce(or_, masks, 0)


def bits(mask: int) -> list[int]:
    """The places in a set, rising."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
