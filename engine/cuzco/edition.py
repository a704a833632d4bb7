"""What distinguishes the editions of one rule set: Cuzco, and Java before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import combinations
from typing import Any

from engine.core.game import Option
from engine.core.refusal import IllegalMove
from engine.core.sentence import Sentence, say
from engine.cuzco.options import ASK_EVERYONE, EXACT_TEMPLES, RULES
from engine.cuzco.printed_board import Layout, site

VALUES = (2, 4, 6, 8, 10)
COPIES = 5  # of each card (C-S4)
INCAS = 12
PRINTED_SUPPLY = 16  # basins beside the printed ones
AP = 6


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Edition:
    """Named differences; the rules ask for these and never for the game's name."""

    key: str
    name: str
    relics: tuple[str, str, str]
    floors: tuple[int, ...]  # how many of each value in VALUES the supply holds
    stacked: bool  # a temple is a pile of floors (C-T5), not one piece of its value (J-T5)
    tile_first: bool  # a turn begins with the due tile (C-A2); otherwise any moment will do (J-A2)
    free_before: bool = False  # and what costs nothing may come before it, as in the first rules
    last_word: bool  # the last bidder is asked too, after all others (C-F3); otherwise not (J-F3)
    open_turns: bool  # a festival turns a new open card (C-F6); otherwise it stays (J-F6)
    shared: tuple[int, ...]  # PP of a shared festival by value (C-F5)
    alone: tuple[int, ...] = (1, 2, 3, 4, 5)
    options: Mapping[str, Option]
    words: Mapping[str, str]  # what the orders and positions call crop, incas, temples and so on
    spoken: Mapping[str, Sentence]  # what people call them
    clauses: frozenset[str] = frozenset()  # clauses that this edition states anew, as "J-…"
    letter: str = "C"
    layout: Layout
    first: Mapping[str, Any] = field(default_factory=dict)  # what the first rules held otherwise

    @property
    def cards(self) -> tuple[str, ...]:
        """The six kinds of festival cards (C-S4)."""
        return (*self.relics, *(f"{a}+{b}" for a, b in combinations(self.relics, 2)))

    @property
    def deck(self) -> tuple[str, ...]:
        return tuple(sorted(self.cards * COPIES))

    def clause(self, number: str) -> str:
        """The full name of a clause as this edition states it."""
        return f"{self.letter if number in self.clauses else 'C'}-{number}"

    def refusal(
        self, clause: str, one: str, many: str | None = None, /, **values: Any
    ) -> IllegalMove:
        """Why the rules forbid something, in the words of this edition."""
        words = {key: word for key, word in self.spoken.items() if f"{{{key}}}" in one}
        return IllegalMove(self.clause(clause), say(one, many, **words, **values))


@cache
def by_rules(edition: Edition, rules: int) -> Edition:
    """The edition as those rules have it: 1 the first, 2 as mended."""
    return edition if rules > 1 or not edition.first else replace(edition, **edition.first)


CUZCO = Edition(
    key="cuzco",
    name="Cuzco",
    relics=("tumi", "quipu", "kero"),
    floors=(12, 11, 10, 8, 6),
    stacked=True,
    tile_first=True,
    last_word=True,
    open_turns=True,
    shared=(1, 1, 2, 2, 3),
    options={"rules": RULES, "exact_temples": EXACT_TEMPLES, "ask_everyone": ASK_EVERYONE},
    first={"free_before": True, "last_word": False},
    words={
        "crop": "crop",
        "crops": "crops",
        "incas": "incas",
        "temples": "temples",
        "disc": "disc",
        "floors": "floors",
    },
    spoken={
        "inca": say("Inca"),
        "an_inca": say("an Inca"),
        "incas": say("Incas"),
        "temple": say("temple"),
        "crop": say("crop"),
        "crop_tile": say("Crop"),
        "crops": say("crops"),
        "forest": say("forest"),
        "disc": say("solar disc"),
        "site": say("the site"),
    },
    layout=site(),
)
