"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from functools import cache
from html import escape
from math import hypot
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, say
from engine.kit.letters import LETTER
from engine.tahuantinsuyu.picture import glyphs
from engine.tahuantinsuyu.picture.glyphs import box, line, path, piece, placed, ring, spot
from engine.tahuantinsuyu.picture.lettering import word
from engine.tahuantinsuyu.picture.palette import ROOT, style
from engine.tahuantinsuyu.picture.panels import STRIP, periods, players, sun_board
from engine.tahuantinsuyu.picture.room import (
    DROP,
    id_at,
    id_room,
    name_height,
    name_width,
    peaks,
    roomy,
)
from engine.tahuantinsuyu.printed_board import Board, Edge, Point, Region, Site, bits
from engine.tahuantinsuyu.text.names import CARDS, COLOURS, MARKERS, place

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import MarkerView, View
EDGE = 52  # how wide the score track is
SPACES = 100
LAP = 0.8  # how large laps around the track are written
MARGIN = 46  # around the part of the map in which something lies
DEPTH = 7  # how high the land lies above the sea
BESIDE = 8.6  # how far apart roads lie that share a slot


def render(view: View, speak: Speak) -> str:
    """The board of a view as one SVG element."""
    layout = view.board
    width, height = frame(layout)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img" data-either=""'
        f' viewBox="{-EDGE} {-EDGE} {width + 2 * EDGE} {height + 2 * EDGE}"'
        f' data-heart="{heart(layout, view)}" data-lettering="{LETTER * layout.lettering[0]:g}">'
        f"<title>{escape(speak(say('{game}: the board', game='Tahuantinsuyu')))}</title>"
        f"<desc>{escape(told(view, speak))}</desc>{style()}"
        f"{paper(layout)}{track(layout, view)}{lands(layout, view, speak)}{lines(layout)}"
        f"{roads(layout, view)}{markers(layout, view)}{sites(layout, view, speak)}"
        f"{sun_board(layout, view, speak)}{periods(layout, view, speak)}{players(layout, view)}</svg>"
    )


def heart(layout: Board, view: View) -> str:
    """The part of the map in which something lies, for pictures too small to show it all; as a viewBox."""
    sites = {"cuzco", *view.buildings, *(site for joined in view.joined for site in joined)}
    sites |= {site for pairs in view.roads for pair in pairs for site in pair}
    points = [layout.sites[layout.site_index[site]].at for site in sites]
    points += [roomy(layout)[name] for name, marker in view.markers.items() if marker.type]
    left, right = min(x for x, _ in points) - MARGIN, max(x for x, _ in points) + MARGIN
    top, bottom = min(y for _, y in points) - MARGIN, max(y for _, y in points) + MARGIN
    return f"{left:.0f} {top:.0f} {right - left:.0f} {bottom - top:.0f}"


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


# The paper and the track around it


def frame(layout: Board) -> tuple[int, int]:
    """The map, and below it a strip for the players; the track runs around both."""
    width, height = layout.canvas
    return width, height + STRIP


