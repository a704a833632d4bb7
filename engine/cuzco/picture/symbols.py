"""The signs of the board with their names: lands, heights, temples and their festivals."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Symbol
from engine.core.sentence import say
from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.picture import glyphs
from engine.cuzco.picture.render import STEP, face, paper
from engine.cuzco.picture.wording import Content, building, kind_of_land, spelled
from engine.cuzco.view import TempleView

if TYPE_CHECKING:
    from engine.cuzco.view import View
RAISED = 3  # the level of the tile that is shown
TALL = "-40 -40 80 92"  # with the cliff below it


def symbols(edition: Edition, _view: View) -> list[Symbol]:
    """What is printed, what lies high, and every temple."""
    lands = [Symbol(say("bare hex"), paper(edition, "bare", ""))]
    lands += [
        Symbol(kind_of_land(edition, kind), paper(edition, kind, ""))
        for kind in ("mountain", "forest")
    ]
    raised = [raised_tile(edition, kind) for kind in ("village", "crop")]
    return [*lands, *raised, *temples(edition)]


def raised_tile(edition: Edition, kind: str) -> Symbol:
    """A tile that lies on others, with its height on a plate."""
    marks = glyphs.FACES[edition.words.get(kind, kind)][0]
    drawn = face(kind, RAISED, 0, marks) + glyphs.height_sign(RAISED)
    lifted = f'<g transform="translate(0 {-STEP})">{drawn}</g>'
    return Symbol(spelled(edition, Content(kind, None, RAISED)), lifted, TALL)


def temples(edition: Edition) -> list[Symbol]:
    """Each value; one that had its festival, and one whose festival is on."""
    plain = [TempleView(value, disc=False, changed=False) for value in VALUES]
    feasted = TempleView(VALUES[0], disc=True, changed=False)
    disc = glyphs.disc(edition.words["disc"])
    return [
        *(Symbol(building(edition, one), glyphs.temple(one.value)) for one in plain),
        Symbol(building(edition, feasted), glyphs.temple(feasted.value) + disc),
        Symbol(say("Festival"), glyphs.FEAST + glyphs.temple(VALUES[0])),
    ]
