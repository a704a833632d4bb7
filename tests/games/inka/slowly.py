"""Moves of lozenges once more, found the long way: by pushing and turning real shapes over the cells.

Nothing of the engine's geometry is used, only where the data say that the cells are: in the plane of complex numbers.
"""

from __future__ import annotations

from cmath import exp, pi

from engine.inka.printed_board import DATA

SAMPLES, STEPS = 9, 12  # points along a side; small turns in 60°
UP = exp(1j * pi / 3)  # from vertex (a, b) to (a, b + 1)
BLUR = 1e-6
TRIANGLES = {tuple(cell["tri"]): cell["id"] for cell in DATA["cells"]}


def triangle(kind: str, a: int, b: int) -> list[complex]:
    low, right, high = a + b * UP, a + 1 + b * UP, a + (b + 1) * UP
    return [low, right, high] if kind == "U" else [right, right + UP, high]


POLYS = {name: triangle(*tri) for tri, name in TRIANGLES.items()}
CENTRES = {name: sum(poly) / 3 for name, poly in POLYS.items()}


def same(one: complex, other: complex) -> bool:
    return abs(one - other) < BLUR


def look(point: complex) -> str | None:
    """The cell on which a point lies, if it is inside the hall."""
    b = point.imag / UP.imag
    a = point.real - b / 2
    low_a, low_b = int(a // 1), int(b // 1)
    return TRIANGLES.get(("U" if a - low_a + b - low_b < 1 else "D", low_a, low_b))


def corners(h0: str, h1: str) -> list[complex]:
    """A0, O1, A2, O3, counter-clockwise."""
    (a0,) = (v for v in POLYS[h0] if not any(same(v, w) for w in POLYS[h1]))
    (a2,) = (v for v in POLYS[h1] if not any(same(v, w) for w in POLYS[h0]))
    o1, o3 = (v for v in POLYS[h0] if not same(v, a0))
    if ((o1 - a0).conjugate() * (a2 - a0)).imag < 0:
        o1, o3 = o3, o1
    return [a0, o1, a2, o3]


def points(h0: str, h1: str) -> list[complex]:
    a0, o1, _, o3 = corners(h0, h1)
    ones, others = (  # odd numbers, lest a point ever lie on a line between two cells
        [(n + odd) / SAMPLES for n in range(SAMPLES)] for odd in (0.4537, 0.5719)
    )
    return [a0 + a * (o1 - a0) + b * (o3 - a0) for a in ones for b in others]


def slides(h0: str, h1: str, blocked: set[str]) -> set[tuple[str, str]]:
    """Where a lozenge can slide; `blocked` are the cells with other lozenges, pawns or blockades."""
    a0, o1, _, o3 = corners(h0, h1)
    found = set()
    for step in (o1 - a0, o3 - a0, a0 - o1, a0 - o3):
        for far in range(1, 13):
            pair = [look(CENTRES[name] + far * step) for name in (h0, h1)]
            if None in pair or blocked & {*pair}:
                break
            found.add((str(pair[0]), str(pair[1])))
    return found


def turns(h0: str, h1: str, blocked: set[str]) -> set[tuple[str, str]]:
    """Where a lozenge can turn."""
    found = set()
    for pivot in corners(h0, h1):
        for way in (1, -1):
            for times in range(1, 6):
                if not sweeps_freely(h0, h1, pivot, way, times, blocked):
                    break
                turn = exp(1j * way * times * pi / 3)
                pair = [look(pivot + (CENTRES[name] - pivot) * turn) for name in (h0, h1)]
                found.add((str(pair[0]), str(pair[1])))
    return found


def sweeps_freely(
    h0: str, h1: str, pivot: complex, way: int, times: int, blocked: set[str]
) -> bool:
    """Whether the last of so many turns by 60° touches nothing."""
    for small in range(1, STEPS + 1):
        angle = way * (times - 1 + small / STEPS) * pi / 3
        for point in points(h0, h1):
            cell = look(pivot + (point - pivot) * exp(1j * angle))
            if cell is None or cell in blocked:
                return False
    return True
