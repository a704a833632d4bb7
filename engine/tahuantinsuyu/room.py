"""Where on the board there is room: each marker with its name hides as little as can be."""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise
from math import hypot

from engine.tahuantinsuyu.board import Board, Point, Region, bits

Box = tuple[float, float, float, float]  # left, top, right, bottom

# What a site takes up with its id and with what may be built on it.
SITE_ROOM: dict[str, Box] = {
    "huaca": (-12, -8, 12, 18),
    "garrison": (-16, -21, 16, 25),
    "city": (-16, -24, 16, 25),
    "cuzco": (-20, -20, 20, 20),
}
TAG_ROOM: Box = (-36, -13, 38, 13)
NAME_LOW = 26  # down to where the name below a marker reaches


@cache
def roomy(layout: Board) -> dict[str, Point]:
    """Where the marker of each region hides as little as can be of sites, slots and borders."""
    steps = [(dx, dy) for dx in range(-48, 49, 8) for dy in range(-40, 41, 8)]
    sites = [moved(SITE_ROOM[site.kind], site.at) for site in layout.sites]
    slots = [point for n in bits(layout.slots) for point in sampled(layout.edges[n].path)]
    found = {region.id: region.marker for region in layout.regions if region.colour}
    taken = [
        box_ for region in layout.regions if region.colour for box_ in rooms(region, region.marker)
    ]
    for region in layout.regions:
        if not region.colour:
            x, y = region.marker
            near = moved((-100, -80, 100, 80), region.marker)
            hiding = [other for other in (*sites, *taken) if shared(near, other)]
            ways = [point for point in slots if holds(near, point)]
            spots = [(x + dx, y + dy) for dx, dy in steps]
            found[region.id] = min(spots, key=partial(crowding, region, hiding, ways))
            taken += rooms(region, found[region.id])
    return found


def rooms(region: Region, at: Point) -> tuple[Box, Box]:
    """What a marker there takes up, and its name below it."""
    half = name_width(region.id) / 2
    return moved(TAG_ROOM, at), moved((-half, TAG_ROOM[3], half, NAME_LOW), at)


def crowding(region: Region, hiding: list[Box], ways: list[Point], at: Point) -> float:
    """How much a marker with its name would hide there, and how far it would stick out."""
    tag, name = rooms(region, at)
    # A name has one line, a marker is known by its half: what covers a name counts more.
    hidden = sum(2 * shared(tag, other) + 3 * shared(name, other) for other in hiding)
    crossed = sum(holds(tag, point) for point in ways)
    x, y = at
    corners = [(x + dx, y + dy) for dx in (-31, 0, 31) for dy in (-12, 12)]
    out = sum(not inside(corner, region.polygon) for corner in corners)
    away = hypot(x - region.marker[0], y - region.marker[1])
    return hidden + 25 * crossed + 170 * out + away


def moved(one: Box, at: Point) -> Box:
    (x, y), (left, top, right, bottom) = at, one
    return x + left, y + top, x + right, y + bottom


def shared(one: Box, other: Box) -> float:
    """The area that two boxes share."""
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return wide * high if wide > 0 and high > 0 else 0.0


def holds(one: Box, point: Point) -> bool:
    return one[0] < point[0] < one[2] and one[1] < point[1] < one[3]


def sampled(way: tuple[Point, ...]) -> list[Point]:
    """Points along a way, some ten units apart."""
    found: list[Point] = []
    for (x1, y1), (x2, y2) in pairwise(way):
        parts = max(1, round(hypot(x2 - x1, y2 - y1) / 10))
        found += [(x1 + (x2 - x1) * n / parts, y1 + (y2 - y1) * n / parts) for n in range(parts)]
    return found


def inside(point: Point, polygon: tuple[Point, ...]) -> bool:
    """Whether a point lies in a polygon: a ray from it crosses the rim an odd number of times."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


def name_width(name: str) -> float:
    return 6.2 * len(name) + 6
