"""The pictures of boards: what changed between two of them, close-ups, and marks on their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import lru_cache
from math import dist
from typing import Any

HEART = re.compile(r'viewBox="[^"]*" data-heart="([^"]*)"')
FRAME = re.compile(r'viewBox="\S+ \S+ (\S+) ')
LETTERING = re.compile(r'data-lettering="([^"]+)"')
LEAST_LETTER = 6.5  # pixels: what a phone shows a capital of its smallest words in
TAG = re.compile(r"<(/?)\w[^>]*?(/?)>")
PLACE = re.compile(r'class="place" data-place="([^"]+)"')


# What changed between two pictures

Change = str | tuple[int, int]  # a new element, or so many of the old ones from there on


@lru_cache(maxsize=64)  # each picture is compared with the one before it and the one after
def split_picture(svg: str) -> list[str]:
    """The elements of a picture, one after the other, without the `svg` around them."""
    found, depth, start = [], 0, 0
    for tag in TAG.finditer(svg):
        if tag[1]:
            depth -= 1
        elif not tag[2]:
            depth += 1
            start = tag.end() if depth == 1 else start
        if depth == 1 and (tag[1] or tag[2]):
            found.append(svg[start : tag.end()])
            start = tag.end()
    return found


def find_changes(old: str, new: str) -> list[Change]:
    """How a page makes the new picture from the old one: most of it stays as it is."""
    before, after = split_picture(old), split_picture(new)
    changes: list[Change] = []
    for same, start, end, first, last in SequenceMatcher(None, before, after, False).get_opcodes():
        changes += [(start, end - start)] if same == "equal" else after[first:last]
    return changes


def close_up_board(svg: str) -> str:
    """The same board for where there is little room: the part that the picture calls its heart, if it does."""
    return HEART.sub(r'viewBox="\1"', svg, count=1)


OPENING = re.compile(r"<svg ")
BOX = re.compile(r'viewBox="(-?[\d.]+) (-?[\d.]+) ([\d.]+) ([\d.]+)"')


def place_picture(svg: str, x: float, y: float, width: float, height: float) -> str:
    """A picture to stand inside another one."""
    box = f'<svg x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" '
    return OPENING.sub(box, svg, count=1)


def stack_pictures(*svgs: str) -> str:
    """Pictures of one width, one below the other."""
    width, top, parts = 1000.0, 0.0, list[str]()
    for svg in svgs:
        found = BOX.search(svg)
        high = width * float(found[4]) / float(found[3]) if found else 0.0
        parts.append(place_picture(svg, 0, top, width, high))
        top += high
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {top:g}">{"".join(parts)}</svg>'


def least_width(svg: str) -> int:
    """How many pixels wide a board must be shown for its places to be read; 0 where it does not say."""
    size, frame = LETTERING.search(svg), FRAME.search(svg)
    return round(LEAST_LETTER * float(frame[1]) / float(size[1])) if size and frame else 0


def mark_places(svg: str, places: Iterable[str]) -> str:
    """The same board with the class `changed` on some of its places."""
    wanted = set(places)

    def mark(found: re.Match[str]) -> str:
        name = found[1]
        return f'class="place changed" data-place="{name}"' if name in wanted else found[0]

    return PLACE.sub(mark, svg) if wanted else svg


PLACED = re.compile(
    r'class="place" data-place="([^"]+)"[^>]*transform="translate\((-?[\d.]+) (-?[\d.]+)\)"'
)
LEAST_RING = 14.0
RING = '<circle cx="{x}" cy="{y}" r="{r:.1f}" fill="none" stroke="#c4005f" stroke-width="5"/>'


def outline_places(svg: str, places: Iterable[str]) -> str:
    """The same board with a bright ring around some of its places, for where no style sheet reaches."""
    found = {name: (float(x), float(y)) for name, x, y in PLACED.findall(svg)}
    rings = (
        RING.format(x=found[name][0], y=found[name][1], r=ring_size(found, name))
        for name in sorted(found.keys() & set(places))
    )
    return svg.removesuffix("</svg>") + "".join(rings) + "</svg>"


def ring_size(found: Mapping[str, tuple[float, float]], name: str) -> float:
    """Half the way to the nearest place."""
    others = (dist(found[name], at) for other, at in found.items() if other != name)
    return max(LEAST_RING, min(filter(None, others), default=LEAST_RING) * 0.45)


def event_words(data: Any) -> Iterable[str]:
    """Every word in an event's data; those that name a place are where something happened."""
    match data:
        case str():
            yield data
        case dict():
            for value in data.values():
                yield from event_words(value)
        case list() | tuple():
            for value in data:
                yield from event_words(value)
