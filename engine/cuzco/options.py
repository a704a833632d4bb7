"""What a table of Cuzco or Java may agree on before the match, and by which rules it plays."""

from __future__ import annotations

from engine.core.game import Option

RULES = Option(
    default=2,
    help="The edition of the rules: 2 as mended, 1 as they were played before.",
    limits=(1, 2),
    before=1,
)
EXACT_TEMPLES = Option(
    default=False,
    help="A temple's value must be the largest even number, up to 10, that its city allows.",
)
ASK_EVERYONE = Option(
    default=True,
    help="In a festival even those with only one possible answer are asked, so that silence tells nothing.",
)
