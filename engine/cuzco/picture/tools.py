"""The verbs as tools for a page: what their buttons show, and what hangs at the pointer before it is laid."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.core.game import Ghost, Tool
from engine.core.sentence import say
from engine.cuzco.edition import Edition
from engine.cuzco.picture import glyphs
from engine.cuzco.picture.faces import faces
from engine.cuzco.picture.glyphs import HEX
from engine.cuzco.picture.render import face
from engine.kit.pieces import piece

if TYPE_CHECKING:
    from engine.cuzco.view import View

CARD = '<rect class="card" x="-17" y="-25" width="34" height="50" rx="5"/>'
BACK = f'{CARD}<path class="card-mark" d="M-9 0 0-13 9 0 0 13z"/>'
DRUM = f'{CARD}<path class="rays" d="{glyphs.SUN_RAYS}"/><circle class="sun" r="7"/>'
END = '<path class="flagpole" d="M-12 24V-22"/><path class="flagcloth" d="M-12-22 16-13-12-3z"/>'


def tools(edition: Edition, view: View) -> dict[str, Tool]:
    """By verb; pieces are in the viewer's colour."""
    own = piece(view.seat or 0)
    words = edition.spoken
    village, crop = tile(edition, "village"), tile(edition, "crop")
    temple, water = glyphs.temple(2), pond()
    return {
        "place triple": Tool(
            say("Triple"), trio(village, crop, 3), (Ghost(village), Ghost(crop), Ghost(crop))
        ),
        "place double": Tool(say("Double"), trio(village, crop, 2), (Ghost(village), Ghost(crop))),
        "place village": Tool(say("Village"), village, (Ghost(village),)),
        f"place {edition.words['crop']}": Tool(words["crop_tile"], crop, (Ghost(crop),)),
        "enter": Tool(say("Bring in"), own, (Ghost(own),)),
        "move": Tool(say("Move"), moving(own), (Ghost(), Ghost(own))),
        "leave": Tool(say("Take home"), leaving(own)),
        "build": Tool(say("Build"), temple, (Ghost(temple),)),
        "expand": Tool(say("Expand"), glyphs.temple(4)),
        "basin": Tool(say("Basin"), water, (Ghost(water),)),
        "draw open": Tool(say("Take open card"), open_card(edition, view)),
        "draw pile": Tool(say("Draw a card"), BACK),
        "token": Tool(say("Use a token"), f'<circle class="sun" r="17"/>{plus()}'),
        "festival": Tool(say("Festival"), DRUM),
        "bid": Tool(say("Bid"), DRUM),
        "hold": Tool(say("Share"), DRUM),
        "pass": Tool(say("Drop out"), BACK),
        "end": Tool(say("End turn"), END, closes=True),
    }


def open_card(edition: Edition, view: View) -> str:
    """The card itself; those who watch a record without it see a back."""
    return faces(edition)[view.open].picture if view.open else BACK


@cache
def tile(edition: Edition, kind: str) -> str:
    """One hex of a tile as it lies at level 1."""
    return face(kind, 1, 0, glyphs.FACES[edition.words.get(kind, kind)][0])


@cache
def trio(village: str, crop: str, count: int) -> str:
    """A tile of several hexes, small."""
    spots = ((0, -18), (-21, 18), (21, 18)) if count == 3 else ((-20, 0), (20, 0))
    hexes = zip(spots, (village, crop, crop), strict=False)
    return "".join(
        f'<g transform="translate({x} {y})scale(.68)">{one}</g>' for (x, y), one in hexes
    )


def pond() -> str:
    return (
        f'<path class="water" d="{HEX}"/><path class="wave" d="{glyphs.WAVES}"/>'
        f'<path class="bank" d="{HEX}"/>'
    )


def moving(own: str) -> str:
    return f'<path class="way" d="M-24 20Q0-6 20 8m-10-2 10 2-4-10"/><g transform="translate(-4 -6)">{own}</g>'


def leaving(own: str) -> str:
    return f'<path class="way" d="M6 22H26m-8-8 8 8-8 8"/><g transform="translate(-6 -4)">{own}</g>'


def plus() -> str:
    return '<path class="value" d="M-8 0H8M0-8V8"/>'
