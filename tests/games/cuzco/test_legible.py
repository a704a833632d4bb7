"""Whoever sees little can read the board: every sign stands out from what it is written on, by light and in the dark."""

from __future__ import annotations

import pytest

from engine.cuzco.picture.palette import PAINTS

LEAST = 4.5
# What is written, and on what.
WRITTEN = (
    ("ruler", "paper"),
    ("level", "plate"),
    ("value", "floor"),
    ("letter", "pA .body"),
    ("letter", "pB .body"),
    ("pC .letter", "pC .body"),
    ("letter", "pD .body"),
)


def paint(name: str, kind: str, dark: bool) -> str:
    return next(row[3 if dark else 2] for row in PAINTS if row[:2] == (name, kind))


def brightness(colour: str) -> float:
    """Relative luminance, as WCAG defines it."""
    parts = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    red, green, blue = (p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    dim, bright = sorted((brightness(one), brightness(other)))
    return (bright + 0.05) / (dim + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize(("sign", "ground"), WRITTEN)
def test_every_sign_stands_out_from_its_ground(sign: str, ground: str, dark: bool) -> None:
    assert contrast(paint(sign, "stroke", dark), paint(ground, "fill", dark)) >= LEAST
