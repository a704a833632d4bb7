"""Whoever sees little can read the boards: every sign stands out from what it is written on, by light and in the dark.

Measured on the style sheet that a picture carries. Tahuantinsuyu letters its board in its own way: see its `test_render`.
"""

from __future__ import annotations

import re
from functools import cache

import pytest

from engine.kit.letters import STROKES
from tests.engine.matches import whole

LEAST = 4.5
SEATS = (
    ("letter", "pA .body"),
    ("letter", "pC .body"),
    ("letter", "pD .body"),
    ("letter", "pB .body"),
)
TERRACES = (("ruler", "paper"), ("level", "plate"), ("value", "floor"), *SEATS)
# What is written, and on what.
WRITTEN = {
    "cuzco": TERRACES,
    "java": TERRACES,
    "inka": (
        ("ruler", "frame"),
        ("number", "floor"),
        ("deep", "chasm"),
        ("name", "stone"),
        ("name", "lit"),
        ("name", "gold"),
        ("name", "shine"),
        *SEATS,
    ),
}
SIGNS = [(key, *pair) for key, pairs in WRITTEN.items() for pair in pairs]
LIT = r"[.](?P<name>[^{}]+)\{(?P<prop>fill|stroke):var\([^,]+,light-dark\((?P<light>#\w{6}),(?P<dark>#\w{6})\)\)"


@cache
def picture(key: str) -> str:
    """A board in the middle of a match."""
    match = whole(key, 2, 0)
    return match.game.render(match.game.view(match.state, None), str)


@cache
def paints(key: str) -> dict[tuple[str, str], tuple[str, str]]:
    """By class and property: the colours of the picture by light and in the dark."""
    return {
        (found["name"].strip(), found["prop"]): (found["light"], found["dark"])
        for found in re.finditer(rf"[.][\w-]+ {LIT}", picture(key))
    }


def ink(key: str, sign: str, ground: str) -> tuple[str, str]:
    """The letter of a seat may have a colour of its own."""
    own = f"{ground.partition(' ')[0]} .{sign}", "stroke"
    return paints(key).get(own) or paints(key)[sign, "stroke"]


def brightness(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dim, bright = sorted((brightness(one), brightness(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("key", "sign", "ground"), SIGNS)
def test_every_sign_stands_out_from_its_ground(
    key: str, sign: str, ground: str, dark: bool
) -> None:
    on = paints(key)[ground, "fill"]
    assert contrast(ink(key, sign, ground)[dark], on[dark]) >= LEAST


@pytest.mark.parametrize("key", WRITTEN)
def test_no_sign_is_pale(key: str) -> None:
    """An ink that lets its ground through stands out less than its colour says."""
    style = picture(key).partition("</style>")[0]
    for sign, _ in WRITTEN[key]:
        rules = re.findall(rf"[.]{sign}\{{([^}}]*)\}}", style)
        assert rules
        assert not any("opacity" in rule for rule in rules), sign


@pytest.mark.parametrize("key", WRITTEN)
def test_no_board_writes_what_is_not_measured(key: str) -> None:
    drawn = re.findall(
        r'<path(?: class="([^"]*)")? transform="translate[^"]*" d="([^"]*)"', picture(key)
    )
    letters = {look for look, shape in drawn if shape in STROKES.values()}
    assert letters - {""} <= {
        sign for sign, _ in WRITTEN[key]
    }  # rulers have the class of their group
    assert {look for look in letters if look}, "nothing was found"
