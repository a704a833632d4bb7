"""The sun cards as people hold them: what they help is on a green ground, what they hinder on a red one, pilgrimages on gold."""

from __future__ import annotations

from engine.core.game import Card
from engine.kit.cards import card_face, drawn, filled
from engine.tahuantinsuyu.text.names import CARDS, EFFECTS

GREEN, RED, GOLD, STONE, SEA = "#3c7a4b", "#b03a24", "#d59a2a", "#8a7a63", "#2f6f95"
GROUNDS = {GREEN: "#e2efdc", RED: "#f6dcd3", GOLD: "#fbeac0"}

# What the drawings are put together from, each about 20 by 20 around 0, 0.
ROAD = drawn("M-12 8C-5 8-5-8 3-8 8-8 9-3 12-3", 5, STONE) + drawn(
    "M-12 8C-5 8-5-8 3-8 8-8 9-3 12-3", 1.2, "#fff8e8"
)
WILD = drawn("M-12 8C-5 8-5-8 3-8 8-8 9-3 12-3", 3.4, STONE).replace(
    "/>", ' stroke-dasharray="1 5"/>'
)
WAVES = drawn("M-13-3q3.3-5 6.5 0t6.5 0 6.5 0 6.5 0M-13 4q3.3-5 6.5 0t6.5 0 6.5 0 6.5 0", 2.6, SEA)  # fmt: skip
STEPS = filled("#b98f50", "M-13 9V3h7v-6h7v-6H13V9z") + drawn("M-13 9V3h7v-6h7v-6H13")
PERSON = filled("#774526", "M-7 11Q-7-1 0-1 7-1 7 11z") + filled(GOLD, "M-4.5-6a4.5 4.5 0 1 1 9 0 4.5 4.5 0 1 1-9 0z")  # fmt: skip
SPEAR = drawn("M-10 12 8-8", 2.4, "#774526") + filled(STONE, "M13-13 10-2 3-9z")
SHIELD = filled(RED, "M-10-11H10V0Q10 9 0 13-10 9-10 0z") + drawn("M-10-11H10V0Q10 9 0 13-10 9-10 0zM0-11V13M-10 0H10", 1.4)  # fmt: skip
TOWER = filled(STONE, "M-8 12V-4h-2v-8h5v3h3v-3h4v3h3v-3h5v8H8V12z") + drawn("M-8 12V-4h-2v-8h5v3h3v-3h4v3h3v-3h5v8H8V12zM0 12V4", 1.2)  # fmt: skip
HOUSES = filled("#e6c48f", "M-13 11V0L-6.5-8 0 0 6.5-8 13 0V11z") + drawn("M-13 11V0L-6.5-8 0 0 6.5-8 13 0V11zM0 11V0", 1.4)  # fmt: skip
TEMPLE = filled(GOLD, "M-13 9V3h4v-5h4v-5H5v5h4v5h4v6z") + drawn("M-13 9V3h4v-5h4v-5H5v5h4v5h4v6z", 1.2)  # fmt: skip
SUN = filled(GOLD, "M-8 0a8 8 0 1 1 16 0 8 8 0 1 1-16 0z") + drawn("M0-13v2M0 11v2M-13 0h2M11 0h2M-9-9l1.5 1.5M9 9 7.5 7.5M9-9 7.5-7.5M-9 9l1.5-1.5", 2, GOLD)  # fmt: skip
MOON = filled("#3a2411", "M-5-1a7 7 0 1 1 14 0 7 7 0 1 1-14 0z")
RAIN = filled("#8fa3ad", "M-9 2a5 5 0 0 1 0-10 7 7 0 0 1 13-1 5 5 0 0 1 3 11z") + drawn("M-7 5l-2 6M0 5l-2 6M7 5 5 11", 1.8, SEA)  # fmt: skip
MAIZE = filled(GOLD, "M-4 9Q-8-8 0-13 8-8 4 9z") + filled("#5c8a3c", "M-1 13Q-13 6-9-4-4 4-1 13zM1 13Q13 6 9-4 4 4 1 13z")  # fmt: skip
SKULL = filled("#fff8e8", "M-8-2a8 8 0 1 1 16 0c0 4-3 5-3 9H-5C-5 3-8 2-8-2z") + drawn("M-8-2a8 8 0 1 1 16 0c0 4-3 5-3 9H-5C-5 3-8 2-8-2zM-3-1v.1M3-1v.1M-1.5 7V4M1.5 7V4", 1.6)  # fmt: skip
FLAGS = drawn("M0 12V-2M0 4C-9 4-10-2-10-8M0 4C9 4 10-2 10-8", 2, "#774526") + filled(RED, "M-10-13 -2-10-10-7zM10-13 2-10 10-7z")  # fmt: skip
PENNANT = drawn("M-6 13V-13", 2.2, "#774526") + filled(RED, "M-5-13 11-8-5-3z")
PLUS, MINUS = "M-6 0H6M0-6V6", "M-6 0H6"


def put(inside: str, x: float = 0, y: float = 0, scale: float = 1.3) -> str:
    return f'<g transform="translate({x:g} {y:g})scale({scale:g})">{inside}</g>'


def signed(inside: str, sign: str, colour: str) -> str:
    """A thing, and below it whether there is more or less of it."""
    return put(inside, 0, -8) + put(drawn(sign, 3.4, colour), 0, 19, 1)


def two(one: str, other: str) -> str:
    return put(one, 0, -13, 1.05) + put(other, 0, 14, 1.05)


def pennants(count: int) -> str:
    rows = {1: (-3,), 2: (-10, 4), 3: (-12, -3, 6)}[count]
    return "".join(put(PENNANT, x, 2 * (number % 2), 1.1) for number, x in enumerate(rows))


# By the word of an order: the ground, and what is drawn on it.
DRAWN = {
    "el_nino": (RED, two(WAVES, ROAD)),
    "expert_surveyors": (GREEN, two(STEPS, STEPS)),
    "extra_labour": (GREEN, signed(ROAD, PLUS, GREEN)),
    "motivated_workers": (GREEN, two(ROAD, ROAD)),
    "rural_unrest": (RED, two(FLAGS, WILD)),
    "wild_road": (GREEN, put(WILD)),
    "popular_support": (GREEN, signed(PERSON, PLUS, GREEN)),
    "military_superiority": (GREEN, put(SPEAR) + f'<g transform="scale(-1 1)">{put(SPEAR)}</g>'),
    "rapid_expansion": (GREEN, signed(FLAGS, PLUS, GREEN)),
    "resistance": (RED, put(SHIELD)),
    "religious_fervour": (GREEN, two(TEMPLE, TOWER)),
    "solar_eclipse": (RED, put(SUN) + put(MOON)),
    "building_project": (GREEN, two(TOWER, TOWER)),
    "bad_weather": (RED, two(RAIN, TOWER)),
    "safety_rations": (GREEN, two(MAIZE, TOWER)),
    "epidemic": (RED, two(SKULL, HOUSES)),
    "strategic_point": (GREEN, two(TOWER, HOUSES)),
    "urban_renewal": (GREEN, signed(HOUSES, PLUS, GREEN)),
    "local_pilgrimage": (GOLD, pennants(1)),
    "annual_pilgrimage": (GOLD, pennants(2)),
    "great_pilgrimage": (GOLD, pennants(3)),
}


def face(ground: str, inside: str) -> str:
    coloured = filled(GROUNDS[ground], "M-19-28H19V28H-19z")
    return card_face(coloured + inside, edge=ground)


FACES = {card: Card(name, face(*DRAWN[card]), text=EFFECTS[card]) for card, name in CARDS.items()}
