"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from functools import cache
from html import escape
from typing import TYPE_CHECKING

from engine.core.sentence import Speak, say, seat_letter
from engine.cuzco import glyphs
from engine.cuzco.edition import Edition
from engine.cuzco.glyphs import HALF, HEX, ROW
from engine.cuzco.hexes import AROUND, bits, row_and_column
from engine.cuzco.layout import Layout
from engine.cuzco.palette import ROOT, style
from engine.cuzco.terrain import Terrain, survey
from engine.kit.letters import write
from engine.kit.pieces import piece

if TYPE_CHECKING:
    from engine.cuzco.view import View

STEP = 4  # how far a level lifts a hex
HIGHEST = 8  # from this level on nothing is lifted further
SHADES = 5
WEST, NORTH_WEST = AROUND[4:]  # where the light comes from
FRAME = (-62, -66, 1060, 764)


def render(edition: Edition, view: View, speak: Speak) -> str:
    """The board of a view as one SVG element."""
    left, top, width, height = FRAME
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img"'
        f' viewBox="{left} {top} {width} {height}">'
        f"<title>{escape(speak(say('{game}: the board', game=edition.name)))}</title>"
        f"<desc>{escape(summary(edition, view))}</desc>"
        f"{style()}{frame(edition.layout)}{''.join(hexes(edition, view))}</svg>"
    )


def hexes(edition: Edition, view: View) -> list[str]:
    """The flat ones first; then the raised ones from north to south, for they hide what is behind."""
    layout, land = edition.layout, survey(edition.layout, view)
    basins = frozenset(layout.index[name] for name in view.basins)
    flat, ponds, raised = [], [], []
    for place in sorted(bits(layout.hexes)):
        level = land.levels.get(place, 0)
        shadow = shade(*(land.levels.get(place + step, 0) - level for step in (WEST, NORTH_WEST)))
        if level:
            raised.append(covered(edition, view, land, place, shadow))
        elif place in basins:
            ponds.append(pool(layout, basins, place, shadow))
        else:
            flat.append(bare(edition, place, shadow))
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
        write(str(column), column * HALF, y, 0.9, "")
        for column in columns
        for y in (top + 14, top + height - 14)
    ]
    words += [
        write(layout.names[place][0], row_and_column(place)[1] * HALF + away, row * ROW, 1.3, "")
        for row, line in ends.items()
        for place, away in ((line[0], -44), (line[-1], 44))
    ]
    paper = f'<rect class="paper" x="{left}" y="{top}" width="{width}" height="{height}" rx="14"/>'
    return f'{paper}<g class="ruler">{"".join(words)}</g>'


def summary(edition: Edition, view: View) -> str:
    """The position in a few words, for those who listen to it."""
    said = [
        f"{seat_letter(seat)}: {score} PP, {edition.spoken['inca']}s on the board: {len(at)}."
        for seat, (score, at) in enumerate(zip(view.scores, view.incas, strict=True))
    ]
    turn = "The match is over." if view.over else f"{letters(view.to_act)} to play."
    with_disc = f" with {edition.spoken['disc']}"
    temples = ", ".join(
        f"{at} {temple.value}{with_disc if temple.disc else ''}"
        for at, temple in view.temples.items()
    )
    counts = f"Tiles laid: {len(view.tiles)}. Basins: {len(view.basins)}."
    return " ".join([turn, *said, counts, f"{edition.spoken['temple']}s: {temples or 'none'}."])


def letters(seats: tuple[int, ...]) -> str:
    return ", ".join(map(seat_letter, seats))


# One hex


def group(layout: Layout, place: int, title: str, inside: str, lift: int = 0) -> str:
    """One hex at its place on the paper, with its name to point at."""
    row, column = row_and_column(place)
    return (
        f'<g class="hex" data-hex="{layout.names[place]}"'
        f' transform="translate({column * HALF} {row * ROW - lift})">'
        f"<title>{escape(f'{layout.names[place]}: {title}{entry(layout, place)}')}</title>{inside}</g>"
    )


