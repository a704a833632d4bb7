"""The verbs as tools for a page: what their buttons show, and what is seen before it is done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Ghost, Tool
from engine.core.sentence import say
from engine.inka.picture import glyphs
from engine.inka.printed_board import LOZENGES
from engine.kit.pieces import piece

if TYPE_CHECKING:
    from engine.inka.view import View
ARROW = '<path class="way" d="M-34 30H34m-12-9 12 9-12 9"/>'
ROUND = '<path class="way" d="M-26 26A34 34 0 0 0 30 20m-12-1 12 1 3 12"/>'
END = '<path class="flagpole" d="M-16 34V-32"/><path class="flagcloth" d="M-16-32 24-19-16-5z"/>'
LYING = Ghost(spans=True, word=0)  # the lozenge that the order names


def tools(view: View) -> dict[str, Tool]:
    """By verb; pieces are in the viewer's colour. Nothing of the laying can be taken back, so it is played at once."""
    seat = view.seat or 0
    own, planks = piece(seat), glyphs.blockade(seat)
    pawn = view.pawns[seat] if view.seat is not None else None
    face = glyphs.lozenge(view.drawn or "L01")
    return {
        "start": Tool(say("Start here"), glyphs.DOOR + own, (Ghost(own),), at_once=True),
        "lay": Tool(say("Lay"), small(face), (Ghost(face, spans=True), Ghost()), at_once=True),
        "slide": Tool(say("Slide"), small(face) + ARROW, (Ghost(), LYING, Ghost())),
        "turn": Tool(say("Turn"), small(face) + ROUND, (Ghost(), LYING, Ghost())),
        "walk": Tool(say("Walk"), own, (Ghost(own),), at=(pawn,) if pawn else ()),
        "take": Tool(say("Take statue"), f'<g transform="scale(.8)">{own}</g>'),
        "passage": Tool(say("Passage"), glyphs.SPIRAL, (Ghost(own),)),
        "symbol": Tool(say("Use symbol"), glyphs.SYMBOL, (Ghost(), LYING, Ghost())),
        "block": Tool(say("Blockade"), planks, (Ghost(planks),)),
        "end": Tool(say("End turn"), END, closes=True),
    }


def small(lozenge: str) -> str:
    return f'<g transform="translate(0 -8)scale(.45)">{lozenge}</g>'


def pieces(_view: View) -> dict[str, str]:
    """Every lozenge in its own frame: orders name them, and wherever they go they look the same."""
    return {id_: glyphs.lozenge(id_) for id_ in LOZENGES}
