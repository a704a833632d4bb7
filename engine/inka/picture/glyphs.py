"""Small drawings for the hall, as SVG. A lozenge is drawn in its own frame and turned to where it lies."""

from __future__ import annotations

from functools import cache
from math import cos, hypot, radians, sin

from engine.core.sentence import seat_letter
from engine.inka.printed_board import CELLS, COLOURS, DATA, LOZENGES, PAIRS, POSES
from engine.kit.letters import write
from engine.kit.pieces import piece

Point = tuple[float, float]
UNIT = 80.0  # the side of a cell
SCALE = UNIT / DATA["unitPx"]
ROW = UNIT * 3**0.5 / 2
INSET = 5.5  # how far inside its lozenge a wall runs: so one sees whose it is


def spot(v: tuple[float, float]) -> Point:
    """A vertex of the lattice on the paper, the middle of the hall being 0, 0."""
    a, b = v
    return UNIT * (a + b / 2), -ROW * b


def outline(points: list[Point]) -> str:
    return "M" + "L".join(f"{x:.4g} {y:.4g}" for x, y in points) + "z"


def middle(points: list[Point]) -> Point:
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def corners(cell: int) -> list[Point]:
    """The corners of a cell on the paper."""
    kind, a, b = CELLS[cell]["tri"]
    if kind == "U":
        return [spot((a, b)), spot((a + 1, b)), spot((a, b + 1))]
    return [spot((a + 1, b)), spot((a + 1, b + 1)), spot((a, b + 1))]


@cache
def centre(cell: int) -> Point:
    return middle(corners(cell))


def upward(cell: int) -> bool:
    return bool(CELLS[cell]["tri"][0] == "U")


@cache
def shape(cell: int, shrink: float = 0) -> str:
    """A cell around its own middle."""
    x, y = centre(cell)
    k = 1 - shrink
    return outline([((u - x) * k, (v - y) * k) for u, v in corners(cell)])


# Signs on the floor


DOOR = '<path class="exit" d="M-13 12V-2a13 13 0 0 1 26 0V12z"/><path class="door" d="M-7 12V-1a7 7 0 0 1 14 0V12z"/>'
SPIRAL = (
    '<circle class="passage" r="13"/>'
    '<path class="spiral" d="M0 0c2-3 5-1 4 2s-6 4-8 0 1-9 6-8 8 6 5 11-9 5-12 2"/>'
)
SYMBOL = '<path class="symbol" d="M0-17 10 0 0 17-10 0z"/><path class="symbol-seam" d="M-10 0H10"/>'
SIGNS = {"start_exit": DOOR, "secret_passage": SPIRAL, "lozenge": SYMBOL}

COLUMN = 1.2  # how large rows and columns are named


def number(cell: int, look: str, *, beside: bool) -> str:
    """The column of a cell, at its broad side; `beside` a sign it makes room."""
    side = -23 if beside else 0
    return write(str(CELLS[cell]["col"]), side, 16 if upward(cell) else -16, COLUMN, look)


# Lozenges, in a frame whose middle is 0, 0 and whose corner A0 lies to the left


FRAME = {"A0": (-ROW, 0.0), "O1": (0.0, UNIT / 2), "A2": (ROW, 0.0), "O3": (0.0, -UNIT / 2)}
SIDES = {"e0": ("A0", "O1"), "e1": ("O1", "A2"), "e2": ("A2", "O3"), "e3": ("O3", "A0")}
RHOMB = outline([FRAME[name] for name in ("A0", "O1", "A2", "O3")])
FIRST_HALF = outline([FRAME[name] for name in ("A0", "O1", "O3")])
SNAKE = "m-15 4c4-9 8-9 11-2s8 6 11-1 4-6 7-5"
HALF_AT = (-ROW / 3, ROW / 3)  # where the middles of h0 and h1 are
SNAKE_AT = (-ROW / 3 - 4, ROW / 3 + 6)
TRIM = {"A": 15, "O": 7}  # how far from a sharp or a blunt corner a wall ends


