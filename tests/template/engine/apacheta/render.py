"""The pass as a picture, as plain text and in a few facts: all from the view alone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html import escape
from itertools import chain
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.core.game import Fact, Part
from engine.core.sentence import Seat, Sentence, Speak, say
from engine.kit.letters import write
from engine.kit.pieces import piece
from engine.kit.sheet import sheet

if TYPE_CHECKING:
    from engine.apacheta.view import View

WIDTH, HEIGHT = 480, 240
ROOT = "apacheta-board"
COLUMNS = 80
# What is painted how: class, property, colour in light, colour in dark.
PAINTS = (
    ("paper", "fill", "#f3efe6", "#1f1d1a"),
    ("hill", "fill", "#b9a98a", "#4c443a"),
    ("stone", "fill", "#8d949b", "#68727a"),
    ("stone", "stroke", "#33393e", "#0d1013"),
    ("weight", "stroke", "#14181b", "#ffffff"),
    ("pA .body", "fill", "#0a5cad", "#1d74cc"),
    ("pB .body", "fill", "#cf3f17", "#d9481e"),
    ("pC .body", "fill", "#ffd83a", "#ffd83a"),
    ("letter", "stroke", "#ffffff", "#ffffff"),
    ("pC .letter", "stroke", "#2c2433", "#2c2433"),
    ("halo", "stroke", "#fffaf0", "#fffaf0"),
    ("body", "stroke", "#1d1712", "#1d1712"),
)
FORMS = """R .weight,R .letter{fill:none;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
R .halo{fill:none;stroke-width:5}
R .stone,R .body{stroke-width:1.5}"""


def render(view: View, speak: Speak) -> str:
    """The pass of a view as one SVG element."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chasqui-board {ROOT}" role="img"'
        f' viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<title>{escape(speak(say('{game}: the board', game='Apacheta')))}</title>"
        f"<desc>{escape('; '.join(facts(view, speak)))}</desc>{style()}"
        f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}" rx="14"/>'
        f'<path class="hill" d="M40 110Q240 10 440 110z"/>'
        f"{write(str(view.cairn), WIDTH / 2, 84, 2, 'weight')}{''.join(travellers(view))}{''.join(hand(view))}</svg>"
    )


@cache
def style() -> str:
    return sheet(ROOT, PAINTS, FORMS)


def travellers(view: View) -> Iterator[str]:
    """Each player's piece with the points, and what was laid."""
    for seat in range(view.seats):
        x = WIDTH * (seat + 1) / (view.seats + 1)
        yield f'<g transform="translate({x - 40:g} 140)">{piece(seat)}</g>'
        yield write(str(view.scores[seat]), x, 140, 1.4, "weight")
        if view.laid[seat]:
            yield stone(view.mine if seat == view.seat else None, x + 44, 140)


def hand(view: View) -> Iterator[str]:
    """The stones that the viewer holds; each weight can be pointed at once, by the word that orders use."""
    for number, weight in enumerate(view.hand or ()):
        again = weight in (view.hand or ())[:number]
        name = "" if again else f' class="place" data-place="{weight}"'
        yield f'<g{name} transform="translate({60 + 48 * number} 206)">{stone(weight, 0, 0)}</g>'


def stone(weight: int | None, x: float, y: float) -> str:
    """A stone; one that lies face down shows nothing."""
    face = "" if weight is None else write(str(weight), x, y, 1.4, "weight")
    return f'<ellipse class="stone" cx="{x:g}" cy="{y:g}" rx="20" ry="16"/>{face}'


# Beside the board


def summary(view: View) -> list[Fact]:
    """How far the way has come, what lies open, and what the viewer alone knows."""
    left = view.options["passes"] - view.passed
    found: list[Fact] = [
        (say("Passes to come"), (str(left),)),
        (say("Stones on the cairn"), (str(view.cairn),)),
        (say("Turned up"), tuple(map(str, view.turned)) or (NONE,)),
    ]
    found += [player(view, seat) for seat in range(view.seats)]
    if view.hand is not None:
        found.append((say("Your hand"), tuple(map(str, view.hand)) or (NONE,)))
    if view.buried is not None:
        found.append((say("The buried stone"), (str(view.buried),)))
    return found


NONE = say("none")
LAID = {False: say("has not laid"), True: say("has laid")}


def player(view: View, seat: int) -> Fact:
    points = say("{n} point", "{n} points", n=view.scores[seat])
    dug = (say("has dug"),) if view.seen[seat] else ()
    return say("{seat} has", seat=Seat(seat)), (points, LAID[view.laid[seat]], *dug)


def parts(view: View) -> list[Part]:
    """A turn is to lay a stone; digging goes before it."""
    done = (LAID[True],) if view.seat is not None and view.laid[view.seat] else ()
    return [Part(say("Before"), ("dig",)), Part(say("The pass"), ("lay",), done)]


def chart(view: View, speak: Speak) -> str:
    """The same facts in lines of 80 columns or less, for a reader who has nothing else."""
    lines = (wrap(fact, COLUMNS, subsequent_indent="   ") for fact in facts(view, speak))
    return "\n".join(chain.from_iterable(lines))


def facts(view: View, speak: Speak) -> Iterator[str]:
    """Each fact of the summary in a line."""
    for label, things in summary(view):
        said = (speak(thing) if isinstance(thing, Sentence) else thing for thing in things)
        yield f"{speak(label)}: {', '.join(said)}"
