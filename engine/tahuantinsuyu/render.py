"""The board as a picture: an SVG that depends on the view alone and shows nobody's hand."""

from __future__ import annotations

from functools import cache, partial
from html import escape
from math import cos, hypot, pi, sin
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Sentence, Speak, say
from engine.tahuantinsuyu import glyphs
from engine.tahuantinsuyu.board import Board, Edge, Point, Region, Site, bits, board
from engine.tahuantinsuyu.glyphs import box, path, piece, placed, ring
from engine.tahuantinsuyu.lettering import word
from engine.tahuantinsuyu.palette import ROOT, style
from engine.tahuantinsuyu.words import CARDS, COLOURS, EFFECTS, ERAS, MARKERS, PHASES, place

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import MarkerView, View

EDGE = 52  # how wide the score track is
SPACES = 100
BESIDE = 8.6  # how far apart roads lie that share a slot


def render(view: View, speak: Speak) -> str:
    """The board of a view as one SVG element."""
    layout = board(view.seats)
    width, height = layout.canvas
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ROOT}" role="img"'
        f' viewBox="{-EDGE} {-EDGE} {width + 2 * EDGE} {height + 2 * EDGE}">'
        f"<title>{escape(speak(say('{game}: the board', game='Tahuantinsuyu')))}</title>"
        f"<desc>{escape(told(view, speak))}</desc>{style()}"
        f"{paper(layout)}{track(layout, view)}{lands(layout, view, speak)}{lines(layout)}"
        f"{roads(layout, view)}{markers(layout, view)}{sites(layout, view, speak)}"
        f"{sun_board(layout, view, speak)}{periods(layout, view, speak)}{players(layout, view)}</svg>"
    )


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


def titled(title: str, inside: str) -> str:
    return f"<g><title>{escape(title)}</title>{inside}</g>"


def spot(name: str, at: Point, title: str, inside: str) -> str:
    """A part of the board that orders name: it can be pointed at."""
    return (
        f'<g class="place" data-place="{name}" transform="translate({at[0]:g} {at[1]:g})">'
        f"<title>{escape(title)}</title>{inside}</g>"
    )


def line(points: tuple[Point, ...] | list[Point]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)


# The paper and the track around it


@cache
def paper(layout: Board) -> str:
    width, height = layout.canvas
    sea = box(width / 2, height / 2, width, height)
    # The jungle lies east, above the land; the ocean west, below.
    east = f"M0 0H{width}V{layout.land[-1][1]:.0f}L{width / 2} {height / 3}L0 {height * 0.58:.0f}z"
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
    width, height = layout.canvas
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
    found = []
    for number in range(SPACES):
        x, y, width, height, _ = space(layout, number)
        look = "fifth" if number % 5 == 0 else "space"
        found.append(path(look, box(x, y, width - 3, height - 3, 4)))
        if number % 5 == 0:
            found.append(path("faint", word(str(number), x, y, 0.9)))
    return "".join(found)


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
        lap = view.scores[seat] // SPACES
        more = path("ink bold", word(f"+{lap}", 0, -19, 0.8)) if lap else ""
        figure = piece(seat, view.colours[seat]) + more
        found.append(placed(x + dx * away, y + dy * away, scale, figure))
    return "".join(found)


# The land


def lands(layout: Board, view: View, speak: Speak) -> str:
    coast = path("coast", line(layout.land) + "z")
    return coast + "".join(land(layout, view, region, speak) for region in layout.regions)


def land(layout: Board, view: View, region: Region, speak: Speak) -> str:
    """A region to be pointed at; conquered ones wear the colour of who has the marker."""
    marker = view.markers.get(region.id)
    colour = region.colour or (owner_colour(view, marker) if marker else None)
    shape = outline(layout, region)
    tint = f'<g class="{colour}">{path("tint", shape)}</g>' if colour else ""
    ground = path(f"l{shade(layout)[region.id]}", shape)
    title = speak(said_of_land(layout, view, region))
    return spot(region.id, region.marker, title, ground + tint + path("border", shape))


@cache
def outline(_layout: Board, region: Region) -> str:
    mx, my = region.marker
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
            found.append(path("mist", box(x, y + 24, 6.2 * len(region.id) + 6, 12, 4)))
            found.append(path("ink bold", word(region.id, x, y + 24, 0.72)))
            continue
        found.append(placed(x, y, 1, token(layout, view, view.markers[region.id])))
        found.append(path("mist", box(x, y + 20, 6.2 * len(region.id) + 6, 12, 4)))
        found.append(path("ink", word(region.id, x, y + 20, 0.74)))
        if region.hand and view.options["gift_of_the_gods"]:
            found.append(path("gold", ring(x - 36, y, 4)))
    return f'<g class="quiet">{"".join(found)}</g>'


