"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from functools import cache
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, say
from engine.kit.letters import LETTER
from engine.kit.masks import bits
from engine.tahuantinsuyu.picture import glyphs
from engine.tahuantinsuyu.picture.glyphs import box, line, path, piece, placed, ring, spot
from engine.tahuantinsuyu.picture.ground import stretched
from engine.tahuantinsuyu.picture.lettering import SIZE, letters
from engine.tahuantinsuyu.picture.palette import ROOT, style
from engine.tahuantinsuyu.picture.room import (
    DROP,
    LINE,
    SUYU_ROOM,
    TAG_ROOM,
    name_width,
    peaks,
    roomy,
)
from engine.tahuantinsuyu.picture.sun import WIDE, sun_board
from engine.tahuantinsuyu.printed_board import Board, Edge, Point, Region, Site
from engine.tahuantinsuyu.text.names import CARDS, COLOURS, MARKERS, place

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import MarkerView, View
MARGIN = 70  # around the part of the map in which something lies
DEPTH = 10  # how high the land lies above the sea
BESIDE = 12  # how far apart roads lie that share a slot


def render(view: View, speak: Speak) -> str:
    """The board of a view as one SVG element."""
    layout = stretched(view.board)
    width, height = layout.canvas
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img" data-either=""'
        f' viewBox="0 0 {width} {height}" data-heart="{heart(layout, view)}"'
        f' data-lettering="{LETTER * SIZE[1]:g}">'
        f"<title>{escape(speak(say('{game}: the board', game='Tahuantinsuyu')))}</title>"
        f"<desc>{escape(told(view, speak))}</desc>{style()}"
        f"{paper(layout)}{lands(layout, view, speak)}{lines(layout)}"
        f"{roads(layout, view)}{markers(layout, view)}{sites(layout, view, speak)}"
        f'<g class="quiet">{names(layout)}</g>'
        f"{sun_board(layout, view, speak)}</svg>"
    )


def heart(layout: Board, view: View) -> str:
    """The part of the map in which something lies, for pictures too small to show it all; as a viewBox."""
    sites = {"cuzco", *view.buildings, *(site for joined in view.joined for site in joined)}
    sites |= {site for pairs in view.roads for pair in pairs for site in pair}
    points = [layout.sites[layout.site_index[site]].at for site in sites]
    points += [roomy(layout)[name] for name, marker in view.markers.items() if marker.type]
    left, right = min(x for x, _ in points) - MARGIN, max(x for x, _ in points) + MARGIN
    top, bottom = min(y for _, y in points) - MARGIN, max(y for _, y in points) + MARGIN
    # No higher than the whole picture is for its width: a mail would be all board.
    wide, high = layout.canvas
    width = max(right - left, (bottom - top) * wide / high)
    left = min(max((left + right - width) / 2, 0), max(wide - width, 0))
    if left < WIDE / 2:  # rather a little smaller than through the names of the sun board's sectors
        left, width = 0, width + left
    return f"{left:.0f} {top:.0f} {width:.0f} {bottom - top:.0f}"


def told(view: View, speak: Speak) -> str:
    """The position in a few words, for those who listen to it."""
    said = [
        say(
            "{seat} ({colour}): {points} VP, labour {labour}, roads {roads}.",
            seat=Seat(seat),
            colour=COLOURS[view.colours[seat]],
            points=view.scores[seat],
            labour=view.labour[seat],
            roads=len(view.roads[seat]) + 1,
        )
        for seat in range(view.seats)
    ]
    return " ".join(speak(sentence) for sentence in said)


# What lies around the land


