"""The festival cards as people hold them: each relic drawn, alone or two on a card."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.core.game import Card
from engine.cuzco.text.names import named
from engine.kit.cards import PAPER, card_face, drawn, filled

if TYPE_CHECKING:
    from engine.cuzco.edition import Edition

GOLD, RED, CLAY, BLUE = "#d59a2a", "#b5381f", "#9c5a2e", "#2f5f86"
# Each in a box of 40 by 48 around 0, 0.
DRAWN = {
    # A knife with a blade like the half moon, under a lord with his headdress.
    "tumi": filled(GOLD, "M-17 7H17A17 15 0 0 1-17 7zM-3.5-8h7V8h-7z")
    + filled(RED, "M-13-12A13 12 0 0 1 13-12L8-8H-8z")
    + filled(GOLD, "M-6-9a6 6 0 1 1 12 0c0 3-2 6-6 6s-6-3-6-6z")
    + drawn("M-17 7H17A17 15 0 0 1-17 7zM-3.5-4V7M3.5-4V7M-13-12A13 12 0 0 1 13-12M-2.5-9v.1M2.5-9v.1M-2-5.6h4"),
    # Strings hanging from a cord, with knots.
    "quipu": drawn("M-19-17C-8-12 8-12 19-17", 3.4, CLAY)
    + drawn("M-13-14C-14-4-12 6-14 17", 2, RED)
    + drawn("M-4.5-13C-5-2-3 10-5 21", 2, BLUE)
    + drawn("M4.5-13C4 0 6 8 4 16", 2, GOLD)
    + drawn("M13-14C14-2 12 8 14 20", 2, RED)
    + drawn("M-13-4v.1M-13.4 8v.1M-4.6 0v.1M-4.5 13v.1M4.6-4v.1M5 9v.1M13.2 0v.1M13.2 13v.1", 5),
    # A beaker, wide at its rim, with painted bands.
    "kero": filled(CLAY, "M-16-20H16L10 21H-10z")
    + filled(RED, "M-15.2-14H15.2l-1-6.5-28.4.5zM-13.3-1h26.6l-1 7h-24.6z")
    + drawn("M-14-8l4.7 4 4.7-4 4.6 4 4.6-4 4.7 4L14-8M-11 12l3.7 3.5 3.7-3.5 3.6 3.5 3.6-3.5 3.7 3.5 3.7-3.5", 1.8, GOLD)
    + drawn("M-16-20H16L10 21H-10z"),
    # A face carved of wood, under a crown.
    "mask": filled(GOLD, "M-15-12Q-14-23 0-24 14-23 15-12z")
    + filled(CLAY, "M-15-12H15Q15 12 0 22-15 12-15-12z")
    + filled(PAPER, "M-11-4Q-6.5-9-2.5-4-6.5-1-11-4zM11-4Q6.5-9 2.5-4 6.5-1 11-4z")
    + filled(RED, "M-7 11Q0 7 7 11 0 17-7 11z")
    + drawn("M-15-12H15Q15 12 0 22-15 12-15-12Q-14-23 0-24 14-23 15-12M0-3-2 5h4M-6.5-4.6v.1M6.5-4.6v.1M-8-24v8M0-24v8M8-24v8"),
    # A drum on its side, laced.
    "drum": filled(CLAY, "M-17-11V10C-17 20 17 20 17 10V-11z")
    + filled("#f3e3bd", "M-17-11C-17-20 17-20 17-11 17-2-17-2-17-11z")
    + drawn("M-17-11C-17-20 17-20 17-11 17-2-17-2-17-11V10C-17 20 17 20 17 10V-11M-14-5-8 15-2-4 4 17 9-5 14 13")
    + drawn("M-8-15 6-24M6-24l4-1", 2.6, RED),
    # A puppet of leather, as its shadow falls on the screen.
    "puppet": filled(RED, "M-9 4H9L14 22H-14z")
    + filled(GOLD, "M-6-9H6L8 4H-8zM-5-22 0-25 6-21 7-15-5-15z")
    + filled(CLAY, "M-5-17c0-3 10-3 10 1l3 2-3 1c0 4-9 4-10 0z")
    + drawn("M-9 4H9L14 22H-14zM-6-9H6L8 4H-8zM-5-22 0-25 6-21 7-15M-5-17c0-3 10-3 10 1l3 2-3 1c0 4-9 4-10 0zM1.5-15v.1")
    + drawn("M-6-8-16-1-13 9M6-8 16 0 15-10", 2)
    + drawn("M-13 9V22M15-10V-22M0 5v16", 1, CLAY),
}  # fmt: skip


@cache
def faces(edition: Edition) -> dict[str, Card]:
    """By the word of an order."""
    return {card: Card(named(card), card_face(drawing(card))) for card in edition.cards}


def drawing(card: str) -> str:
    """One relic in the middle, or two, one above the other."""
    one, _, other = card.partition("+")
    if not other:
        return f'<g transform="scale(.9)">{DRAWN[one]}</g>'
    return "".join(
        f'<g transform="translate({x} {y})scale(.6)">{DRAWN[relic]}</g>'
        for relic, x, y in ((one, -7, -15), (other, 7, 14))
    )