@cache
def roomy(layout: Board) -> dict[str, Point]:
    """Where the marker of each region hides as little as can be of sites and borders."""
    steps = [(dx, dy) for dx in range(-48, 49, 6) for dy in range(-42, 43, 6)]
    found = {region.id: region.marker for region in layout.regions if region.colour}
    for region in layout.regions:
        if not region.colour:
            x, y = region.marker
            ways = [(x + dx, y + dy) for dx, dy in steps]
            sites = close([(site.at[0], site.at[1] + 5) for site in layout.sites], region.marker)
            others = close(list(found.values()), region.marker)
            found[region.id] = min(ways, key=partial(crowding, region, sites, others))
    return found


def close(points: list[Point], at: Point) -> list[Point]:
    return [(x, y) for x, y in points if abs(x - at[0]) < 115 and abs(y - at[1]) < 90]


def crowding(region: Region, sites: list[Point], others: list[Point], at: Point) -> float:
    """How much a marker with its name would hide there, and how far it would stick out."""
    x, y = at
    hidden = sum(max(0.0, 45 - abs(a - x)) * max(0.0, 37 - abs(b - y - 7)) for a, b in sites)
    hidden += sum(max(0.0, 66 - abs(a - x)) * max(0.0, 40 - abs(b - y)) for a, b in others)
    corners = [(x + dx, y + dy) for dx in (-31, 0, 31) for dy in (-12, 12)]
    out = sum(not inside(corner, region.polygon) for corner in corners)
    return hidden + 90 * out + hypot(x - region.marker[0], y - region.marker[1])


def inside(point: Point, polygon: tuple[Point, ...]) -> bool:
    """Whether a point lies in a polygon: a ray from it crosses the rim an odd number of times."""
    x, y = point
    odd = False
    for (x1, y1), (x2, y2) in zip(polygon, (*polygon[1:], polygon[0]), strict=True):
        if (y1 > y) != (y2 > y) and x < (x2 - x1) * (y - y1) / (y2 - y1) + x1:
            odd = not odd
    return odd


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
    return f'<g class="quiet">{path("slot", slots)}</g>'


def roads(layout: Board, view: View) -> str:
    """Everybody's roads, side by side where they share a way; pale where they are cut off."""
    lying: dict[int, list[int]] = {}
    for seat, pairs in enumerate(view.roads):
        lying.setdefault(layout.exits[view.colours[seat]], []).append(seat)
        for pair in pairs:
            lying.setdefault(layout.edge_index[pair], []).append(seat)
    found = []
    for number, seats in sorted(lying.items()):
        edge = layout.edges[number]
        for place_, seat in enumerate(seats):
            away = (place_ - (len(seats) - 1) / 2) * BESIDE
            joined = edge.pair[0] in view.joined[seat]
            found.append(road(edge, away, view.colours[seat], joined))
    return f'<g class="quiet">{"".join(found)}</g>'


@cache
def road(edge: Edge, away: float, colour: str, joined: bool) -> str:
    """Dark casing, the colour, and the beat by which the colour is known without hue."""
    way, cut = line(aside(edge.path, away)), "" if joined else " cut"
    return (
        f'<g class="{colour}">{path(f"casing{cut}", way)}{path(f"way{cut}", way)}'
        f"{path(f'beat{cut}', way)}</g>"
    )


def aside(points: tuple[Point, ...], away: float) -> list[Point]:
    """A way moved sidewards."""
    (x1, y1), (x2, y2) = points[0], points[-1]
    length = hypot(x2 - x1, y2 - y1) or 1
    dx, dy = -(y2 - y1) / length * away, (x2 - x1) / length * away
    return [(x + dx, y + dy) for x, y in points]


# Sites


def sites(layout: Board, view: View, speak: Speak) -> str:
    return "".join(site(view, one, speak) for one in layout.sites)


def site(view: View, one: Site, speak: Speak) -> str:
    built = view.buildings.get(one.id)
    if built:
        drawn = glyphs.building(built.kind, built.temple, one.bonus)
    elif one.kind == "city":
        drawn = glyphs.city_site(one.bonus)
    else:
        drawn = {"cuzco": glyphs.CUZCO, "garrison": glyphs.FORT_SITE}.get(one.kind, glyphs.HUACA)
    title = speak(said_of_site(view, one))
    return spot(one.id, one.at, title, AIM + drawn + label(one))


AIM = path("aim", ring(0, 2, 17))  # unseen until a page lights it; large enough for a finger


