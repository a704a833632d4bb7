"""Where on the board there is room: each marker with its name hides as little as can be."""

from __future__ import annotations

from functools import cache, partial
from itertools import pairwise
from math import hypot

from engine.tahuantinsuyu.printed_board import Board, Point, Region, Site, bits

Box = tuple[float, float, float, float]  # left, top, right, bottom


# What a site takes up with what may be built on it; its id stands below.
SITE_ROOM: dict[str, Box] = {
    "huaca": (-8, -8, 8, 8),
    "garrison": (-16, -21, 16, 15),
    "city": (-16, -24, 16, 15),
    "cuzco": (-20, -20, 20, 20),
}
TAG_ROOM: Box = (-36, -13, 38, 13)
LETTER = (8.6, 10.0)  # how wide and how high a letter of size 1 is


@cache
def roomy(layout: Board) -> dict[str, Point]:
    """Where the marker of each region hides as little as can be of sites, slots and borders."""
    steps = [(dx, dy) for dx in range(-48, 49, 8) for dy in range(-40, 41, 8)]
    sites = [box_ for site in layout.sites for box_ in site_rooms(layout, site)]
    slots = [point for n in bits(layout.slots) for point in sampled(layout.edges[n].path)]
    found = {region.id: region.marker for region in layout.regions if region.colour}
    taken = [
        box_
        for region in layout.regions
        if region.colour
        for box_ in rooms(layout, region, region.marker)
    ]
    for region in layout.regions:
        if not region.colour:
            x, y = region.marker
            near = moved((-100, -80, 100, 80), region.marker)
            hiding = [other for other in (*sites, *taken) if shared(near, other)]
            ways = [point for point in slots if holds(near, point)]
            spots = [(x + dx, y + dy) for dx, dy in steps]
            found[region.id] = min(spots, key=partial(crowding, layout, region, hiding, ways))
            taken += rooms(layout, region, found[region.id])
    return found


def rooms(layout: Board, region: Region, at: Point) -> tuple[Box, Box]:
    """What a marker there takes up, and its name below it."""
    half, low = name_width(layout, region.id) / 2, TAG_ROOM[3] + name_height(layout)
    return moved(TAG_ROOM, at), moved((-half, TAG_ROOM[3], half, low), at)


def site_rooms(layout: Board, site: Site) -> tuple[Box, Box]:
    """What a site takes up, and its id below it."""
    wide, high = id_room(layout, site.id)
    x, y = id_at(layout, site)
    label = (x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)
    return moved(SITE_ROOM[site.kind], site.at), label


def id_room(layout: Board, name: str) -> tuple[float, float]:
    """How wide and how high the id of a site is written."""
    size = layout.lettering[0]
    return LETTER[0] * size * (len(name) - 1) + 2, LETTER[1] * size + 3


def id_at(layout: Board, site: Site) -> Point:
    """Where the id of a site stands: below it."""
    half = id_room(layout, site.id)[1] / 2
    return site.at[0], site.at[1] + DROP.get(site.kind, 0) + half


DROP = {"huaca": 8, "city": 15, "garrison": 15}  # how far below a site its id begins


def crowding(
    layout: Board, region: Region, hiding: list[Box], ways: list[Point], at: Point
) -> float:
    """How much a marker with its name would hide there, and how far it would stick out."""
    tag, name = rooms(layout, region, at)
    # A name has one line, a marker is known by its half: what covers a name counts more.
    hidden = sum(2 * shared(tag, other) + 5 * shared(name, other) for other in hiding)
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


def name_width(layout: Board, name: str) -> float:
    return LETTER[0] * layout.lettering[1] * len(name) + 4


def name_height(layout: Board) -> float:
    return LETTER[1] * layout.lettering[1] + 5


# The relief


PEAK: Box = (-13, -4, 15, 18)  # what a mountain takes up, from its top
APART = 23  # how far the tops of mountains are tried apart


@cache
def peaks(layout: Board) -> tuple[tuple[int, int], ...]:
    """Where mountains stand: on land, off borders, roads, sites and markers."""
    boxes = [box_ for site in layout.sites for box_ in site_rooms(layout, site)]
    for region in layout.regions:
        boxes += rooms(layout, region, roomy(layout)[region.id])
    ways = [point for n in bits(layout.slots) for point in sampled(layout.edges[n].path)]
    ways += [point for region in layout.regions for point in sampled(region.polygon)]
    width, height = layout.canvas
    tops = [
        (x + APART // 2 * (y // APART % 2), y)
        for y in range(APART, height, APART)
        for x in range(APART, width, APART + 9)
    ]
    lands = [region for region in layout.regions if not region.colour]
    return tuple(
        top
        for top in tops
        if any(inside(top, region.polygon) for region in lands)
        and not any(shared(moved(PEAK, top), other) for other in boxes)
        and not any(holds(moved(PEAK, top), point) for point in ways)
    )
