"""The land as a view shows it: heights, top tiles, and who stands highest where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.cuzco.hexes import bit, flood
from engine.cuzco.printed_board import Layout

if TYPE_CHECKING:
    from engine.cuzco.view import View


@dataclass(frozen=True, slots=True)
class Terrain:
    """Covered hexes by place: their level and the number of the tile on top; villages as a mask."""

    layout: Layout
    levels: dict[int, int]
    tops: dict[int, int]
    villages: int
    seats: dict[int, int]  # whose Inca stands there

    def kind(self, place: int) -> str:
        return "village" if self.villages >> place & 1 else "crop"

    def city(self, temple: str) -> int:
        """The hexes of the city around a temple, as a mask."""
        return flood(bit(self.layout.index[temple]), self.villages)

    def highest(self, area: int) -> tuple[int, ...]:
        """The seats in the highest position there (C-T2): one leads, more are tied, none is nobody."""
        heights: dict[int, list[int]] = {}
        for place, seat in self.seats.items():
            if area >> place & 1:
                heights.setdefault(seat, []).append(self.levels[place])
        best = max((sorted(found, reverse=True) for found in heights.values()), default=[])
        return tuple(s for s in sorted(heights) if sorted(heights[s], reverse=True) == best)


def survey(layout: Layout, view: View) -> Terrain:
    """The land after all the view's tiles were laid."""
    levels: dict[int, int] = {}
    tops: dict[int, int] = {}
    villages = 0
    for number, (kind, *hexes) in enumerate(view.tiles):
        for order, name in enumerate(hexes):
            place = layout.index[name]
            levels[place] = levels.get(place, 0) + 1
            tops[place] = number
            is_village = order == 0 and kind != "crop"
            villages = villages | bit(place) if is_village else villages & ~bit(place)
    seats = {layout.index[name]: seat for seat, names in enumerate(view.incas) for name in names}
    return Terrain(layout, levels, tops, villages, seats)
