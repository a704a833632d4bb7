"""What a table of Cuzco or Java may agree on before the match, and by which rules it plays."""

from __future__ import annotations

from engine.core.game import Option
from engine.core.sentence import say

RULES = Option(
    default=2,
    help="The edition of the rules: 2 as mended, 1 as they were played before.",
    limits=(1, 2),
    before=1,
    title=say("Rules"),
    named={2: say("second edition, mended"), 1: say("first edition")},
)
EXACT_TEMPLES = Option(
    default=False,
    help="A temple's value must be the largest even number, up to 10, that its city allows.",
    title=say("Largest temples only"),
)
ASK_EVERYONE = Option(
    default=True,
    help="In a festival even those with only one possible answer are asked, so that silence tells nothing.",
    title=say("Ask everybody in a festival"),
)
