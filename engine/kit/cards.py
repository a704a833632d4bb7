"""Cards in pictures: their paper, and the strokes in which each game draws what is on them.

They are painted by themselves, not by the style sheet of a board: a card is of paper, by day and by night.
"""

from __future__ import annotations

INK = "#3a2411"
PAPER = "#fff8e8"


def card_face(inside: str, edge: str = INK) -> str:
    """A card of 44 by 62 around 0, 0; what is drawn on it fits in 40 by 56."""
    return (
        f'<rect x="-22" y="-31" width="44" height="62" rx="5" fill="{PAPER}" stroke="{edge}" stroke-width="1.6"/>'
        f"{inside}"
    )


def filled(colour: str, d: str) -> str:
    return f'<path fill="{colour}" d="{d}"/>'


def drawn(d: str, width: float = 1.6, colour: str = INK) -> str:
    return (
        f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" stroke-linejoin="round" '
        f'd="{d}"/>'
    )
