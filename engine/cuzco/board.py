"""What lies on the board: tiles, basins and temples, and what follows from where they lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

from engine.core.game import amend
from engine.cuzco.hexes import bit, flood, shores, spread
from engine.cuzco.printed_board import Layout, Placement, Shape


@dataclass(frozen=True, slots=True)
class Temple:
    value: int
    disc: bool = False


@dataclass(frozen=True)
class Board:
    """Frozen; what is derived is computed once. `planes[k]` are the hexes at level k, 0 the bare ones."""

    layout: Layout
    tiles: tuple[Placement, ...]  # in laying order
    planes: tuple[int, ...]
    villages: int
    crops: int
    basins: int
    temples: dict[int, Temple]

    @classmethod
    def bare(cls, layout: Layout) -> Board:
        return cls(layout, (), (layout.hexes,), 0, 0, layout.printed, {})

    # What changes it

    def with_tile(self, placement: Placement) -> Board:
        mask, village = placement.mask, placement.village
        planes, level = list(self.planes), self.level(placement.hexes[0])
        planes[level] &= ~mask
        if level + 1 == len(planes):
            planes.append(0)
        planes[level + 1] |= mask
        return amend(
            self,
            tiles=(*self.tiles, placement),
            planes=tuple(planes),
            villages=self.villages & ~mask | village,
            crops=self.crops & ~mask | mask & ~village,
        )

    def with_basin(self, hex_: int) -> Board:
        return amend(self, basins=self.basins | bit(hex_))

    def with_temple(self, hex_: int, temple: Temple) -> Board:
        return amend(self, temples={**self.temples, hex_: temple})

    def with_disc(self, hex_: int) -> Board:
        return self.with_temple(hex_, replace(self.temples[hex_], disc=True))

    # What follows from it

    @property
    def terrain(self) -> int:
        return self.villages | self.crops

    @property
    def basin_room(self) -> int:
        """The bare hexes of the site off its border (C-B1)."""
        return self.planes[0] & self.layout.site & ~self.layout.border & ~self.basins

    @cached_property
    def temple_hexes(self) -> int:
        return sum(map(bit, self.temples))

    @cached_property
    def cities(self) -> dict[int, int]:
        """The hexes of every city by the hex of its temple."""
        return {hex_: flood(bit(hex_), self.villages) for hex_ in self.temples}

    @cached_property
    def joints(self) -> int:
        """The hexes without village that touch two cities or more: a village there may join them."""
        once = twice = 0
        for city in self.cities.values():
            beside = spread(city)
            twice |= once & beside
            once |= beside
        return twice & ~self.villages

    @cached_property
    def ponds(self) -> list[int]:
        return [pond for pond, _ in shores(self.basins)]

    @cached_property
    def surrounded(self) -> frozenset[int]:
        """The ponds with terrain all around (C-B2)."""
        dry = ~self.terrain
        return frozenset(pond for pond, shore in shores(self.basins) if not shore & dry)

    @cached_property
    def whole(self) -> set[int]:
        """The tiles of which no hex was covered again."""
        covered = 0
        found: set[int] = set()
        for placement in reversed(self.tiles):
            if not placement.mask & covered:
                found.add(placement.mask)
            covered |= placement.mask
        return found

    @cached_property
    def stacked(self) -> dict[Shape, int]:
        """The anchors where a tile of that shape would lie exactly on its like (C-P5)."""
        found: dict[Shape, int] = {}
        for mask in self.whole:
            for shape in self.layout.covers[mask]:
                found[shape] = found.get(shape, 0) | (mask & -mask)
        return found

    def village_of(self, hex_: int) -> int:
        """The connected village hexes around `hex_`."""
        return flood(bit(hex_), self.villages)

    def temple_in(self, group: int) -> int | None:
        """The hex of the temple in a group of village hexes."""
        inside = group & self.temple_hexes
        return inside.bit_length() - 1 if inside else None

    def level(self, hex_: int) -> int:
        level = 0
        while not self.planes[level] >> hex_ & 1:
            level += 1
        return level

    def heights(self, incas: int) -> tuple[int, ...]:
        """How many of these Incas stand at each level, the highest first.

        Comparing two of these is comparing the Incas' levels one by one from the top (C-T2).
        """
        return tuple([(plane & incas).bit_count() for plane in self.planes[:0:-1]])

    def joins_cities(self, placement: Placement) -> bool:
        """Whether that tile would leave two temples in one city (C-P6), judged after laying."""
        crops = placement.mask & ~placement.village
        villages = (self.villages | placement.village) & ~crops
        return (flood(placement.village, villages) & self.temple_hexes).bit_count() > 1
