"""The printed board as it is drawn: the land alone, as wide as the sheet and as high as a page has room for."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from engine.tahuantinsuyu.printed_board import Board, Edge, Point, Region, Site

MARGIN = 24  # between the land and the rim of the picture
HIGH = 1180  # how high the picture is; the land is stretched, so that names find room between its roads


@cache
def stretched(layout: Board) -> Board:
    """The same board with its land moved to the rim and stretched."""
    left, right = min(x for x, _ in layout.land), max(x for x, _ in layout.land)
    top, bottom = min(y for _, y in layout.land), max(y for _, y in layout.land)
    times = (HIGH - 2 * MARGIN) / (bottom - top)

    def at(point: Point) -> Point:
        return round(point[0] - left + MARGIN, 1), round((point[1] - top) * times + MARGIN, 1)

    def way(points: tuple[Point, ...]) -> tuple[Point, ...]:
        return tuple(map(at, points))

    def site(one: Site) -> Site:
        return replace(one, at=at(one.at))

    def region(one: Region) -> Region:
        return replace(one, polygon=way(one.polygon), marker=at(one.marker))

    def edge(one: Edge) -> Edge:
        return replace(one, path=way(one.path))

    return replace(
        layout,
        canvas=(round(right - left) + 2 * MARGIN, HIGH),
        land=way(layout.land),
        sites=tuple(map(site, layout.sites)),
        regions=tuple(map(region, layout.regions)),
        edges=tuple(map(edge, layout.edges)),
    )
