"""The verbs as tools for a page: what their buttons show, and what is seen before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Ghost, Tool
from engine.core.sentence import say
from engine.tahuantinsuyu.picture import glyphs
from engine.tahuantinsuyu.picture.glyphs import building, path, piece, placed

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
ROAD = path("way", "M-22 14C-8 12 4-10 22-14")
WILD = ROAD + path("way", "M0-16V0M-8-8H8")
END = path("flagpole", "M-10 20V-20") + path("flagcloth", "M-10-20 16-12-10-3z")
STEPS = path("terrace", "M-14 12h9V3h9v-9h9")
LINE = (Ghost(spans=True), Ghost())


def tools(view: View) -> dict[str, Tool]:
    """By verb; pieces are in the viewer's colour."""
    seat = view.seat or 0
    own = piece(seat, view.colours[seat])
    city, garrison = building("city", False, 0), building("garrison", False, 0)
    temple = building("city", True, 0)
    return {
        "sun": Tool(say("Sun card"), placed(0, 0, 2, glyphs.SUN)),
        "road": Tool(say("Road"), ROAD, LINE),
        "wild": Tool(say("Wild road"), WILD, LINE),
        "city": Tool(say("City"), city, (Ghost(city),)),
        "temple": Tool(say("Temple"), temple, (Ghost(temple),)),
        "garrison": Tool(say("Garrison"), garrison, (Ghost(garrison),)),
        "upgrade": Tool(say("Upgrade"), garrison + placed(12, -12, 0.6, city), (Ghost(city),)),
        "terrace": Tool(say("Terrace"), STEPS, (Ghost(STEPS),)),
        "conquer": Tool(say("Conquer"), own, (Ghost(own),)),
        "buy road": Tool(say("Buy a road"), ROAD, LINE),
        "buy wild": Tool(say("Buy a wild road"), WILD, LINE),
        "pilgrimage": Tool(say("Pilgrimage"), glyphs.PENNANT),
        "end": Tool(say("End turn"), END, closes=True),
    }
