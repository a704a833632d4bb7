"""The signs of the land with their names: sites, what is built on them, roads and culture markers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Symbol
from engine.core.sentence import say
from engine.tahuantinsuyu.picture import glyphs
from engine.tahuantinsuyu.picture.glyphs import path, ring
from engine.tahuantinsuyu.picture.render import BUILT, KINDS, network
from engine.tahuantinsuyu.text.names import MARKERS

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
BONUS = 2
WIDE = "-66 -66 132 132"
WAY = "M-30 11C-12 8 12-8 30-11"


def symbols(view: View) -> list[Symbol]:
    """All that is printed, built and laid there."""
    return [*sites(), *buildings(), *ways(view), *markers(view)]


def sites() -> list[Symbol]:
    renowned = say("renowned city site, temple bonus {bonus}", bonus=BONUS)
    return [
        Symbol(KINDS["cuzco"], glyphs.CUZCO, "-46 -46 92 92"),
        Symbol(KINDS["huaca"], glyphs.HUACA),
        Symbol(KINDS["city"], glyphs.city_site(0)),
        Symbol(renowned, glyphs.city_site(BONUS)),
        Symbol(KINDS["garrison"], glyphs.FORT_SITE),
        Symbol(say("where a pilgrimage leads"), glyphs.HUACA + glyphs.PENNANT),
    ]


def buildings() -> list[Symbol]:
    return [
        Symbol(name, glyphs.building(kind, temple, 0)) for (kind, temple), name in BUILT.items()
    ]


def ways(view: View) -> list[Symbol]:
    colour = view.colours[0]
    return [
        Symbol(say("slot for a road"), path("bed", WAY) + path("slot", WAY)),
        Symbol(say("Road"), network(colour, joined=True, ways=WAY)),
        Symbol(say("road that is cut off"), network(colour, joined=False, ways=WAY)),
    ]


def markers(view: View) -> list[Symbol]:
    """Each kind of culture marker, and what becomes of one."""
    kinds = list(view.board.markers.values())
    first, colour = kinds[0], view.colours[0]
    dot = path("gold", ring(-58, 0, 6))
    faces = [
        Symbol(
            say(
                "{kind}: labour {labour}, resistance {resistance}, {points} VP",
                kind=MARKERS[one.type],
                labour=one.labour,
                resistance=one.resistance,
                points=one.points,
            ),
            glyphs.values(one.labour, one.resistance, one.points),
            WIDE,
        )
        for one in kinds
    ]
    richest = max(range(len(faces)), key=lambda number: kinds[number].labour)
    return [
        Symbol(say("culture marker, face down"), glyphs.FACE_DOWN),
        *faces,
        Symbol(say("Gift of the gods"), faces[richest].svg + dot, WIDE),
        Symbol(say("conquered region"), glyphs.taken(first.labour, 0, colour, terrace=False), WIDE),
        Symbol(
            say("conquered region with a terrace"),
            glyphs.taken(first.labour, 0, colour, terrace=True),
            WIDE,
        ),
    ]
