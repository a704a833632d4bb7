"""Small drawings for the board, as SVG around the middle of a hex.

Nothing has an id, so that two boards may stand on one page.
"""

from __future__ import annotations

from functools import cache

from engine.kit.letters import write

HALF, RADIUS, ROW = 26, 30, 45  # half the width of a hex, its radius, the distance of two rows
HEX = "M0-30 26-15V15L0 30-26 15V-15z"
CORNERS = ((0, -30), (26, -15), (26, 15), (0, 30), (-26, 15), (-26, -15))


def many(shape: str, spots: tuple[tuple[int, int], ...]) -> str:
    """One shape, drawn by relative strokes, at several spots."""
    return "".join(f"M{x} {y}{shape}" for x, y in spots)


AROUND = ((-15, -6), (15, -6), (0, 5), (-15, 15), (15, 15))
ASIDE = ((-18, -5), (18, -5), (-20, 15), (20, 15))  # room for small marks beside a piece
SPROUT = "q0-5-5-7m5 7q0-5 5-7m-5 8v-7"
RICE = "v-8m0 8c-1-4-3-6-5-6m5 6c1-4 3-6 5-6"
SMALL_SPROUT = "q0-4-4-5m4 5q0-4 4-5m-4 6v-6"
HOUSE = "m-6 4v-7h12v7h-4v-4h-3v4z"
ROOF = "m-8-2 3-6h10l3 6z"
SMALL_HOUSE = "m-4 1v-5h8v5z"
SMALL_ROOF = "m-5-4 2-4h6l2 4z"
FURROWS = "M-22-9C-8-2 8-2 22-9M-25 4C-8 12 8 12 25 4M-20 17C-8 23 8 23 20 17"
PEAKS = "M-22 14-8-14 0-1 7-10 22 14z"
LEE = "M-8-14-3 3-6 14H4L0-1zM7-10 9 4 6 14H22z"  # the sides of the peaks that lie in the shade
SNOW = "M-8-14-13.5-3l4-2 3 4 3.5-4.5zM7-10 2.5-3.5l3 2 2.5-2 3.5 2z"
TREES = many("l-7 11h4l-5 8h16l-5-8h4z", ((-11, -13), (10, -15), (0, 0)))
SHADY = many("l7 11h-4l5 8h-8z", ((-11, -13), (10, -15), (0, 0)))
TUFT = "c0-5-3-8-6-9m6 9c0-5 3-8 6-9m-6 9v-11"
TUFTS = many(TUFT, ((-11, 0), (11, -3), (0, 17)))
WAVE = "c4-5 7-5 11 0s7 5 11 0"
WAVES = many(WAVE, ((-17, -9), (-6, 2), (-17, 13)))
RING = {
    "mountain": f'<path class="peak" d="{PEAKS}"/><path class="snow" d="{SNOW}"/><path class="shade" d="{LEE}"/>',
    "forest": f'<path class="trees" d="{TREES}"/><path class="shade" d="{SHADY}"/>',
    "plain": f'<path class="tufts" d="{TUFTS}"/>',
}


def faces(look: str, mark: str, small: str) -> tuple[str, str]:
    """The marks of one kind of land: on a free hex, and beside a piece."""
    return (
        f'<path class="{look}" d="{many(mark, AROUND)}"/>',
        f'<path class="{look}" d="{many(small, ASIDE)}"/>',
    )


def settled() -> tuple[str, str]:
    """Houses, each with its roof."""
    walls, roofs = faces("houses", HOUSE, SMALL_HOUSE), faces("roofs", ROOF, SMALL_ROOF)
    return walls[0] + roofs[0], walls[1] + roofs[1]


def tilled(mark: str) -> tuple[str, str]:
    """Rows of what grows there."""
    rows = f'<path class="furrows" d="{FURROWS}"/>'
    free, beside = faces("sprouts", mark, SMALL_SPROUT)
    return rows + free, rows + beside


