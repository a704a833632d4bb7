"""The variants, and what they are known by (N-V); and the editions of rules and board."""

from __future__ import annotations

from engine.core.game import Option
from engine.core.sentence import say

PIZARRO, EARLY_DECLINE, GIFT = "pizarro", "early_decline", "gift_of_the_gods"
ARRIVALS = (1, 2, 3, 4)  # the People phases of the Late Empire
LAST_ERA = "late"
RULES, BOARD = "rules", "board"
FIRST, MENDED = 1, 2  # the editions
STANDING_TOLD = 2  # since this edition of the rules events tell the standing after them
BORDERS_SPARED = 2  # since this edition of the rules unrest spares roads along a border (N-U5)

OPTIONS: dict[str, Option] = {
    PIZARRO: Option(
        default=False,
        help="Pizarro may come after any People phase of the Late Empire, and nobody knows which.",
        title=say("Pizarro"),
    ),
    EARLY_DECLINE: Option(
        default=False,
        help="A shorter game for four: two periods are skipped and there are no pilgrimages.",
        title=say("Early decline"),
    ),
    GIFT: Option(
        default=False,
        help="Four regions marked by a golden dot bear markers of 3 labour, face up from the start.",
        title=say("Gift of the gods"),
    ),
    RULES: Option(
        default=MENDED,
        help="The edition of the rules: in 2 Rural Unrest spares roads that run along a border.",
        limits=(FIRST, MENDED),
        before=FIRST,
        title=say("Rules"),
        named={MENDED: say("second edition, mended"), FIRST: say("first edition")},
    ),
    BOARD: Option(
        default=MENDED,
        help="The edition of the board: in 2 all suyus are worth the same.",
        limits=(FIRST, MENDED),
        before=FIRST,
        title=say("Board"),
        named={MENDED: say("second edition, mended"), FIRST: say("first edition")},
    ),
}
