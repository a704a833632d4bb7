"""Hexes as bits of one big integer, so that a whole board is asked in a few operations.

The names of hexes use double-width coordinates, of which every other pair is no hex. Here a hex in row r and
column c has the slanted column (c - r) / 2, so that no bit is wasted and the neighbours still lie at fixed
distances. At least one bit of every row stays empty, so that no row runs into the next.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

ROWS = 15
WIDTH = 21
LEFT = 3  # the slanted column of the leftmost hex is -3
SIZE = WIDTH * ROWS

EAST, SOUTH_EAST, SOUTH_WEST = 1, WIDTH, WIDTH - 1
AROUND = (
    -SOUTH_WEST,
    EAST,
    SOUTH_EAST,
    SOUTH_WEST,
    -EAST,
    -SOUTH_EAST,
)  # clockwise from the north-east

BOARD = (1 << SIZE) - 1
FEW = 48  # up to here picking single bits is quicker than reading all digits
_PLACES = range(SIZE - 1, -1, -1)
_TRUTH = bytes.maketrans(b"01", b"\x00\x01")


def place_at(row: int, column: int) -> int:
    """The place of the hex with these double-width coordinates."""
    slanted = (column - row) // 2 + LEFT
    if (column - row) % 2 or not (0 <= row < ROWS and 0 <= slanted < WIDTH - 1):
        raise ValueError(f"no place for a hex in row {row} and column {column}")
    return row * WIDTH + slanted


def row_and_column(place: int) -> tuple[int, int]:
    """The double-width coordinates of a hex."""
    row, slanted = divmod(place, WIDTH)
    return row, 2 * (slanted - LEFT) + row


def bit(index: int) -> int:
    return 1 << index


@lru_cache(maxsize=1024)  # the Incas of one piece of land ask for the same, one after the other
def bits(mask: int) -> tuple[int, ...]:
    """The places of all hexes in `mask`, the last first."""
    # With places off the board it reads shifted, as it always did: bots ask so, and their kept series hang on it.
    if mask.bit_count() > FEW or mask > BOARD:
        return tuple(compress(_PLACES, flags(mask)))
    found = []
    while mask:
        place = mask.bit_length() - 1
        found.append(place)
        mask ^= 1 << place
    return tuple(found)


def flags(mask: int) -> bytes:
    """`mask` as one truth value per place, the last place first: what `compress` wants to pick by."""
    return f"{mask:0{SIZE}b}".encode().translate(_TRUTH)


def spread(mask: int) -> int:
    """All places beside a hex of `mask`, on the board or not."""
    east, west = mask << EAST, mask >> EAST
    return east | west | (mask | west) << WIDTH | (mask | east) >> WIDTH


def flood(start: int, within: int) -> int:
    """Everything in `within` that hangs together with `start`."""
    area = start & within
    while True:  # `spread` once more, without a call: nothing is asked as often as this
        east, west = area << EAST, area >> EAST
        around = east | west | (area | west) << WIDTH | (area | east) >> WIDTH
        wider = area | around & within
        if wider == area:
            return area
        area = wider


@lru_cache(maxsize=1024)  # water is laid seldom, and asked for with every tile
def shores(mask: int) -> tuple[tuple[int, int], ...]:
    """The connected pieces of `mask`, each with all places around it."""
    return tuple((piece, spread(piece) & ~piece) for piece in pieces(mask))


def pieces(mask: int) -> list[int]:
    """The connected pieces of `mask`."""
    found = []
    while mask:
        piece = flood(mask & -mask, mask)
        found.append(piece)
        mask ^= piece
    return found
