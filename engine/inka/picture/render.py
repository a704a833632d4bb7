"""The hall as a picture: an SVG that depends on the view alone."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, listed, say
from engine.inka.picture import glyphs
from engine.inka.picture.glyphs import COLUMN, HALF_AT, ROW, UNIT, centre, outline, spot, turned
from engine.inka.picture.palette import ROOT, style
from engine.inka.printed_board import (
    DATA,
    DESTINATIONS,
    INDEX,
    LOZENGES,
    NAMES,
    PLACES,
    PrintedBoard,
)
from engine.kit.letters import LETTER, write

if TYPE_CHECKING:
    from engine.inka.view import View
MARGIN = 46
WIDTH, HEIGHT = 2 * (DATA["side"] * UNIT + MARGIN), 2 * (DATA["side"] * ROW + MARGIN)
RIM = ((6, 0), (0, 6), (-6, 6), (-6, 0), (0, -6), (6, -6))  # the corners of the hall


def render(view: View, speak: Speak) -> str:
    """The hall of a view as one SVG element."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chasqui-board {ROOT}" role="img"'
        f' viewBox="{-WIDTH / 2:.4g} {-HEIGHT / 2:.4g} {WIDTH:.4g} {HEIGHT:.4g}"'
        f' data-lettering="{LETTER * COLUMN:g}">'
        f"<title>{escape(speak(say('{game}: the board', game='Inka')))}</title>"
        f"<desc>{escape(speak(listed(told(view))))}</desc>"
        f"{style()}{frame()}{''.join(cells(view, speak))}{''.join(lozenges(view, speak))}"
        f"{''.join(halves(view, speak))}{hand(view)}</svg>"
    )


def told(view: View) -> list[Sentence]:
    """The position in a few words, for those who listen to it."""
    said = [
        say("pawn of {seat} on {cell}", seat=Seat(seat), cell=cell)
        for seat, cell in enumerate(view.pawns)
        if cell
    ]
    said += [
        say("blockade of {seat} on {cell}", seat=Seat(seat), cell=cell)
        for seat, cell in enumerate(view.blockades)
        if cell
    ]
    said += [
        say("{lozenge} on {one} and {other}", lozenge=id_, one=one, other=other)
        for id_, (one, other) in view.lozenges.items()
    ]
    return said


# The paper


@cache
def frame() -> str:
    """The paper and the rim of the hall, with the names of the rows on both sides."""
    paper = (
        f'<rect class="paper" x="{-WIDTH / 2:.4g}" y="{-HEIGHT / 2:.4g}" width="{WIDTH:.4g}"'
        f' height="{HEIGHT:.4g}" rx="14"/>'
    )
    rim = outline([(x * 1.065, y * 1.065) for x, y in map(spot, RIM)])
    return f'{paper}<path class="frame" d="{rim}"/><g class="ruler">{"".join(map(row, range(2 * DATA["side"])))}</g>'


def row(number: int) -> str:
    """The name of a row at both of its ends."""
    y = ROW * (number - DATA["side"] + 0.5)
    x = DATA["side"] * UNIT - abs(y) / 3**0.5 + 17
    return "".join(write(f"r{number}", side * x, y, COLUMN, "") for side in (-1, 1))


# Cells


def place(name: str, title: str, inside: str, at: tuple[float, float], extra: str = "") -> str:
    """Something to point at, by the name that orders use."""
    return (
        f'<g class="place" data-place="{name}"{extra} transform="translate({at[0]:.5g} {at[1]:.5g})">'
        f"<title>{escape(title)}</title>{inside}</g>"
    )


def cells(view: View, speak: Speak) -> list[str]:
    """The cells that no lozenge covers, with what stands on them."""
    covered = {name for pair in view.lozenges.values() for name in pair}
    return [bare(view, speak, cell) for cell, name in enumerate(NAMES) if name not in covered]


def bare(view: View, speak: Speak, cell: int) -> str:
    name, who = NAMES[cell], standing_on(view, NAMES[cell])
    kind = KINDS[view.board.kinds[cell]]
    title = speak(listed([say("{cell}: {kind}", cell=name, kind=kind), *said_of(who)]))
    inside = printed(view.board, cell) + "".join(
        drawn(what, seat, (0.0, 0.0)) for what, seat in who
    )
    return place(name, title, inside, centre(cell))


KINDS = {
    "chasm": say("chasm"),
    "floor": say("floor"),
    "start_exit": say("start and exit"),
    "secret_passage": say("secret passage"),
    "lozenge": say("lozenge symbol"),
}


