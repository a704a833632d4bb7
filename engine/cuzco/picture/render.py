"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from html import escape
from typing import TYPE_CHECKING

from engine.core.sentence import Sentence, Speak, say, seat_letter
from engine.cuzco.edition import Edition
from engine.cuzco.hexes import AROUND, bits, row_and_column
from engine.cuzco.picture import glyphs
from engine.cuzco.picture.glyphs import HALF, HEX, ROW
from engine.cuzco.picture.palette import ROOT, style
from engine.cuzco.picture.terrain import Terrain, survey
from engine.cuzco.picture.wording import Content, building, letters, titles
from engine.cuzco.printed_board import Layout
from engine.kit.letters import LETTER, write
from engine.kit.pieces import piece

if TYPE_CHECKING:
    from engine.cuzco.view import View
STEP = 5  # how far a level lifts a hex
HIGHEST = 8  # from this level on nothing is lifted further
SHADES = 5
WEST, NORTH_WEST = AROUND[4:]  # where the light comes from
FRAME = (-62, -66, 1060, 764)
RULER = 2.0  # how large rows and columns are named: to be read in a mail on a phone too
Title = Callable[[str, Content], str]


def render(edition: Edition, view: View, speak: Speak) -> str:
    """The board of a view as one SVG element."""
    left, top, width, height = FRAME

    def tell(said: Sentence) -> str:
        return escape(speak(said))

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img"'
        f' viewBox="{left} {top} {width} {height}" data-lettering="{LETTER * RULER:g}">'
        f"<title>{tell(say('{game}: the board', game=edition.name))}</title>"
        f"<desc>{' '.join(map(tell, summary(edition, view)))}</desc>"
        f"{style()}{frame(edition.layout)}{''.join(hexes(edition, view, titles(edition, tell)))}</svg>"
    )


def hexes(edition: Edition, view: View, title: Title) -> list[str]:
    """The flat ones first; then the raised ones from north to south, for they hide what is behind."""
    layout, land = edition.layout, survey(edition.layout, view)
    basins, height = frozenset(layout.index[name] for name in view.basins), land.levels.get
    flat, ponds, raised = [], [], []
    for place in sorted(bits(layout.hexes)):
        level = height(place, 0)
        shadow = shade(height(place + WEST, 0) - level, height(place + NORTH_WEST, 0) - level)
        if level:
            raised.append(covered(edition, view, land, place, shadow, title))
        elif place in basins:
            ponds.append(pool(layout, basins, place, shadow, title))
        else:
            flat.append(bare(edition, place, shadow, title))
    return flat + ponds + raised


# The paper


@cache
def frame(layout: Layout) -> str:
    """The paper with the names of rows and columns along its edges."""
    left, top, width, height = FRAME
    places = bits(layout.hexes)
    columns = range(max(row_and_column(place)[1] for place in places) + 1)
    ends: dict[int, list[int]] = {}
    for place in sorted(places):
        ends.setdefault(row_and_column(place)[0], []).append(place)
    words = [
        write(str(column), column * HALF, y, RULER, "")
        for column in columns  # even ones above, odd ones below: so they can be large
        for y in ((top + height - 16) if column % 2 else top + 16,)
    ]
    words += [
        write(layout.names[place][0], row_and_column(place)[1] * HALF + away, row * ROW, RULER, "")
        for row, line in ends.items()
        for place, away in ((line[0], -44), (line[-1], 44))
    ]
    paper = f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}" rx="14"/>'
    return f'{paper}<g class="ruler">{"".join(words)}</g>'


def summary(edition: Edition, view: View) -> list[Sentence]:
    """The position in a few words, for those who listen to it."""
    playing = say("{seats} to play.", seats=letters(view.to_act))
    standing = [
        say(
            "{seat}: {points} PP, {incas} on the board: {count}.",
            seat=seat_letter(seat),
            points=score,
            incas=edition.spoken["incas"],
            count=len(at),
        )
        for seat, (score, at) in enumerate(zip(view.scores, view.incas, strict=True))
    ]
    laid = say(
        "Tiles laid: {tiles}. Basins: {basins}.", tiles=len(view.tiles), basins=len(view.basins)
    )
    built = [
        say("{hex}: {what}.", hex=at, what=building(edition, temple))
        for at, temple in view.temples.items()
    ]
    return [say("The match is over.") if view.over else playing, *standing, laid, *built]


# One hex


def group(layout: Layout, place: int, title: str, inside: str, lift: int = 0) -> str:
    """One hex at its place on the paper, with its name to point at."""
    return f"{opening(layout, place, lift)}<title>{title}</title>{inside}</g>"


@cache
def opening(layout: Layout, place: int, lift: int) -> str:
    row, column = row_and_column(place)
    where = f"translate({column * HALF} {row * ROW - lift})"
    return f'<g class="place" data-place="{layout.names[place]}" transform="{where}">'


