"""The festival cards by name: in full on the card itself, and shortly where a sentence lists several."""

from __future__ import annotations

from engine.core.sentence import Sentence, say

RELICS = {
    "tumi": say("tumi"),
    "quipu": say("quipu"),
    "kero": say("kero"),
    "mask": say("mask"),
    "drum": say("drum"),
    "puppet": say("puppet"),
}


def named(card: str) -> Sentence:
    """What stands on the card."""
    one, _, other = card.partition("+")
    return say("{one} and {other}", one=RELICS[one], other=RELICS[other]) if other else RELICS[one]


def briefly(card: str) -> Sentence | str:
    """A card inside a sentence: `tumi+kero`, so that a list of cards tells which relics lie on one. Words of no relic stay."""
    relics = [RELICS.get(relic, relic) for relic in card.split("+")]
    if len(relics) == 1:
        return relics[0]
    return Sentence("{one}+{other}", None, dict(zip(("one", "other"), relics, strict=True)))
