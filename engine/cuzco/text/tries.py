"""An order of each verb that could be meant: what the rules say to it tells why the verb is of no use just now."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.hexes import bit, spread

if TYPE_CHECKING:
    from engine.cuzco.view import View


def tries(edition: Edition, view: View) -> dict[str, str]:
    """By verb, for whoever is asked for a turn; each as likely as the board allows."""
    if view.festival:
        return {}
    layout = edition.layout
    tiles = {hex_ for _, *hexes in view.tiles for hex_ in hexes}
    lying = tiles | view.temples.keys() | set(view.basins)
    inside = layout.named(layout.site & ~layout.border)
    empty = next((name for name in inside if name not in lying), inside[0])
    incas = set(chain.from_iterable(view.incas))
    free = sorted(tiles - incas - view.temples.keys()) or [empty]
    here, *_ = (*view.incas[view.seat or 0], free[0])
    around = layout.hexes & spread(bit(layout.index[here]))
    beside = [hex_ for hex_ in layout.named(around) if hex_ in free]
    tops = {hex_: kind for tile, *hexes in view.tiles for hex_, kind in faces(tile, hexes)}
    villages = [hex_ for hex_ in free if tops.get(hex_) == "village"]
    doors = [name for name in free if layout.index[name] in layout.entry]
    value, temple = min(((t.value, at) for at, t in view.temples.items()), default=(2, empty))
    card = next(iter(view.hand or edition.cards))
    crop = edition.words["crop"]
    return {
        "place triple": f"place triple {' '.join(spot(edition, 'triple', lying))}",
        "place double": f"place double {' '.join(spot(edition, 'double', lying))}",
        "place village": f"place village {empty}",
        f"place {crop}": f"place {crop} {empty}",
        "enter": f"enter {[*doors, *layout.named(layout.border)][0]}",
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


def faces(tile: str, hexes: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What a tile shows on each of its hexes."""
    village, *crops = hexes
    yield village, "crop" if tile == "crop" else "village"
    yield from ((hex_, "crop") for hex_ in crops)


def spot(edition: Edition, tile: str, lying: Collection[str]) -> tuple[str, ...]:
    """Where such a tile lies on bare hexes, or anywhere."""
    ways = [names for (kind, names) in edition.layout.placements if kind == tile]
    return next((names for names in ways if not set(names) & set(lying)), ways[0])
