"""What lies around the map: the sun board, the period table and the players."""

from __future__ import annotations

from functools import cache
from math import cos, pi, sin
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Speak, say
from engine.tahuantinsuyu.picture import glyphs
from engine.tahuantinsuyu.picture.glyphs import box, line, path, piece, placed, ring, spot, titled
from engine.tahuantinsuyu.picture.lettering import word
from engine.tahuantinsuyu.printed_board import Board, Point
from engine.tahuantinsuyu.text.names import CARDS, EFFECTS, ERAS, PHASES

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View


# The sun board


SUN_AT, SUN_RADIUS = (184.0, 186.0), 168.0
CARD = (150.0, 20.0)
BESIDE_RAYS, BESIDE_PIECES = 5.5, 0.1  # how far sectors keep off, in units and in radians


def sun_board(layout: Board, view: View, speak: Speak) -> str:
    """The sectors with their cards, and between them the colours that they affect."""
    x, y = SUN_AT
    wedges = [sector(layout, view, name, speak) for name in layout.sectors]
    rays = [ray(layout, view, colour) for colour in layout.colours]
    middle = path("disc", ring(x, y, 20)) + path("dark", rays_of(x, y))
    whole = path("sky", ring(x, y, SUN_RADIUS))
    return whole + "".join(wedges) + f'<g class="quiet">{"".join(rays)}{middle}</g>'


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
    reach = SUN_RADIUS * 0.6  # so far out that four cards fit between the rays
    return SUN_AT[0] + reach * cos(turn), SUN_AT[1] + reach * sin(turn), turn


@cache
def wedge(layout: Board, name: str) -> str:
    """The outline of a sector seen from its cards; it leaves room for the rays and pieces at its sides."""
    x, y, turn = middle_of(layout, name)
    half = pi / len(layout.sectors)
    start, end = turn - half + BESIDE_PIECES, turn + half - BESIDE_PIECES
    away = BESIDE_RAYS / sin(half)
    cx, cy, r = SUN_AT[0] - x, SUN_AT[1] - y, SUN_RADIUS
    return (
        f"M{cx + away * cos(turn):.1f} {cy + away * sin(turn):.1f}"
        f"L{cx + r * cos(start):.1f} {cy + r * sin(start):.1f}"
        f"A{r:g} {r:g} 0 0 1 {cx + r * cos(end):.1f} {cy + r * sin(end):.1f}z"
    )


def sector(layout: Board, view: View, name: str, speak: Speak) -> str:
    x, y, _ = middle_of(layout, name)
    cards = [sun_card(card, speak) for card in view.sun[name]]
    if laid := view.laid.get(name):
        cards.append(face_down(laid.seat, view.colours[laid.seat], laid.card, speak))
    high = 22 if len(cards) < 5 else 16
    stack = "".join(
        placed(0, (n - (len(cards) - 1) / 2) * high, 1, card) for n, card in enumerate(cards)
    )
    title = speak(say("{sector}: cards {n}", sector=name, n=len(cards)))
    return spot(name, (x, y), title, path("sky", wedge(layout, name)) + stack)


@cache
def card_face(card: str) -> str:
    text = card.replace("_", " ")
    return path("card", box(0, 0, *CARD, 4)) + path("dark", word(text, 0, 0, 0.86))


def sun_card(card: str, speak: Speak) -> str:
    title = f"{speak(CARDS[card])} ({speak(EFFECTS[card])})"
    return titled(title, card_face(card))


def face_down(seat: int, colour: str, card: str | None, speak: Speak) -> str:
    """A card laid in this phase; its own player sees which."""
    known = speak(say("face down, by {seat}", seat=Seat(seat)))
    text = path("pale", word(card.replace("_", " "), 8, 0, 0.8)) if card else ""
    back = path("back", box(0, 0, *CARD, 4)) + placed(
        -CARD[0] / 2 + 10, 0, 0.6, piece(seat, colour)
    )
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
        + named(colour, tip)
    )


@cache
def named(colour: str, tip: Point) -> str:
    """The word of a colour, by which orders name the sectors beside it."""
    x, y = tip[0], tip[1] + (23 if tip[1] > SUN_AT[1] else -23)
    return path("mist", box(x, y, 9.6 * len(colour) + 6, 15, 4)) + path(
        "ink", word(colour, x, y, 1.1)
    )


# The period table


TABLE_AT, CELL = (1330.0, 36.0), (46.0, 18.0)


def periods(layout: Board, view: View, speak: Speak) -> str:
    """The columns of phases, with the black Inca where the match stands."""
    left, top = TABLE_AT
    columns = "".join(column(layout, view, number, speak) for number in range(len(layout.periods)))
    x, y = cell(view.period, view.step)
    inca = placed(x, y - 3, 0.86, glyphs.BLACK_INCA)
    panel = path("panel", box(left + 3 * CELL[0], top + 86, 7 * CELL[0] + 12, 214, 8))
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
    drawn = path(look, box(x, y, CELL[0] - 4, CELL[1] - 3, 4)) + inside
    if phase == "people" and period == len(view.board.periods) - 1:
        drawn += ship(view, step, (x, y))
    return titled(speak(PHASES[phase]), drawn)


def ship(view: View, step: int, at: Point) -> str:
    """Pizarro's: wherever he may come, and when he has come only there."""
    x, y = at
    if not view.options["pizarro"] or view.pizarro not in (None, step // 2):
        return ""
    doubt = path("dark bold", word("?", x + 2, y, 0.7)) if view.pizarro is None else ""
    return placed(x + 13, y, 0.62, glyphs.CARAVEL) + doubt


# The players


PANEL = (290.0, 112.0)
STRIP = 132  # how high the strip below the map is in which the players stand


def players(layout: Board, view: View) -> str:
    """Everybody's score, labour, cards and the look of their roads, in order of play."""
    width, height = layout.canvas
    each = width / view.seats
    found = [
        player(view, seat, ((tile + 0.5) * each, height + STRIP / 2), tile + 1)
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
        placed(x - width / 2 + 42, y - 14, 1.8, piece(seat, colour)),
        path("faint bold", word(str(tile), x - width / 2 + 40, y + 37, 1.3)),
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
