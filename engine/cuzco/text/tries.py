"""An order of each verb that could be meant: what the rules say to it tells why the verb is of no use just now."""

from __future__ import annotations

from functools import cache
from itertools import chain
from typing import TYPE_CHECKING

from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.hexes import bit, spread
from engine.cuzco.printed_board import Layout

if TYPE_CHECKING:
    from engine.cuzco.view import View


def tries(edition: Edition, view: View) -> dict[str, str]:
    """By verb, for whoever is asked for a turn; each as likely as the board allows."""
    if view.festival:
        return {}
    layout = edition.layout
    tiles = {hex_ for _, *hexes in view.tiles for hex_ in hexes}
    lying = tiles | view.temples.keys() | set(view.basins)
    within, gates = inside(layout), doors(layout)
    empty = next((name for name in within if name not in lying), within[0])
    incas = set(chain.from_iterable(view.incas))
    free = sorted(tiles - incas - view.temples.keys()) or [empty]
    here, *_ = (*view.incas[view.seat or 0], free[0])
    around = layout.hexes & spread(bit(layout.index[here]))
    beside = [hex_ for hex_ in layout.named(around) if hex_ in free]
    tops = {  # the last tile on a hex is what it shows
        hex_: not number and kind != "crop"
        for kind, *hexes in view.tiles
        for number, hex_ in enumerate(hexes)
    }
    villages = [hex_ for hex_ in free if tops.get(hex_)]
    value, temple = min(((t.value, at) for at, t in view.temples.items()), default=(2, empty))
    card = next(iter(view.hand or edition.cards))
    crop = edition.words["crop"]
    return {
        "place triple": f"place triple {' '.join(spot(layout, 'triple', lying))}",
        "place double": f"place double {' '.join(spot(layout, 'double', lying))}",
        "place village": f"place village {empty}",
        f"place {crop}": f"place {crop} {empty}",
        "enter": f"enter {next((at for at in free if at in gates), gates[0])}",
        "move": f"move {here} {[*beside, *free][0]}",
        "leave": f"leave {here}",
        "build": f"build {[*villages, empty][0]} 2",
        "expand": f"expand {temple} {min(value + 2, VALUES[-1])}",
        "basin": f"basin {empty}",
        "draw open": "draw open",
        "draw pile": "draw pile",
        "token": "token",
        "festival": f"festival {temple} {card}",
        "end": "end",
    }


@cache
def inside(layout: Layout) -> tuple[str, ...]:
    return layout.named(layout.site & ~layout.border)


@cache
def doors(layout: Layout) -> tuple[str, ...]:
    return layout.named(layout.border | layout.ring)


def spot(layout: Layout, tile: str, lying: set[str]) -> tuple[str, ...]:
    """Where such a tile lies on bare hexes, or anywhere."""
    ways = placements(layout, tile)
    return next((names for names in ways if lying.isdisjoint(names)), ways[0])


@cache
def placements(layout: Layout, tile: str) -> list[tuple[str, ...]]:
    return [names for kind, names in layout.placements if kind == tile]
