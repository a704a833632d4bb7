"""Java (Kramer & Kiesling), from which Cuzco came: the same rule set with the differences below."""

from __future__ import annotations

from engine.core.sentence import say
from engine.cuzco import game
from engine.cuzco.edition import CUZCO, Edition
from engine.cuzco.options import ASK_EVERYONE, RULES

JAVA = Edition(
    key="java",
    name="Java",
    relics=("mask", "drum", "puppet"),
    floors=(6, 7, 8, 9, 10),
    stacked=False,
    tile_first=False,
    last_word=False,
    open_turns=False,
    shared=(0, 1, 2, 2, 3),
    options={"rules": RULES, "ask_everyone": ASK_EVERYONE},
    words={
        "crop": "rice",
        "crops": "rices",
        "incas": "developers",
        "temples": "palaces",
        "disc": "danced",
        "floors": "palaces",
    },
    spoken={
        "inca": say("developer"),
        "an_inca": say("a developer"),
        "incas": say("developers"),
        "temple": say("palace"),
        "crop": say("rice field"),
        "crop_tile": say("Rice field"),
        "crops": say("rice fields"),
        "forest": say("plain"),
        "disc": say("dancer side up"),
        "site": say("Central Java"),
    },
    clauses=frozenset({"S3", "A2", "T4", "T5", "F3", "F5", "F6", "F8"}),
    letter="J",
    layout=CUZCO.layout,
)

GAME = game(JAVA, parent="cuzco")
