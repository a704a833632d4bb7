"""What a table of Inka may agree on before the match (K-S5, K-B1, K-E2)."""

from __future__ import annotations

from engine.core.game import Option
from engine.core.sentence import say

OPTIONS = {
    "round_limit": Option(
        default=60,
        help="Rounds until the match ends at the latest, when the most statues win.",
        limits=(1, 999),
        title=say("Rounds at most"),
    ),
    "start_seat_first": Option(
        default=False,
        help="The first seat also takes the first turn, not the one after the last laying.",
        title=say("First seat begins"),
    ),
    "fresh_blockade": Option(
        default=False,
        help="A blockade may not go back to the cell or lozenge that it has just left.",
        title=say("Fresh blockades"),
    ),
    "board": Option(
        default=2,
        help="The hall: 1 is the first, in which a lucky bridge wins at once; 2 is wider.",
        limits=(1, 2),
        before=1,
        title=say("Hall"),
        named={2: say("the wider hall"), 1: say("the first hall")},
    ),
}