FACES = {  # by what the land is called
    "village": settled(),
    "crop": tilled(SPROUT),
    "rice": tilled(RICE),
}
LIGHT = '<path class="glow" d="M-23.5 12V-13.5L0-27"/>'  # from the north-west
DEPTH = '<path class="deep" d="M0-21 18-10.5V10.5L0 21-18 10.5V-10.5z"/>'


@cache
def height_sign(level: int) -> str:
    """How high a hex is, on a small plate that can be read on every colour."""
    wide = 9 if level < 10 else 14
    plate = f'<rect class="plate" x="{-wide}" y="-29" width="{2 * wide}" height="19" rx="6"/>'
    return plate + write(str(level), 0, -19.5, 1.4, "level")


SUN_RAYS = "M0-11V11M-11 0H11M-8-8 8 8M-8 8 8-8"
SUN = f'<path class="rays" d="{SUN_RAYS}"/><circle class="sun" r="7"/>'
DANCER = (
    '<circle class="sun" r="10"/><circle class="figure" cy="-5" r="2"/>'
    '<path class="limbs" d="M0-3 1 2-3 8M1 2 5 4 4 8M-7-4-3-1 0-2 4-4 6-8"/>'
)
MARKS = {"disc": SUN, "danced": DANCER}


def disc(word: str) -> str:
    """The sign that a temple had its festival, at its shoulder."""
    return f'<g transform="translate(-19 -20)scale(.85)">{MARKS[word]}</g>'


FEAST = f'<path class="feast" transform="scale(.86)" d="{HEX}"/>'
FLOOR = 4.6  # how high a floor is


@cache
def slab(radius: float, y: float) -> str:
    """One floor of a temple: a low hexagonal block around (0, y)."""
    x, h, wall = radius * HALF / RADIUS, radius / 2, FLOOR
    top = (
        f"M0 {y - radius:g}L{x:g} {y - h:g}V{y + h:g}L0 {y + radius:g} {-x:g} {y + h:g}V{y - h:g}z"
    )
    side = (
        f"M{-x:g} {y + h:g}v{wall}L0 {y + radius + wall:g}"
        f" {x:g} {y + h + wall:g}v-{wall}L0 {y + radius:g}z"
    )
    lee = f"M0 {y + radius:g}v{wall}L{x:g} {y + h + wall:g}v-{wall}z"
    return (
        f'<path class="side" d="{side}"/><path class="shade" d="{lee}"/>'
        f'<path class="floor" d="{top}"/>'
    )


@cache
def temple(value: int) -> str:
    """A pile of floors, one for each step of value, with the number on top."""
    floors = value // 2
    bottom = 2 + floors  # the middle of the lowest floor; bigger temples stand a little lower
    pile = "".join(slab(16.5 + 1.8 * (floors - 1 - i), bottom - FLOOR * i) for i in range(floors))
    scale = 1.7 if value < 10 else 1.5
    return pile + write(str(value), 0, bottom - FLOOR * (floors - 1), scale, "value")


@cache
def outline(edges: int) -> str:
    """The sides of a hex whose bits are set, from the upper right one clockwise."""
    strokes, pen = [], None
    for side in range(6):
        if edges >> side & 1:
            (x, y), (u, v) = CORNERS[side], CORNERS[(side + 1) % 6]
            strokes.append(f"L{u} {v}" if pen == side else f"M{x} {y}L{u} {v}")
            pen = side + 1
    return HEX if edges == 63 else "".join(strokes)


@cache
def wall(height: int) -> str:
    """The cliff below a raised hex."""
    return f"M-26 15 0 30 26 15v{height}L0 {30 + height}-26 {15 + height}z"


@cache
def dark_wall(height: int) -> str:
    """The half of a cliff that the light does not reach."""
    return f"M0 30 26 15v{height}L0 {30 + height}z"


@cache
def strata(level: int, step: int) -> str:
    """The lines between the levels of a cliff, so that its height can be counted."""
    return "".join(f"M-26 {15 + y}l26 15 26-15" for y in range(step, level * step, step))