@cache
def printed(board: PrintedBoard, cell: int) -> str:
    """A cell as the board shows it: its ground, its column and its sign."""
    floor = board.floor >> cell & 1
    ground = f'<path class="{"floor" if floor else "chasm"}" d="{glyphs.shape(cell)}"/>'
    sign = glyphs.SIGNS.get(board.kinds[cell], "")
    return ground + glyphs.number(cell, "number" if floor else "deep", beside=bool(sign)) + sign


def standing_on(view: View, name: str) -> list[tuple[str, int]]:
    """Who stands on a cell: at the most one pawn or one blockade."""
    pawns = [("pawn", seat) for seat, at in enumerate(view.pawns) if at == name]
    return pawns + [("blockade", seat) for seat, at in enumerate(view.blockades) if at == name]


def said_of(who: list[tuple[str, int]]) -> list[Sentence]:
    return [
        say("pawn of {seat}", seat=Seat(seat))
        if what == "pawn"
        else say("blockade of {seat}", seat=Seat(seat))
        for what, seat in who
    ]


def drawn(what: str, seat: int, at: tuple[float, float]) -> str:
    if what == "pawn":
        return glyphs.pawn(seat, at)
    return glyphs.standing(glyphs.blockade(seat), at, 0.95)


# Lozenges


def lozenges(view: View, speak: Speak) -> list[str]:
    """Each lozenge with all that lies and stands on it."""
    return [lying(view, speak, id_, pair) for id_, pair in view.lozenges.items()]


def lying(view: View, speak: Speak, id_: str, pair: tuple[str, str]) -> str:
    at, degrees = glyphs.bearing(PLACES[INDEX[pair[0]], INDEX[pair[1]]])
    face = f'<g transform="rotate({degrees:g})">{glyphs.lozenge(id_)}</g>'
    statues = [seat for seat in range(view.seats) if id_ not in view.taken[seat]]
    on_top = named(id_, degrees)
    if id_ in DESTINATIONS:
        on_top += "".join(
            glyphs.statue(s, statue_spot(n, len(statues), degrees)) for n, s in enumerate(statues)
        )
    for name, x in zip(pair, HALF_AT, strict=True):
        on_top += "".join(
            drawn(what, seat, turned((x, 0), degrees)) for what, seat in standing_on(view, name)
        )
    title = speak(listed([on_cells(id_, pair), *marks(id_, pair), *statues_left(id_, statues)]))
    return place(id_, title, face + on_top, at)


def named(id_: str, degrees: float) -> str:
    """The name of a lozenge: in its middle, but near the corner A0 where statues stand."""
    if id_ in DESTINATIONS:
        x, y = turned((-ROW + 32, 0), degrees)
        return write(id_, x, y, 0.8, "name")
    return write(id_, 0, 0, 0.85, "name")


def statue_spot(number: int, count: int, degrees: float) -> tuple[float, float]:
    """Statues stand in a row along the seam."""
    return turned((0, (number - (count - 1) / 2) * 17), degrees)


def on_cells(id_: str, pair: tuple[str, str]) -> Sentence:
    return say("{lozenge} on {one} and {other}", lozenge=id_, one=pair[0], other=pair[1])


def marks(id_: str, pair: tuple[str, str]) -> list[Sentence]:
    """What is printed on it, half by half."""
    said = [say("snake on {cell}", cell=pair[half]) for half in LOZENGES[id_].snakes]
    if LOZENGES[id_].walls:
        n = len(LOZENGES[id_].walls)
        said.append(say("{n} wall", "{n} walls", n=n))
    return said


def statues_left(id_: str, seats: list[int]) -> list[Sentence]:
    if id_ not in DESTINATIONS:
        return []
    return [say("statue of {seat}", seat=Seat(seat)) for seat in seats] or [say("no statues left")]


def halves(view: View, speak: Speak) -> list[str]:
    """The covered cells, to be pointed at through their lozenge: unseen until they are lit."""
    found = []
    for id_, pair in view.lozenges.items():
        for name in pair:
            title = listed(
                [
                    say("{cell}: on {lozenge}", cell=name, lozenge=id_),
                    *said_of(standing_on(view, name)),
                ]
            )
            face = f'<path class="half" d="{glyphs.shape(INDEX[name], 0.12)}"/>'
            found.append(place(name, speak(title), face, centre(INDEX[name]), ' data-half=""'))
    return found


def hand(view: View) -> str:
    """The lozenge that was drawn and is to be laid, in a corner of the paper."""
    if view.drawn is None:
        return ""
    x, y = -WIDTH / 2 + 100, -HEIGHT / 2 + 66
    back = f'<path class="hand" d="{glyphs.RHOMB}" transform="scale(1.25)"/>'
    return (
        f'<g class="over" transform="translate({x:.4g} {y:.4g})">{back}{glyphs.lozenge(view.drawn)}'
        f"{write(view.drawn, 0, 0, 0.85, 'name')}</g>"
    )
