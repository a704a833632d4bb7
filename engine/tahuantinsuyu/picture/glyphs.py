"""The small drawings on the board: pieces, sites, buildings, markers and signs."""

from __future__ import annotations

from functools import cache
from html import escape

from engine.core.sentence import seat_letter
from engine.tahuantinsuyu.picture.lettering import word
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
    """A part of the board that orders name: it can be pointed at."""
    return (
        f'<g class="place" data-place="{name}" transform="translate({at[0]:g} {at[1]:g})">'
        f"<title>{escape(title)}</title>{inside}</g>"
    )


def line(points: tuple[Point, ...] | list[Point]) -> str:
    """Through these points, each to the nearest whole one: finer than a screen shows, and a kilobyte lighter."""
    return "M" + "L".join(f"{x:.0f} {y:.0f}" for x, y in points)


# Players: a shape and a colour for the colour, a letter for the seat.


SHAPES = {
    "orange": (ring(0, 0, 12), 0.0),
    "green": (box(0, 0, 21, 21), 0.0),
    "brown": ("M0-14.5 15 10.5h-30z", 2.6),
    "blue": ("M0-15 15 0 0 15-15 0z", 0.0),
}


@cache
def piece(seat: int, colour: str) -> str:
    """A player's figure around the origin."""
    shape, drop = SHAPES[colour]
    ink = "dark bold" if colour == "orange" else "pale bold"
    letter = path(ink, word(seat_letter(seat), 0, drop, 0.95))
    return f'<g class="{colour}">{path("halo", shape)}{path("hue", shape)}{letter}</g>'


def placed(x: float, y: float, scale: float, inside: str) -> str:
    size = f" scale({scale:g})" if scale != 1 else ""
    return f'<g transform="translate({x:g} {y:g}){size}">{inside}</g>'


# Sites: round, square with a C, triangle with a G; what is built is filled.


HUACA = path("site", ring(0, 0, 6))
CUZCO = path("cuzco", "M0-22 17-16 23 0 17 16 0 22-17 16-23 0-17-16z") + path(
    "dark bold", word("cuzco", 0, 0.5, 0.8)
)
TRIANGLE = "M-14-10h28L0 14z"
HOUSES = "M-7 6V-1L-3.5-4.5 0-1V6zM0 6V1L3.5-2.5 7 1V6z"
TOWER = "M-5 8V-2h-1.5v-5h2.6v2.4h2.4V-7h3v2.4h2.4V-7h2.6v5H5V8z"
PYRAMID = "M-13 0v-4h4v-4h4v-4h10v4h4v4h4v4z"


@cache
def city_site(bonus: int) -> str:
    """A free city site; a renowned one has a gold rim and its bonus."""
    rim = path("gold", box(0, 0, 27, 27, 3)) if bonus else ""
    letter = (
        word("C", 0, 0, 1.1) if not bonus else word("C", -4.6, 0, 1) + word(str(bonus), 5.4, 0, 1)
    )
    return rim + path("city", box(0, 0, 22, 20)) + path("dark bold", letter)


FORT_SITE = path("fort", TRIANGLE) + path("dark bold", word("G", 0, -2, 0.9))


@cache
def building(kind: str, temple: bool, bonus: int) -> str:
    """What stands on a site: houses or a tower, and a stepped temple above."""
    if kind == "city":
        rim = path("gold", box(0, 0, 31, 31, 4)) if bonus else ""
        base = rim + path("built", box(0, 0, 24, 24, 2)) + path("stone", HOUSES)
    else:
        base = path("manned", "M-15-11h30L0 17z") + path("stone", TOWER)
    top = placed(0, -10, 1, path("gold", PYRAMID) + path("dark bold", word("T", 0, -5, 0.55)))
    return base + (top if temple else "")


PENNANT = path("shield", "M10-9v-11l11 4-9 4v3z")  # where pilgrims go


# Culture markers: labour in a square, resistance in a shield, points in a wreath.


FACE_DOWN = path("sealed", ring(0, 0, 12)) + path("pale bold", word("?", 0, 0, 0.95))
SHIELD = "M-7.5-8.5h15v7c0 6-4 9-7.5 10.5C-3.5 7.5-7.5 4.5-7.5-1.5z"


@cache
def values(labour: int, resistance: int, points: int) -> str:
    """A marker face up: its three values, each on its own sign."""
    signs = (
        placed(-19, 0, 1, path("toil", box(0, 0, 15, 15, 2)) + digit(labour, "dark")),
        path("shield", SHIELD) + digit(resistance, "pale"),
        placed(19, 0, 1, path("laurel", ring(0, 0, 8.4)) + digit(points, "pale")),
    )
    return path("tag", box(0, 0, 60, 23, 7)) + "".join(signs)


@cache
def taken(labour: int, seat: int, colour: str, terrace: bool) -> str:
    """The marker of a conquered region: whose it is, its labour, and a terrace."""
    width = 66 if terrace else 46
    steps = path("terrace", "M-7 6h5V1h5v-5h5") if terrace else ""
    signs = (
        placed(
            13 - (10 if terrace else 0),
            0,
            1,
            path("toil", box(0, 0, 15, 15, 2)) + digit(labour, "dark"),
        ),
        placed(-11 - (10 if terrace else 0), 0, 0.92, piece(seat, colour)),
        placed(22, 0, 1, steps) if terrace else "",
    )
    return path("tag", box(2, 0, width, 21, 7)) + "".join(signs)


def digit(number: int, look: str) -> str:
    return path(f"{look} bold", word(str(number), 0, 0, 1.05))


# Sun cards: what they are about


SYMBOLS = {
    "road": "M-6 6C-4 0 4 0 6-6",
    "terrace": "M-6 6h4V2h4v-4h4v-4",
    "destruction": "M-5-5 5 5M5-5-5 5",
    "military": "M-5 6 5-6M-5-1l5 5",
    "temple": "M-6 5h12M-4 5V1h8v4M-2 1v-4h4v4",
    "garrison": "M-4 6v-9h-1v-3h3v2h4v-2h3v3H4v9",
    "city": "M-5 6V0l5-5 5 5v6z",
}


# The period table


SUN = path("disc", ring(0, 0, 5)) + path(
    "dark", "M0-7v-2M0 7v2M-7 0h-2M7 0h2M-5-5-6.4-6.4M5 5 6.4 6.4M-5 5-6.4 6.4M5-5 6.4-6.4"
)
BLACK_INCA = path("inca", "M-7 12C-7 3-4 1-3-1A5.4 5.4 0 1 1 3-1C4 1 7 3 7 12z")
PHASES = {
    "inca": path("dark bold", word("I", 0, 0, 1)),
    "sun": placed(0, 0, 0.8, SUN),
    "people": path("dark bold", word("P", 0, 0, 1)),
    "sapa": placed(0, 0.8, 0.72, path("gold", "M-8 5V-4l4 4 4-7 4 7 4-4v9z")),
}
CARAVEL = path("stone", "M-8 4h16l-3 5H-5zM-1 3v-12C5-7 7-2 7 2H-1z")
