"""Tables beside the board: every city and every pond, who leads there, and what it would pay now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Ledger
from engine.core.sentence import Seat, Sentence, listed, say
from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.hexes import bit, bits, flood, spread
from engine.cuzco.picture.terrain import Terrain, survey
from engine.cuzco.scoring import POND_POINTS

if TYPE_CHECKING:
    from engine.cuzco.view import View
Row = tuple[Sentence | str, ...]


def ledgers(edition: Edition, view: View) -> list[Ledger]:
    """Cities first, then ponds; nothing of either is left out."""
    land = survey(edition.layout, view)
    found = [
        Ledger(say("Cities"), CITY, tuple(city(view, land, at) for at in view.temples)),
        Ledger(say("Ponds"), POND, tuple(pond(land, mask) for mask in ponds(view, land))),
    ]
    return [ledger for ledger in found if ledger.rows]


CITY = (say("Place"), say("Size"), say("Value"), say("Highest"), say("Could grow"))
POND = (say("Place"), say("Size"), say("Highest"), say("Pays"))


def city(view: View, land: Terrain, at: str) -> Row:
    """One city: the value that its temple has, and the one that its size allows."""
    area = land.city(at)
    size, value = area.bit_count(), view.temples[at].value
    most = max((v for v in VALUES if v <= size), default=value)
    grows = say("to {value} (+{points})", value=most, points=most // 2) if most > value else "–"
    return at, str(size), str(value), leader(land, area), grows


def pond(land: Terrain, mask: int) -> Row:
    """One pond: what closing it pays, or that it is closed."""
    names = land.layout.names
    shore = spread(mask) & ~mask & land.layout.hexes
    covered = all(place in land.levels for place in bits(shore))
    pays = say("closed") if covered else say("{points} PP", points=POND_POINTS * mask.bit_count())
    return names[min(bits(mask))], str(mask.bit_count()), leader(land, shore), pays


def ponds(view: View, land: Terrain) -> list[int]:
    """Basins that touch each other are one pond."""
    water = sum(bit(land.layout.index[name]) for name in view.basins)
    found = []
    while water:
        one = flood(water & -water, water)
        found.append(one)
        water &= ~one
    return found


def leader(land: Terrain, area: int) -> Sentence | str:
    best = land.highest(area)
    if not best:
        return "–"
    return listed(say("{seat}", seat=Seat(seat)) for seat in best)
