"""The variants, and what they are known by (N-V)."""

from __future__ import annotations

from engine.core.game import Option

PIZARRO, EARLY_DECLINE, GIFT = "pizarro", "early_decline", "gift_of_the_gods"
ARRIVALS = (1, 2, 3, 4)  # the People phases of the Late Empire
LAST_ERA = "late"

OPTIONS: dict[str, Option] = {
    PIZARRO: Option(
        default=False,
        help="Pizarro may come after any People phase of the Late Empire, and nobody knows which.",
    ),
    EARLY_DECLINE: Option(
        default=False,
        help="A shorter game for four: two periods are skipped and there are no pilgrimages.",
    ),
    GIFT: Option(
        default=False,
        help="Four regions marked by a golden dot bear markers of 3 labour, face up from the start.",
    ),
}
