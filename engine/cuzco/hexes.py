"""Hexes as bits of one big integer, so that a whole board is asked in a few operations.

A hex in row r and column c (double-width coordinates) is bit r * WIDTH + c. The neighbours of a hex are
then at fixed distances, and WIDTH leaves room at the right edge so that no row runs into the next.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import compress
from operator import or_

WIDTH = 40
ROWS = 15
SIZE = WIDTH * ROWS

EAST, SOUTH_WEST, SOUTH_EAST = 2, WIDTH - 1, WIDTH + 1

_PLACES = range(SIZE - 1, -1, -1)
_TRUTH = bytes.maketrans(b"01", b"\x00\x01")


def bit(index: int) -> int:
    return 1 << index


def bits(mask: int) -> list[int]:
    """The places of all hexes in `mask`."""
    return list(compress(_PLACES, flags(mask)))


def flags(mask: int) -> bytes:
    """`mask` as one truth value per place, the last place first: what `compress` wants to pick by."""
    return f"{mask:0{SIZE}b}".encode().translate(_TRUTH)


def union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)


def spread(mask: int) -> int:
    """All places beside a hex of `mask`, on the board or not."""
    return (
        mask << EAST
        | mask >> EAST
        | mask << SOUTH_WEST
        | mask >> SOUTH_WEST
        | mask << SOUTH_EAST
        | mask >> SOUTH_EAST
    )


def flood(start: int, within: int) -> int:
    """Everything in `within` that hangs together with `start`."""
    area = start & within
    while True:
        wider = area | (spread(area) & within)
        if wider == area:
            return area
        area = wider


def pieces(mask: int) -> list[int]:
    """The connected pieces of `mask`."""
    found = []
    while mask:
        piece = flood(mask & -mask, mask)
        found.append(piece)
        mask ^= piece
    return found
