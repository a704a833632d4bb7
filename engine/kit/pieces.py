"""The players' pieces in pictures: each seat has a shape, a letter and a colour."""

from __future__ import annotations

from functools import cache

from engine.core.sentence import seat_letter
from engine.kit.letters import write

# Pieces differ in shape, not only in colour: disc, square, triangle, diamond.
BODIES = (
    ("M-14 ", 0, "a14 14 0 1 0 28 0a14 14 0 1 0-28 0z"),
    ("M-12.5 ", -12.5, "h25v25h-25z"),
    ("M0 ", -16, "l17 28h-34z"),
    ("M0 ", -16, "l17 16-17 16-17-16z"),
)
MIDDLES = (3, 3, 5.5, 3)  # where the letter stands


@cache
def piece(seat: int) -> str:
    """A player's piece: its shape, its colour, its letter."""
    letter, (start, y, shape) = seat_letter(seat), BODIES[seat]
    top, bottom = (f"{start}{y + drop:g}{shape}" for drop in (3, 7))
    return (
        f'<g class="p{letter}"><path class="halo" d="{top}{bottom}"/><path class="rim" d="{bottom}"/>'
        f'<path class="body" d="{top}"/>{write(letter, 0, MIDDLES[seat], 1.4, "letter")}</g>'
    )