def entry(layout: Layout, place: int) -> str:
    """What it costs to come and go here (C-M1)."""
    costs = [cost for cost, gates in layout.doors.items() if gates >> place & 1]
    return f", {costs[0]} AP to enter or leave" if costs else ""


@cache
def bare(edition: Edition, place: int, shadow: str) -> str:
    """A hex without tile or basin: ground, mountain or forest."""
    layout = edition.layout
    if layout.site >> place & 1:
        ground = f'<path class="ground" d="{HEX}"/>{shadow}<path class="grid" d="{HEX}"/>'
        return group(layout, place, "bare", ground)
    if layout.mountain >> place & 1:
        kind = word = "mountain"
    else:
        kind, word = "forest", str(edition.spoken["forest"])
    land = f'<path class="{kind}" d="{HEX}"/>{shadow}{glyphs.RING[word]}'
    return group(layout, place, word, land)


def pool(layout: Layout, basins: frozenset[int], place: int, shadow: str) -> str:
    """A basin, with banks where the pond ends."""
    ends = sum(1 << side for side, step in enumerate(AROUND) if place + step not in basins)
    water = (
        f'<path class="water" d="{HEX}"/><path class="wave" d="{glyphs.WAVES}"/>{shadow}'
        f'<path class="bank" d="{glyphs.outline(ends)}"/>'
    )
    return group(layout, place, "basin", water)


def covered(edition: Edition, view: View, land: Terrain, place: int, shadow: str) -> str:
    """A hex with a tile, and who or what stands on it."""
    layout, level, kind = edition.layout, land.levels[place], land.kind(place)
    seams = sum(
        1 << side
        for side, step in enumerate(AROUND)
        if land.tops.get(place + step) == land.tops[place]
    )
    if layout.names[place] in view.temples:
        title, marks, top = sanctuary(edition, view, layout.names[place])
    else:
        title, marks, top = standing(edition, kind, level, land.seats.get(place))
    title = f"{edition.spoken.get(kind, kind)}, level {level}{title}"
    height = min(level, HIGHEST)
    return group(
        layout, place, title, face(kind, height, seams, shadow + marks) + top, STEP * height
    )


def sanctuary(edition: Edition, view: View, name: str) -> tuple[str, str, str]:
    """What is said of a temple, its marks on the ground (none), and its picture."""
    temple, spoken = view.temples[name], edition.spoken
    feast = glyphs.FEAST if view.festival and view.festival.at == name else ""
    disc = glyphs.disc(edition.words["disc"]) if temple.disc else ""
    title = f", {spoken['temple']} of {temple.value}"
    title += f" with {spoken['disc']}" if temple.disc else ""
    return title, "", feast + glyphs.temple(temple.value) + disc


def standing(edition: Edition, kind: str, level: int, seat: int | None) -> tuple[str, str, str]:
    """What is said of an Inca or of nobody, the marks of the land, and the picture on it."""
    marks = glyphs.FACES[edition.words.get(kind, kind)][seat is not None]
    top = write(str(level), 0, -20, 0.95, "level") if level > 1 else ""
    if seat is None:
        return "", marks, top
    return f", {edition.spoken['inca']} of {seat_letter(seat)}", marks, top + piece(seat)


@cache
def face(kind: str, level: int, seams: int, marks: str) -> str:
    """The cliff and the top of a tile's hex; thick lines end the tile, thin ones run inside it."""
    shade_of = f"{kind[0]}{min(level, SHADES)}"
    seam = f'<path class="seam" d="{glyphs.outline(seams)}"/>' if seams else ""
    lines = glyphs.strata(level, STEP)
    strata = f'<path class="strata" d="{lines}"/>' if lines else ""
    return (
        f'<path class="cliff-{kind[0]}" d="{glyphs.wall(STEP * level)}"/>{strata}'
        f'<path class="{shade_of}" d="{HEX}"/>{marks}{seam}'
        f'<path class="edge" d="{glyphs.outline(63 & ~seams)}"/>'
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