@cache
def paper(layout: Board) -> str:
    width, height = frame(layout)
    sea = box(width / 2, height / 2, width, height)
    # The jungle lies east, above the land; the ocean west, below.
    (_, north), (_, south) = min(layout.land), max(layout.land)
    east = f"M0 0H{width}V{south:.0f}L{width / 2} {height / 2}L0 {north:.0f}z"
    trees = "".join(ring(x, y, 7) for x in range(24, width, 62) for y in (30 + 17 * (x // 62 % 3),))
    waves = "".join(
        f"M{x} {y}q9-8 18 0t18 0"
        for y in range(660, height - 10, 34)
        for x in range(30 + y % 60, width - 60, 120)
    )
    return (
        path("paper", box(width / 2, height / 2, width + 2 * EDGE, height + 2 * EDGE, 16))
        + path("sea", sea)
        + path("swell", waves)
        + path("jungle", east)
        + path("canopy", trees)
    )


@cache
def space(layout: Board, number: int) -> tuple[float, float, float, float, Point]:
    """A space of the track: its middle, its size, and which way is outwards."""
    width, height = frame(layout)
    across, along = width / 32, height / 16
    far = EDGE / 2
    if number % 50 == 0:
        corner = (-far, -far) if number == 0 else (width + far, height + far)
        return (*corner, EDGE, EDGE, (0, -1) if number == 0 else (0, 1))
    if number < 33:
        return (number - 0.5) * across, -far, across, EDGE, (0, -1)
    if number == 33:
        return width + far, -far, EDGE, EDGE, (0, -1)
    if number < 50:
        return width + far, (number - 33.5) * along, EDGE, along, (1, 0)
    if number < 83:
        return width - (number - 50.5) * across, height + far, across, EDGE, (0, 1)
    if number == 83:
        return -far, height + far, EDGE, EDGE, (0, 1)
    return -far, height - (number - 83.5) * along, EDGE, along, (-1, 0)


@cache
def bare_track(layout: Board) -> str:
    spaces = [space(layout, number) for number in range(SPACES)]
    outlines = [box(x, y, width - 3, height - 3, 4) for x, y, width, height, _ in spaces]
    fifths = "".join(outlines[::5])
    others = "".join(outline for number, outline in enumerate(outlines) if number % 5)
    numbers = "".join(word(str(5 * n), x, y, 1.3) for n, (x, y, *_) in enumerate(spaces[::5]))
    return path("fifth", fifths) + path("space", others) + path("faint", numbers)


def track(layout: Board, view: View) -> str:
    """The figures on their spaces: nearer the map leads."""
    spaces: dict[int, list[int]] = {}
    for seat in view.standing:
        spaces.setdefault(view.scores[seat] % SPACES, []).append(seat)
    return bare_track(layout) + "".join(
        figures(layout, view, number, seats) for number, seats in spaces.items()
    )


def figures(layout: Board, view: View, number: int, seats: list[int]) -> str:
    x, y, _, _, (dx, dy) = space(layout, number)
    apart, scale = ((0, 1.0), (21, 0.82), (15.5, 0.6), (12, 0.5))[len(seats) - 1]
    found = []
    for place_, seat in enumerate(seats):
        away = (place_ - (len(seats) - 1) / 2) * apart
        fx, fy = x + dx * away, y + dy * away
        found.append(placed(fx, fy, scale, piece(seat, view.colours[seat])))
        if lap := view.scores[seat] // SPACES:
            # Beside the figure, where no other of this space stands.
            beside = (fx + 15 * scale + 6, fy) if dy else (fx, fy - 15 * scale - 6)
            found.append(path("ink bold", word(f"+{lap}", *beside, LAP)))
    return "".join(found)


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
    lit = "".join(f"M{x} {y}l-9 14h9z" for x, y in tops)
    dark = "".join(f"M{x} {y}l11 14h-11z" for x, y in tops)
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
    """What lies on the regions, and their names."""
    found = []
    for region in layout.regions:
        x, y = roomy(layout)[region.id]
        if region.colour:
            seat = view.colours.index(region.colour)
            found.append(placed(x, y, 1.1, piece(seat, region.colour)))
            continue
        found.append(placed(x, y, 1, token(layout, view, view.markers[region.id])))
        if region.hand and view.options["gift_of_the_gods"]:
            found.append(path("gold", ring(x - 36, y, 4)))
    return f'<g class="quiet">{"".join(found)}{names(layout)}</g>'


@cache
def names(layout: Board) -> str:
    """The names of the regions below their markers, bold for the suyus."""
    mist, thin, bold = list[str](), list[str](), list[str]()
    for region in layout.regions:
        x, y = roomy(layout)[region.id]
        high = name_height(layout)
        y += high / 2 + (18 if region.colour else 13)
        mist.append(box(x, y, name_width(layout, region.id), high, 4))
        (bold if region.colour else thin).append(word(region.id, x, y, layout.lettering[1]))
    return (
        path("mist", "".join(mist)) + path("ink", "".join(thin)) + path("ink bold", "".join(bold))
    )


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
    return "".join(site(view, one, cards, speak) for one in layout.sites) + labels(layout)


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
    return spot(one.id, one.at, speak(title), AIM + drawn)


AIM = path("aim", ring(0, 2, 17))  # unseen until a page lights it; large enough for a finger


@cache
def labels(layout: Board) -> str:
    """The ids of the sites, by which orders name them; the capital wears its name."""
    named = [(one.id, *id_at(layout, one)) for one in layout.sites if one.kind in DROP]
    mist = "".join(box(x, y, *id_room(layout, name), 3) for name, x, y in named)
    ink = "".join(word(name, x, y, layout.lettering[0]) for name, x, y in named)
    return f'<g class="quiet">{path("mist", mist)}{path("ink", ink)}</g>'


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