@cache
def label(one: Site) -> str:
    """The id of a site below it, by which orders name it."""
    if one.kind == "cuzco":
        return ""
    drop = {"huaca": 13, "city": 20, "garrison": 20}[one.kind]
    return path("mist", box(0, drop, 24, 9, 3)) + path("ink", word(one.id, 0, drop, 0.58))


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

# The sun board

SUN_AT, SUN_RADIUS = (184.0, 182.0), 168.0


def sun_board(layout: Board, view: View, speak: Speak) -> str:
    """The sectors with their cards, and between them the colours that they affect."""
    x, y = SUN_AT
    wedges = [sector(layout, view, name, speak) for name in layout.sectors]
    rays = [ray(layout, view, colour) for colour in layout.colours]
    middle = path("disc", ring(x, y, 20)) + path("dark", rays_of(x, y))
    return "".join(wedges) + f'<g class="quiet">{"".join(rays)}{middle}</g>'


def rays_of(x: float, y: float) -> str:
    turns = [2 * pi * n / 12 for n in range(12)]
    return "".join(
        f"M{x + 23 * cos(a):.1f} {y + 23 * sin(a):.1f}L{x + 30 * cos(a):.1f} {y + 30 * sin(a):.1f}"
        for a in turns
    )


@cache
def bearing(layout: Board, colour: str) -> float:
    """In which direction the ray of a colour leaves the middle."""
    ring_of_colours = [name.split("-")[0] for name in layout.sectors]
    # Each sector lies between its first colour and the next sector's first.
    return 2 * pi * (ring_of_colours.index(colour) / len(ring_of_colours)) - pi / 4


@cache
def middle_of(layout: Board, name: str) -> tuple[float, float, float]:
    """Where the cards of a sector lie, and in which direction."""
    one, _ = name.split("-")
    turn = bearing(layout, one) + pi / len(layout.sectors)
    reach = SUN_RADIUS * 0.56
    return SUN_AT[0] + reach * cos(turn), SUN_AT[1] + reach * sin(turn), turn


def sector(layout: Board, view: View, name: str, speak: Speak) -> str:
    x, y, turn = middle_of(layout, name)
    half = pi / len(layout.sectors)
    start, end = turn - half, turn + half
    cx, cy, r = SUN_AT[0] - x, SUN_AT[1] - y, SUN_RADIUS
    shape = (
        f"M{cx:.1f} {cy:.1f}L{cx + r * cos(start):.1f} {cy + r * sin(start):.1f}"
        f"A{r:g} {r:g} 0 0 1 {cx + r * cos(end):.1f} {cy + r * sin(end):.1f}z"
    )
    cards = [sun_card(card, speak) for card in view.sun[name]]
    if laid := view.laid.get(name):
        cards.append(face_down(laid.seat, view.colours[laid.seat], laid.card, speak))
    high = 19 if len(cards) < 6 else 15
    stack = "".join(
        placed(0, (n - (len(cards) - 1) / 2) * high, 1, card) for n, card in enumerate(cards)
    )
    title = speak(say("{sector}: cards {n}", sector=name, n=len(cards)))
    return spot(name, (x, y), title, path("sky", shape) + stack)


@cache
def card_face(card: str) -> str:
    text = card.replace("_", " ")
    return path("card", box(0, 0, 112, 17, 4)) + path("dark", word(text, 0, 0, 0.6))


def sun_card(card: str, speak: Speak) -> str:
    title = f"{speak(CARDS[card])} ({speak(EFFECTS[card])})"
    return titled(title, card_face(card))


def face_down(seat: int, colour: str, card: str | None, speak: Speak) -> str:
    """A card laid in this phase; its own player sees which."""
    known = speak(say("face down, by {seat}", seat=Seat(seat)))
    text = path("pale", word(card.replace("_", " "), 10, 0, 0.52)) if card else ""
    back = path("back", box(0, 0, 112, 17, 4)) + placed(-46, 0, 0.55, piece(seat, colour))
    return titled(known, back + text)


def ray(layout: Board, view: View, colour: str) -> str:
    turn = bearing(layout, colour)
    x, y = SUN_AT
    tip = (x + SUN_RADIUS * cos(turn), y + SUN_RADIUS * sin(turn))
    way = line([(x, y), tip])
    seat = view.colours.index(colour)
    return (
        f'<g class="{colour}">{path("casing", way)}{path("way", way)}{path("beat", way)}</g>'
        + placed(*tip, 0.95, piece(seat, colour))
    )


# The period table

TABLE_AT, CELL = (1330.0, 36.0), (46.0, 16.0)