@cache
def costs(layout: Layout) -> dict[int, int]:
    """What it costs to come and go, by place."""
    return layout.entry


def bare(edition: Edition, place: int, shadow: str, title: Title) -> str:
    """A hex without tile or basin: ground, mountain or forest."""
    layout = edition.layout
    kind = (
        "bare"
        if layout.site >> place & 1
        else "mountain"
        if layout.mountain >> place & 1
        else "forest"
    )
    said = title(layout.names[place], Content(kind, costs(layout).get(place)))
    return group(layout, place, said, paper(edition, kind, shadow))


@cache
def paper(edition: Edition, kind: str, shadow: str) -> str:
    """What is printed on a hex."""
    if kind == "bare":
        return f'<path class="ground" d="{HEX}"/>{shadow}<path class="grid" d="{HEX}"/>'
    drawn = glyphs.RING[str(edition.spoken.get(kind, kind))]
    return f'<path class="{kind}" d="{HEX}"/>{shadow}{drawn}'


def pool(layout: Layout, basins: frozenset[int], place: int, shadow: str, title: Title) -> str:
    """A basin, with banks where the pond ends."""
    ends = sum(1 << side for side, step in enumerate(AROUND) if place + step not in basins)
    water = (
        f'<path class="water" d="{HEX}"/>{glyphs.DEPTH}<path class="wave" d="{glyphs.WAVES}"/>{shadow}'
        f'<path class="bank" d="{glyphs.outline(ends)}"/>'
    )
    return group(layout, place, title(layout.names[place], Content("basin", None)), water)


def covered(
    edition: Edition, view: View, land: Terrain, place: int, shadow: str, title: Title
) -> str:
    """A hex with a tile, and who or what stands on it."""
    layout, name, kind = edition.layout, edition.layout.names[place], land.kind(place)
    level, temple, seat = land.levels[place], view.temples.get(name), land.seats.get(place)
    tile, top_of, seams = land.tops[place], land.tops.get, 0
    for side, step in enumerate(AROUND):
        if top_of(place + step) == tile:
            seams |= 1 << side
    marks, top = sanctuary(edition, view, name) if temple else standing(edition, kind, level, seat)
    said = title(name, Content(kind, costs(layout).get(place), level, temple, seat))
    height = min(level, HIGHEST)
    drawn = face(kind, height, seams, shadow + marks) + top
    return group(layout, place, said, drawn, STEP * height)


def sanctuary(edition: Edition, view: View, name: str) -> tuple[str, str]:
    """The marks on the ground of a temple (none), and its picture."""
    temple = view.temples[name]
    feast = glyphs.FEAST if view.festival and view.festival.at == name else ""
    disc = glyphs.disc(edition.words["disc"]) if temple.disc else ""
    return "", feast + glyphs.temple(temple.value) + disc


def standing(edition: Edition, kind: str, level: int, seat: int | None) -> tuple[str, str]:
    """The marks of the land, and the picture of an Inca or of nobody on it."""
    marks = glyphs.FACES[edition.words.get(kind, kind)][seat is not None]
    top = glyphs.height_sign(level) if level > 1 else ""
    return marks, top if seat is None else piece(seat) + top


@cache
def face(kind: str, level: int, seams: int, marks: str) -> str:
    """The cliff and the top of a tile's hex; thick lines end the tile, thin ones run inside it."""
    shade_of = f"{kind[0]}{min(level, SHADES)}"
    seam = f'<path class="seam" d="{glyphs.outline(seams)}"/>' if seams else ""
    lines = glyphs.strata(level, STEP)
    strata = f'<path class="strata" d="{lines}"/>' if lines else ""
    return (
        f'<path class="cliff-{kind[0]}" d="{glyphs.wall(STEP * level)}"/>'
        f'<path class="shade" d="{glyphs.dark_wall(STEP * level)}"/>{strata}'
        f'<path class="{shade_of}" d="{HEX}"/>{marks}{seam}'
        f'<path class="edge" d="{glyphs.outline(63 & ~seams)}"/>{glyphs.LIGHT}'
    )


@cache
def shade(west: int, north_west: int) -> str:
    """The shadow that higher neighbours throw, by how many levels they are higher."""
    bands = ""
    if west > 0:
        reach = 4 + 3 * min(west, 3)
        slope = reach * 15 / HALF
        bands += f"M-26-15V15l{reach} {slope:.3g}V{-15 - slope:.3g}z"
    if north_west > 0:
        reach = 3 + 3 * min(north_west, 3)
        bands += f"M0-30-26-15v{reach}L0 {reach - 30}z"
    return f'<path class="shade" d="{bands}"/>' if bands else ""
