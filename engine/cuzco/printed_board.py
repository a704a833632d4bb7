"""The printed board: its hexes, what surrounds them, and every place where a tile could ever lie."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import combinations
from typing import Any

from engine.cuzco.actions import MoveInca, PlaceTile
from engine.cuzco.hexes import (
    EAST,
    SIZE,
    SOUTH_EAST,
    SOUTH_WEST,
    bit,
    bits,
    place_at,
    spread,
)
from engine.kit.masks import union

MOST_SEATS = 4
FIRST_COLUMN = 6  # where column 0 stands in the text of the map


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """One way to lay one tile; there is one object for each, so they compare by identity. `actions` holds the ready-made wish of each seat."""

    tile: str
    hexes: tuple[int, ...]  # the village hex first
    names: tuple[str, ...]  # of these hexes
    mask: int
    village: int  # the part that becomes village, as a mask
    actions: tuple[PlaceTile, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Shape:
    """A form of tile in one direction: its hexes lie at `offsets` from an anchor hex."""

    offsets: tuple[int, ...]
    anchors: int  # anchors from which the tile lies on the board and covers a site hex (C-P8)
    table: tuple[tuple[Placement, ...], ...]  # by anchor, the last first; see hexes.flags

    def level(self, plane: int) -> int:
        """The anchors from which every hex is in `plane`."""
        anchors = self.anchors
        for offset in self.offsets:
            anchors &= plane >> offset
        return anchors

    def touching(self, mask: int) -> int:
        """The anchors from which a hex or more is in `mask`."""
        return union(mask >> offset for offset in self.offsets)

    def twice(self, mask: int) -> int:
        """The anchors from which two hexes or more are in `mask`."""
        found = 0
        for one, other in combinations(self.offsets, 2):
            found |= mask >> one & mask >> other
        return found


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A board. Masks name sets of hexes; `shapes` lists the forms of each kind of tile."""

    names: tuple[str, ...]  # by place; "" where there is no hex
    index: dict[str, int]
    hexes: int
    site: int
    ring: int
    mountain: int
    forest: int
    printed: int  # the printed basins
    border: int
    doors: dict[int, int]  # where Incas come and go, by what it costs there (C-M1)
    shapes: dict[str, tuple[Shape, ...]] = field(default_factory=dict, repr=False)
    placements: dict[tuple[str, tuple[str, ...]], Placement] = field(
        default_factory=dict, repr=False
    )
    covers: dict[int, list[Shape]] = field(
        default_factory=dict
    )  # shapes by the hexes they can cover

    @property
    def entry(self) -> dict[int, int]:
        """What it costs to come and go, by place."""
        return {place: cost for cost, gates in self.doors.items() for place in bits(gates)}

    def pick(self, action: type, seat: int, mask: int) -> list[Any]:
        """The ready-made actions of that kind at the hexes of `mask`."""
        actions = row(self, action, seat)
        return [actions[place] for place in bits(mask)]

    def pick_moves(self, seat: int, origin: int, mask: int) -> list[MoveInca]:
        """The ready-made moves from `origin` to the hexes of `mask`."""
        moves = move_row(self, seat, origin)
        return [moves[place] for place in bits(mask)]

    def named(self, mask: int) -> tuple[str, ...]:
        """The names of the hexes in `mask`, sorted as plain text."""
        return tuple(sorted(self.names[place] for place in bits(mask)))

    def mask(self, names: Any) -> int:
        """The hexes of these names."""
        found = 0
        for name in names:
            found |= bit(self.index[name])
        return found


@cache
def row(layout: Layout, action: type, seat: int) -> list[Any]:
    """One action for every hex, by place."""
    return [action(seat, name) if name else None for name in layout.names]


@cache
def move_row(layout: Layout, seat: int, origin: int) -> list[Any]:
    here = layout.names[origin]
    return [MoveInca(seat, here, name) if name else None for name in layout.names]


@cache
def site() -> Layout:
    """The board of Cuzco and Java, read from its data file."""
    return read(files("engine.cuzco").joinpath("site.txt").read_text(encoding="utf-8"))


def read(text: str) -> Layout:
    """A board from its picture in letters: H mountain, L forest, I printed basin, a dot any other hex."""
    marks = dict.fromkeys("HLI.", 0)
    names = [""] * SIZE
    rows = [line for line in text.splitlines() if line[:1].isalpha()]
    for row, line in enumerate(rows):
        for column, mark in enumerate(line[FIRST_COLUMN:]):
            if mark in marks:
                place = place_at(row, column)
                marks[mark] |= bit(place)
                names[place] = f"{line[0]}{column}"
    return assemble(tuple(names), marks)


def assemble(names: tuple[str, ...], marks: dict[str, int]) -> Layout:
    site_hexes, mountain, forest = marks["I"] | marks["."], marks["H"], marks["L"]
    border = spread(mountain | forest) & site_hexes
    gates = border | mountain | forest
    cheap = (spread(forest) & border) | forest
    layout = Layout(
        names=names,
        index={name: place for place, name in enumerate(names) if name},
        hexes=site_hexes | mountain | forest,
        site=site_hexes,
        ring=mountain | forest,
        mountain=mountain,
        forest=forest,
        printed=marks["I"],
        border=border,
        doors={1: cheap, 2: gates & ~cheap},
    )
    for tile, forms in FORMS.items():
        layout.shapes[tile] = tuple(shape(layout, tile, offsets) for offsets in forms)
        for form in layout.shapes[tile]:
            for ways_there in filter(None, form.table):
                layout.covers.setdefault(ways_there[0].mask, []).append(form)
    return layout


TRIANGLES = ((0, EAST, SOUTH_EAST), (0, SOUTH_WEST, SOUTH_EAST))
PAIRS = ((0, EAST), (0, SOUTH_WEST), (0, SOUTH_EAST))
FORMS: dict[str, tuple[tuple[int, ...], ...]] = {
    "triple": TRIANGLES,
    "double": PAIRS,
    "village": ((0,),),
    "crop": ((0,),),
}


def shape(layout: Layout, tile: str, offsets: tuple[int, ...]) -> Shape:
    anchors, outside = layout.hexes, layout.ring
    for offset in offsets:
        anchors &= layout.hexes >> offset
        outside &= layout.ring >> offset
    anchors &= ~outside
    table: list[tuple[Placement, ...]] = [()] * SIZE
    for anchor in bits(anchors):
        table[anchor] = tuple(ways(layout, tile, [anchor + o for o in offsets]))
    return Shape(offsets, anchors, tuple(reversed(table)))


def ways(layout: Layout, tile: str, hexes: list[int]) -> list[Placement]:
    """A tile on these hexes, once for every hex that its village may lie on."""
    found = []
    for village in hexes:
        rest = sorted((h for h in hexes if h != village), key=lambda h: layout.names[h])
        at = (village, *rest)
        names = tuple(layout.names[h] for h in at)
        actions = tuple(PlaceTile(seat, tile, names) for seat in range(MOST_SEATS))
        mask = sum(bit(h) for h in hexes)
        way = Placement(tile, at, names, mask, 0 if tile == "crop" else bit(village), actions)
        layout.placements[tile, names] = way
        found.append(way)
    return found