@cache
def paper(layout: Board) -> str:
    """The ocean in the west, below, and the jungle in the east, above; a frame of another shape shows more of them."""
    width, height = layout.canvas
    (_, north), (_, south) = min(layout.land), max(layout.land)
    above = f"M{-width} {-height}H{2 * width}V{south:.0f}H{width}"
    east = f"{above}L{width / 2} {height / 2}L0 {north:.0f}H{-width}z"
    trees = "".join(
        ring(x, y, 11) for x in range(24, width, 62) for y in (26 + 24 * (x // 62 % 3),)
    )
    waves = "".join(
        f"M{x} {y}q12-11 24 0t24 0"
        for y in range(height * 3 // 4, height - 10, 44)
        for x in range(30 + y % 60, width - 60, 140)
    )
    return (
        path("sea", box(width / 2, height / 2, 3 * width, 3 * height))
        + path("swell", waves)
        + path("jungle", east)
        + path("canopy", trees)
    )


# The land


def lands(layout: Board, view: View, speak: Speak) -> str:
    coast = line(layout.land) + "z"
    ground = placed(0, DEPTH, 1, path("cliff", coast)) + path("coast", coast)
    drawn = "".join(land(layout, view, region, speak) for region in layout.regions)
    return ground + drawn + mountains(layout)


@cache
def mountains(layout: Board) -> str:
    """The relief: peaks in the light from the left, wherever nothing else stands."""
    tops = peaks(layout)
    lit = "".join(f"M{x} {y}l-14 23h14z" for x, y in tops)
    dark = "".join(f"M{x} {y}l17 23h-17z" for x, y in tops)
    return f'<g class="quiet">{path("lit", lit)}{path("dim", dark)}</g>'


def land(layout: Board, view: View, region: Region, speak: Speak) -> str:
    """A region to be pointed at; conquered ones wear the colour of who has the marker."""
    marker = view.markers.get(region.id)
    colour = region.colour or (owner_colour(view, marker) if marker else None)
    shape = outline(layout, region)
    tint = f'<g class="{colour}">{path("tint", shape)}</g>' if colour else ""
    ground = path(f"l{shade(layout)[region.id]}", shape)
    title = speak(said_of_land(layout, view, region))
    return spot(region.id, roomy(layout)[region.id], title, ground + tint + path("border", shape))


@cache
def outline(layout: Board, region: Region) -> str:
    """Its border, seen from its marker: there a page writes what a conquest costs."""
    mx, my = roomy(layout)[region.id]
    return line([(x - mx, y - my) for x, y in region.polygon]) + "z"


@cache
def shade(layout: Board) -> dict[str, int]:
    """One of five tones for each region, another than those of its neighbours."""
    found: dict[str, int] = {}
    for region in layout.regions:
        beside = {found.get(layout.regions[n].id) for n in bits(region.neighbours)}
        found[region.id] = next(
            tone for tone in (0, 1, 2, 3, 4, 0) if tone not in beside or tone == 4
        )
    return found


def owner_colour(view: View, marker: MarkerView) -> str | None:
    return None if marker.owner is None else view.colours[marker.owner]


def said_of_land(layout: Board, view: View, region: Region) -> Sentence:
    if region.colour:
        seat = view.colours.index(region.colour)
        return say("{region}: suyu of {seat}", region=region.id, seat=Seat(seat))
    marker = view.markers[region.id]
    if marker.type is None:
        return say("{region}: face down", region=region.id)
    kind = layout.markers[marker.type]
    values = {
        "region": region.id,
        "kind": MARKERS[kind.type],
        "labour": kind.labour,
        "resistance": kind.resistance,
        "points": kind.points,
    }
    if marker.owner is None:
        return say(
            "{region}: {kind}, labour {labour}, resistance {resistance}, {points} VP", **values
        )
    values = {"region": region.id, "seat": Seat(marker.owner), "labour": kind.labour}
    if marker.terrace:
        return say("{region}: of {seat}, labour {labour}, with a terrace", **values)
    return say("{region}: of {seat}, labour {labour}", **values)


def markers(layout: Board, view: View) -> str:
    """What lies on the regions."""
    found = []
    for region in layout.regions:
        x, y = roomy(layout)[region.id]
        if region.colour:
            seat = view.colours.index(region.colour)
            found.append(placed(x, y, 1, piece(seat, region.colour)))
            continue
        found.append(placed(x, y, 1, token(layout, view, view.markers[region.id])))
        if region.hand and view.options["gift_of_the_gods"]:
            found.append(path("gold", ring(x - 58, y, 6)))
    return f'<g class="quiet">{"".join(found)}</g>'


@cache
def names(layout: Board) -> str:
    """The names of the regions below their markers, bold for the suyus."""
    mist, words = list[str](), list[str]()
    for region in layout.regions:
        x, y = map(round, roomy(layout)[region.id])
        y += round(LINE / 2 + (SUYU_ROOM if region.colour else TAG_ROOM)[3])
        mist.append(behind(region.id, x, y))
        words.append(letters("ink bold" if region.colour else "ink", region.id, x, y - 2))
    return path("mist", "".join(mist)) + "".join(words)


def behind(name: str, x: float, y: float) -> str:
    """What lets a name be read over anything, in whole numbers: there are a hundred, and every page carries them."""
    return box(x, y, 2 * round(name_width(name) / 2), LINE - 2, 5)


def token(layout: Board, view: View, marker: MarkerView) -> str:
    if marker.type is None:
        return glyphs.FACE_DOWN
    kind = layout.markers[marker.type]
    if marker.owner is None:
        return glyphs.values(kind.labour, kind.resistance, kind.points)
    colour = view.colours[marker.owner]
    return glyphs.taken(kind.labour, marker.owner, colour, marker.terrace)


# Roads


@cache
def lines(layout: Board) -> str:
    """The slots as they are printed."""
    slots = "".join(line(layout.edges[n].path) for n in bits(layout.slots))
    return f'<g class="quiet">{path("bed", slots)}{path("slot", slots)}</g>'


def roads(layout: Board, view: View) -> str:
    """Everybody's roads, side by side where they share a way; pale where they are cut off."""
    lying: dict[int, list[int]] = {}
    for seat, pairs in enumerate(view.roads):
        lying.setdefault(layout.exits[view.colours[seat]], []).append(seat)
        for pair in pairs:
            lying.setdefault(layout.edge_index[pair], []).append(seat)
    ways: dict[tuple[int, bool], list[str]] = {}
    for number, seats in sorted(lying.items()):
        edge = layout.edges[number]
        for place_, seat in enumerate(seats):
            away = (place_ - (len(seats) - 1) / 2) * BESIDE
            joined = edge.pair[0] in view.joined[seat]
            ways.setdefault((seat, joined), []).append(way(edge, away))
    found = [
        network(view.colours[seat], joined, "".join(own)) for (seat, joined), own in ways.items()
    ]
    return f'<g class="quiet">{"".join(found)}</g>'


def network(colour: str, joined: bool, ways: str) -> str:
    """Dark casing, the colour, and the beat by which the colour is known without hue."""
    cut = "" if joined else " cut"
    drawn = (path(f"{look}{cut}", ways) for look in ("casing", "way", "beat"))
    return f'<g class="{colour}">{"".join(drawn)}</g>'


@cache
def way(edge: Edge, away: float) -> str:
    return line(aside(edge.path, away))


def aside(points: tuple[Point, ...], away: float) -> list[Point]:
    """A way moved sidewards."""
    (x1, y1), (x2, y2) = points[0], points[-1]
    length = hypot(x2 - x1, y2 - y1) or 1
    dx, dy = -(y2 - y1) / length * away, (x2 - x1) / length * away
    return [(x + dx, y + dy) for x, y in points]


# Sites


def sites(layout: Board, view: View, speak: Speak) -> str:
    cards = set(layout.deck(view.options))
    return "".join(site(view, one, cards, speak) for one in layout.sites)


def site(view: View, one: Site, cards: set[str], speak: Speak) -> str:
    built = view.buildings.get(one.id)
    if built:
        drawn = glyphs.building(built.kind, built.temple, one.bonus)
    elif one.kind == "city":
        drawn = glyphs.city_site(one.bonus)
    else:
        drawn = {"cuzco": glyphs.CUZCO, "garrison": glyphs.FORT_SITE}.get(one.kind, glyphs.HUACA)
    title = said_of_site(view, one)
    if (goal := f"{one.pilgrimage}_pilgrimage") in cards:
        drawn += glyphs.PENNANT
        title = say("{site}; {pilgrimage}", site=title, pilgrimage=CARDS[goal])
    return spot(one.id, one.at, speak(title), AIM + drawn + caption(one))


AIM = path("aim", ring(0, 2, 25))  # unseen until a page lights it; large enough for a finger


@cache
def caption(one: Site) -> str:
    """The id of a site, by which orders name it, for where a page or a mail shows it; the capital wears its name."""
    if one.kind not in DROP:
        return ""
    y = DROP[one.kind] + LINE / 2
    ground = path("mist", behind(one.id, 0, y))
    return f'<g class="caption">{ground}{letters("ink", one.id, 0, y)}</g>'


def said_of_site(view: View, one: Site) -> Sentence:
    here, built = place(one.id, one.name), view.buildings.get(one.id)
    if built:
        return say("{site}: {what}", site=here, what=BUILT[built.kind, built.temple])
    if one.bonus:
        return say("{site}: renowned city site, temple bonus {bonus}", site=here, bonus=one.bonus)
    return say("{site}: {what}", site=here, what=KINDS[one.kind])


KINDS = {
    "cuzco": say("the capital"),
    "huaca": say("huaca"),
    "city": say("city site"),
    "garrison": say("garrison site"),
}
BUILT = {
    ("city", False): say("city"),
    ("city", True): say("city with temple"),
    ("garrison", False): say("garrison"),
    ("garrison", True): say("garrison with temple"),
}