def periods(layout: Board, view: View, speak: Speak) -> str:
    """The columns of phases, with the black Inca where the match stands."""
    left, top = TABLE_AT
    columns = "".join(column(layout, view, number, speak) for number in range(len(layout.periods)))
    x, y = cell(view.period, view.step)
    inca = placed(x, y - 3, 0.86, glyphs.BLACK_INCA)
    panel = path("panel", box(left + 3 * CELL[0], top + 76, 7 * CELL[0] + 12, 196, 8))
    return f"{panel}{columns}{inca}"


def cell(period: int, step: int) -> Point:
    return TABLE_AT[0] + period * CELL[0], TABLE_AT[1] + 20 + step * CELL[1]


def column(layout: Board, view: View, number: int, speak: Speak) -> str:
    period = layout.periods[number]
    x, y = cell(number, 0)
    skipped = view.options["early_decline"] and period.skipped
    head = placed(
        x, y - 26, 1, path("toil", box(0, 0, 17, 17, 2)) + glyphs.digit(period.resources, "dark")
    )
    found = [
        titled(
            speak(
                say("{era}: {resources} labour", era=ERAS[period.era], resources=period.resources)
            ),
            head,
        )
    ]
    for step, phase in enumerate(period.phases):
        found.append(phase_cell(view, number, step, phase, skipped, speak))
    return "".join(found)


LOOKS = {"inca": "toil", "sun": "sky", "people": "people", "sapa": "sapa"}


def phase_cell(view: View, period: int, step: int, phase: str, skipped: bool, speak: Speak) -> str:
    x, y = cell(period, step)
    look = "empty" if skipped else LOOKS[phase]
    inside = "" if skipped else placed(x - 12, y, 0.9, glyphs.PHASES[phase])
    ship = ""
    if view.options["pizarro"] and phase == "people" and period == 6:
        came = view.pizarro == step // 2
        ship = placed(x + 13, y, 0.62, glyphs.CARAVEL) + (
            "" if came else path("dark bold", word("?", x + 2, y, 0.7))
        )
    drawn = path(look, box(x, y, CELL[0] - 4, CELL[1] - 3, 4)) + inside + ship
    return titled(speak(PHASES[phase]), drawn)


# The players

PANEL_AT, PANEL = (1000.0, 716.0), (236.0, 118.0)


def players(layout: Board, view: View) -> str:
    """Everybody's score, labour, cards and the look of their roads, in order of play."""
    count = view.seats
    left = layout.canvas[0] - 24 - count * (PANEL[0] + 10) + PANEL[0] / 2
    found = [
        player(view, seat, (left + tile * (PANEL[0] + 10), PANEL_AT[1]), tile + 1)
        for tile, seat in enumerate(view.order)
    ]
    return f'<g class="quiet">{"".join(found)}</g>'


def player(view: View, seat: int, at: Point, tile: int) -> str:
    x, y = at
    colour, (width, height) = view.colours[seat], PANEL
    frame = box(x, y, width, height, 10)
    asked = path("turn", frame) if seat in view.to_act else ""
    way = line([(x - width / 2 + 70, y + 38), (x + width / 2 - 16, y + 38)])
    sample = f'<g class="{colour}">{path("casing", way)}{path("way", way)}{path("beat", way)}</g>'
    rows = (
        placed(x - 80, y - 14, 1.8, piece(seat, colour)),
        path("faint bold", word(str(tile), x - 84, y + 38, 1.3)),
        placed(x - 24, y - 30, 1.3, path("laurel", ring(0, 0, 10)) + path("pale bold", WREATH)),
        path("ink bold", word(str(view.scores[seat]), x + 14, y - 30, 1.6)),
        placed(x - 24, y + 4, 1.1, path("toil", box(0, 0, 18, 18, 2)) + path("dark bold", SPADE)),
        path("ink bold", word(str(view.labour[seat]), x + 14, y + 4, 1.4)),
        sample,
    )
    back = path("panel", frame)
    cards = cards_held(view.hand_sizes[seat], x + width / 2 - 20, y - 34)
    return back + asked + "".join(rows) + cards


WREATH = "M-4 5C-7 0-6-4-3-6M4 5C7 0 6-4 3-6M-1.5 6h3"  # points
SPADE = "M-4 5 4-3M1-6l5 5"  # labour


def cards_held(count: int, x: float, y: float) -> str:
    """The backs of a hand: how many, not which."""
    backs = "".join(
        path("back", box(x - 4 * n, y - 2 * n, 16, 24, 2)) for n in range(min(count, 4))
    )
    return backs + (
        path(
            "pale bold",
            word(str(count), x - 4 * (min(count, 4) - 1), y - 2 * (min(count, 4) - 1), 0.8),
        )
        if count
        else ""
    )
