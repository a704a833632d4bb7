"""The signs of the hall with their names: cells, what is printed on lozenges, and what stands there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Symbol
from engine.core.sentence import Sentence, say
from engine.inka.picture import glyphs
from engine.inka.picture.render import KINDS, printed, statue_spot
from engine.inka.printed_board import DESTINATIONS, LOZENGES

if TYPE_CHECKING:
    from engine.inka.view import View
CELL = "-48 -48 96 96"
LYING = "-75 -75 150 150"
AT = (0.0, 0.0)


def symbols(view: View) -> list[Symbol]:
    """Every kind of cell, every mark of a lozenge, and the wooden pieces."""
    cells = [
        Symbol(name, printed(view.board, view.board.kinds.index(kind)), CELL)
        for kind, name in KINDS.items()
    ]
    return [*cells, *marks(), *standing(view)]


def marks() -> list[Symbol]:
    """What is printed on path lozenges: each on the first one that bears it alone."""
    return [
        lying(say("lozenge"), first(walls=False, snakes=False)),
        lying(say("wall"), first(walls=True, snakes=False)),
        lying(say("snake"), first(walls=False, snakes=True)),
    ]


def first(*, walls: bool, snakes: bool) -> str:
    paths = (id_ for id_ in LOZENGES if id_ not in DESTINATIONS)
    return next(
        id_
        for id_ in paths
        if (bool(LOZENGES[id_].walls), bool(LOZENGES[id_].snakes)) == (walls, snakes)
    )


def lying(name: Sentence, id_: str, above: str = "") -> Symbol:
    return Symbol(name, glyphs.lozenge(id_) + above, LYING)


def standing(view: View) -> list[Symbol]:
    golden = min(DESTINATIONS)
    statues = "".join(
        glyphs.statue(seat, statue_spot(seat, view.seats, 0)) for seat in range(view.seats)
    )
    return [
        lying(say("golden lozenge with a statue of each colour"), golden, statues),
        Symbol(say("pawn"), glyphs.pawn(0, AT)),
        Symbol(say("blockade"), glyphs.standing(glyphs.blockade(0), AT, 1)),
    ]
