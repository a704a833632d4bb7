"""Where on the board there is room: each marker with its name hides as little as can be.

Looking for it takes a second, so what was found lies beside as data (`room.json`); a test looks again.
"""

from __future__ import annotations

import json
from functools import cache, partial
from importlib.resources import files
from itertools import pairwise
from math import hypot
from typing import Any

from engine.kit.masks import bits
from engine.tahuantinsuyu.picture.lettering import width_of
from engine.tahuantinsuyu.printed_board import Board, Point, Region, Site

Box = tuple[float, float, float, float]  # left, top, right, bottom


# What a site takes up with what may be built on it; its id stands below.
SITE_ROOM: dict[str, Box] = {
    "huaca": (-10, -10, 10, 10),
    "garrison": (-22, -32, 22, 24),
    "city": (-22, -32, 22, 22),
    "cuzco": (-42, -36, 42, 36),
}
TAG_ROOM: Box = (-50, -19, 50, 19)
SUYU_ROOM: Box = (-27, -27, 27, 25)
LINE = 26.0  # how high a line of letters is with its ground


@cache
def roomy(layout: Board) -> dict[str, Point]:
    """Where the marker of each region stands."""
    return {region: (x, y) for region, (x, y) in known(layout)["markers"].items()}


@cache
def peaks(layout: Board) -> tuple[tuple[int, int], ...]:
    """Where mountains stand."""
    return tuple((x, y) for x, y in known(layout)["peaks"])


def known(layout: Board) -> dict[str, Any]:
    """What was found for this board."""
    text = files("engine.tahuantinsuyu.picture").joinpath("room.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)[f"{layout.players} players, edition {layout.edition}"]
    return found


# Looking for it


def find_markers(layout: Board) -> dict[str, Point]:
    """Where the marker of each region hides as little as can be of sites, slots and borders; suyus come first."""
    steps = [(dx, dy) for dx in range(-64, 65, 8) for dy in range(-80, 81, 8)]
    taken = [box_ for site in layout.sites for box_ in site_rooms(site)]
    slots = [point for n in bits(layout.slots) for point in sampled(layout.edges[n].path)]
    found: dict[str, Point] = {}
    for region in sorted(layout.regions, key=lambda region: region.colour is None):
        x, y = region.marker
        near = moved((-150, -150, 150, 150), region.marker)
        hiding = [other for other in taken if shared(near, other)]
        ways = [point for point in slots if holds(near, point)]
        spots = [(x + dx, y + dy) for dx, dy in steps]
        whole = [spot for spot in spots if shown(layout, region, spot)] or spots
        found[region.id] = min(whole, key=partial(crowding, region, hiding, ways))
        taken += rooms(region, found[region.id])
    return found


def shown(layout: Board, region: Region, at: Point) -> bool:
    """Whether a marker there lies on its region, and nothing of it or its name is cut off by the rim of the picture."""
    width, height = layout.canvas
    return inside(at, region.polygon) and all(
        left >= RIM and top >= RIM and right <= width - RIM and bottom <= height - RIM
        for left, top, right, bottom in rooms(region, at)
    )


RIM = 3


def rooms(region: Region, at: Point) -> tuple[Box, Box]:
    """What a marker there takes up, and its name below it."""
    half, tag = name_width(region.id) / 2, SUYU_ROOM if region.colour else TAG_ROOM
    return moved(tag, at), moved((-half, tag[3], half, tag[3] + LINE), at)


def site_rooms(site: Site) -> tuple[Box, Box]:
    """What a site takes up, and its id below it."""
    half = name_width(site.id) / 2
    top = DROP.get(site.kind, 0)
    return moved(SITE_ROOM[site.kind], site.at), moved((-half, top, half, top + LINE), site.at)


DROP = {"huaca": 9, "city": 19, "garrison": 20}  # how far below a site its id begins


def crowding(region: Region, hiding: list[Box], ways: list[Point], at: Point) -> float:
    """How much a marker with its name would hide there, and how far it would stick out."""
    tag, name = rooms(region, at)
    # A name has one line and is lost sooner than a marker: what covers it counts more.
    hidden = sum(4 * shared(tag, other) + 5 * shared(name, other) for other in hiding)
    crossed = sum(holds(tag, point) for point in ways)
    x, y = at
    corners = [(x + dx, y + dy) for dx in (-48, 0, 48) for dy in (-18, 18)]
    out = sum(not inside(corner, region.polygon) for corner in corners)
    away = hypot(x - region.marker[0], y - region.marker[1])
    return hidden + 20 * crossed + 200 * out + away


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
    return width_of(name) + 8


# The relief


PEAK: Box = (-20, -6, 22, 30)  # what a mountain takes up, from its top
APART = 36  # how far the tops of mountains are tried apart


def find_peaks(layout: Board, markers: dict[str, Point]) -> tuple[tuple[int, int], ...]:
    """Where mountains can stand: on land, off borders, roads, sites and markers."""
    boxes = [box_ for site in layout.sites for box_ in site_rooms(site)]
    for region in layout.regions:
        boxes += rooms(region, markers[region.id])
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
