"""The small drawings on the board: pieces, sites, buildings, markers and signs."""

from __future__ import annotations

from functools import cache
from html import escape

from engine.core.sentence import seat_letter
from engine.tahuantinsuyu.picture.lettering import letters
from engine.tahuantinsuyu.printed_board import Point


def path(look: str, d: str) -> str:
    return f'<path class="{look}" d="{d}"/>'


def ring(x: float, y: float, r: float) -> str:
    """The outline of a disc."""
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0-{2 * r:g} 0z"


def box(x: float, y: float, width: float, height: float, round_: float = 0) -> str:
    """The outline of a box by its middle."""
    left, top, r = x - width / 2, y - height / 2, round_
    if not r:
        return f"M{left:g} {top:g}h{width:g}v{height:g}h{-width:g}z"
    w, h = width - 2 * r, height - 2 * r
    return (
        f"M{left + r:g} {top:g}h{w:g}q{r:g} 0 {r:g} {r:g}v{h:g}q0 {r:g}-{r:g} {r:g}"
        f"h{-w:g}q-{r:g} 0-{r:g}-{r:g}v{-h:g}q0-{r:g} {r:g}-{r:g}z"
    )


def titled(title: str, inside: str) -> str:
    return f"<g><title>{escape(title)}</title>{inside}</g>"


def spot(name: str, at: Point, title: str, inside: str) -> str:
    """A part of the board that orders name: it can be pointed at, and stands at the nearest whole point."""
    return (
        f'<g class="place" data-place="{name}" transform="translate({at[0]:.0f} {at[1]:.0f})">'
        f"<title>{escape(title)}</title>{inside}</g>"
    )


def line(points: tuple[Point, ...] | list[Point]) -> str:
    """Through these points, each to the nearest whole one: finer than a screen shows, and a kilobyte lighter."""
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)


# Players: a shape and a colour for the colour, a letter for the seat.


SHAPES = {
    "orange": (ring(0, 0, 18), 0.0),
    "green": (box(0, 0, 33, 33), 0.0),
    "brown": ("M0-23 24 17h-48z", 4.0),
    "blue": ("M0-24 24 0 0 24-24 0z", 0.0),
}


@cache
def piece(seat: int, colour: str) -> str:
    """A player's figure around the origin."""
    shape, drop = SHAPES[colour]
    ink = "dark bold" if colour == "orange" else "pale bold"
    letter = letters(ink, seat_letter(seat), 0, drop)
    return f'<g class="{colour}">{path("halo", shape)}{path("hue", shape)}{letter}</g>'


def placed(x: float, y: float, scale: float, inside: str) -> str:
    size = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){size}">{inside}</g>'


# Sites: round, square with a house, triangle with a tower; what is built is filled.


HUACA = path("site", ring(0, 0, 8))
CUZCO = path("cuzco", "M0-36 30-27 42 0 30 27 0 36-30 27-42 0-30-27z") + letters(
    "dark bold", "cuzco"
)
TRIANGLE = "M-20-15h40L0 20z"
HOUSES = "M-11 9V-1L-5.5-7 0-1V9zM0 9V2L5.5-4 11 2V9z"
TOWER = "M-5 9V-2h-2v-7h3.4v3h2.2v-3h2.8v3h2.2v-3H7v7H5V9z"
PYRAMID = "M-18 0v-6h6v-6h6v-6H6v6h6v6h6v6z"


@cache
def city_site(bonus: int) -> str:
    """A free city site; a renowned one has a gold rim and its bonus."""
    if not bonus:
        return path("city", box(0, 0, 31, 29)) + path("plan", HOUSES)
    rim = path("gold", box(0, 0, 37, 37, 4))
    return rim + path("city", box(0, 0, 29, 29)) + letters("dark bold", str(bonus))


FORT_SITE = path("fort", TRIANGLE) + placed(0, -4, 0.8, path("plan", TOWER))


@cache
def building(kind: str, temple: bool, bonus: int) -> str:
    """What stands on a site: houses or a tower, and a stepped temple above."""
    if kind == "city":
        rim = path("gold", box(0, 0, 44, 44, 5)) if bonus else ""
        base = rim + path("built", box(0, 0, 35, 35, 3)) + placed(0, 0, 1.25, path("stone", HOUSES))
    else:
        base = path("manned", "M-22-16h44L0 24z") + placed(0, -3, 1.1, path("stone", TOWER))
    return base + (placed(0, -13, 1, path("gold", PYRAMID)) if temple else "")


PENNANT = path("shield", "M15-13v-19l18 7-15 7v5z")  # where pilgrims go


# Culture markers: labour in a square, resistance in a shield, points in a wreath.


FACE_DOWN = path("sealed", ring(0, 0, 16)) + letters("pale bold", "?")
SHIELD = "M-13-14h26v12c0 9-6 14-13 17C-7 12-13 7-13-2z"


@cache
def values(labour: int, resistance: int, points: int) -> str:
    """A marker face up: its three values, each on its own sign."""
    signs = (
        placed(-31, 0, 1, path("toil", box(0, 0, 26, 27, 3)) + digit(labour, "dark")),
        path("shield", SHIELD) + digit(resistance, "pale"),
        placed(31, 0, 1, path("laurel", ring(0, 0, 14)) + digit(points, "pale")),
    )
    return path("tag", box(0, 0, 98, 36, 9)) + "".join(signs)


@cache
def taken(labour: int, seat: int, colour: str, terrace: bool) -> str:
    """The marker of a conquered region: whose it is, its labour, and a terrace."""
    aside = 16 if terrace else 0
    toil = path("toil", box(0, 0, 26, 27, 3)) + digit(labour, "dark")
    signs = (
        placed(21 - aside, 0, 1, toil),
        placed(-19 - aside, 0, 0.95, piece(seat, colour)),
        placed(36, 0, 1.7, path("terrace", "M-7 6h5V1h5v-5h5")) if terrace else "",
    )
    return path("tag", box(0, 0, 106 if terrace else 84, 36, 9)) + "".join(signs)


def digit(number: int, look: str) -> str:
    return letters(f"{look} bold", str(number))


# What the verbs show


SUN = path("disc", ring(0, 0, 5)) + path(
    "dark", "M0-7v-2M0 7v2M-7 0h-2M7 0h2M-5-5-6.4-6.4M5 5 6.4 6.4M-5 5-6.4 6.4M5-5 6.4-6.4"
)