def wall(edge: str) -> str:
    """A wall along a side, drawn just inside the lozenge that it belongs to."""
    (x, y), (u, v) = (FRAME[name] for name in SIDES[edge])
    along = hypot(u - x, v - y)
    dx, dy = (u - x) / along, (v - y) / along
    mx, my = (x + u) / 2, (y + v) / 2
    inside = -1 / hypot(
        mx, my
    )  # towards the middle, which is straight across the side only on average
    nx, ny = (-dy, dx) if (-dy * mx + dx * my) * inside > 0 else (dy, -dx)
    first, last = (TRIM[name[0]] for name in SIDES[edge])
    x, y = x + nx * INSET + dx * first, y + ny * INSET + dy * first
    u, v = u + nx * INSET - dx * last, v + ny * INSET - dy * last
    line = f"M{x:.4g} {y:.4g}L{u:.4g} {v:.4g}"
    joints = "".join(
        f"M{x + (u - x) * t - nx * 3:.4g} {y + (v - y) * t - ny * 3:.4g}l{nx * 6:.3g} {ny * 6:.3g}"
        for t in (0.2, 0.4, 0.6, 0.8)
    )
    return (
        f'<path class="wall-rim" d="{line}"/><path class="wall" d="{line}"/>'
        f'<path class="bricks" d="{joints}"/>'
    )


def snake(half: int) -> str:
    x = SNAKE_AT[half]
    body = f"M{x:.4g} 0{SNAKE}"
    return (
        f'<path class="snake-rim" d="{body}"/><path class="snake" d="{body}"/>'
        f'<circle class="snake-eye" cx="{x + 13:.4g}" cy="-4.2" r="1.3"/>'
    )


@cache
def lozenge(id_: str) -> str:
    """A lozenge in its frame, without what must stay upright."""
    face = LOZENGES[id_]
    body, light, seam = (
        ("gold", "shine", "gold-seam") if face.destination else ("stone", "lit", "seam")
    )
    ends = f"M0 {-UNIT / 2 + 4:g}V{UNIT / 2 - 4:g}"
    return (
        f'<path class="{body}" d="{RHOMB}"/><path class="{light}" transform="scale(.94)" d="{FIRST_HALF}"/>'
        f'<path class="{seam}" d="{ends}"/>'
        f"{''.join(map(snake, face.snakes))}{''.join(map(wall, face.walls))}"
        f'<circle class="notch" cx="{-ROW + 10:.4g}" r="2.6"/>'
    )


@cache
def bearing(place: int) -> tuple[Point, float]:
    """Where the middle of a lozenge on this place lies, and by how many degrees its frame is turned."""
    pose = POSES[PAIRS[place]]
    a, b = pose.vertex((1, 1))
    at = spot(((pose.anchor[0] + a) / 2, (pose.anchor[1] + b) / 2))
    return at, -60.0 * pose.rot - 30  # the frame lies flat, a lozenge of rot 0 rises by 30°


def turned(point: Point, degrees: float) -> Point:
    x, y, angle = *point, radians(degrees)
    return x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)


# What stands in the hall


def standing(drawing: str, at: Point, scale: float) -> str:
    return f'<g transform="translate({at[0]:.4g} {at[1]:.4g})scale({scale})">{drawing}</g>'


def pawn(seat: int, at: Point) -> str:
    return standing(piece(seat), at, 0.95)


def statue(seat: int, at: Point) -> str:
    return standing(piece(seat), at, 0.46)


@cache
def blockade(seat: int) -> str:
    """Two crossed planks with the mark of the seat whose they are."""
    planks = "M-17 12 17-12M-17-12 17 12"
    return (
        f'<path class="planks" d="{planks}"/><path class="grain" d="{planks}"/>'
        f"{standing(piece(seat), (0, -2), 0.66)}"
    )


def colour(seat: int) -> str:
    """What the data call the colour of a seat, for tooltips."""
    return f"{seat_letter(seat)} ({COLOURS[seat]})"
