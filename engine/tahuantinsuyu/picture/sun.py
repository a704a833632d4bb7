"""The sun board, in the jungle that the land leaves free: its sectors with their cards."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from engine.core.sentence import Seat, Speak, say, seat_letter
from engine.tahuantinsuyu.picture.glyphs import SHAPES, box, path, placed, spot, titled
from engine.tahuantinsuyu.picture.lettering import letters, writable
from engine.tahuantinsuyu.printed_board import Board
from engine.tahuantinsuyu.text.names import EFFECTS, name_card

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
CORNER = (12.0, 12.0)
WIDE, HEAD, CARD, GAP = 268.0, 36.0, 27.0, 5.0
ROOM = WIDE - 26  # for the name of a card
COLUMN = 3  # sectors below each other; the fourth lies beside the first, where the land is far


def sun_board(layout: Board, view: View, speak: Speak) -> str:
    """The sectors, each as high as its cards need."""
    found, (left, top) = list[str](), CORNER
    for number, name in enumerate(layout.sectors):
        if number == COLUMN:
            left, top = left + WIDE + GAP, CORNER[1]
        cards = cards_in(view, name, speak)
        high = HEAD + CARD * max(1, len(cards)) + GAP
        found.append(sector(name, (left + WIDE / 2, top + HEAD / 2), high, cards, speak))
        top += high + GAP
    return "".join(found)


def sector(name: str, at: tuple[float, float], high: float, cards: list[str], speak: Speak) -> str:
    """A sector around its head; the colours that it lies between stand beside its name."""
    stack = "".join(placed(0, HEAD / 2 + CARD * (n + 0.5), 1, card) for n, card in enumerate(cards))
    title = speak(say("{sector}: cards {n}", sector=name, n=len(cards)))
    ground = path("sky", box(0, (high - HEAD) / 2, WIDE, high, 8))
    return spot(name, at, title, f"{ground}{headed(name)}{stack}")


@cache
def headed(name: str) -> str:
    """The name of a sector between the figures of its colours."""
    one, other = name.split("-")
    return figure(one, -WIDE / 2 + 22) + letters("ink bold", name) + figure(other, WIDE / 2 - 22)


def figure(colour: str, x: float) -> str:
    shape, _ = SHAPES[colour]
    return placed(x, 0, 0.8, f'<g class="{colour}">{path("halo", shape)}{path("hue", shape)}</g>')


def cards_in(view: View, name: str, speak: Speak) -> list[str]:
    cards = [sun_card(card, speak) for card in view.sun[name]]
    if laid := view.laid.get(name):
        cards.append(face_down(laid.seat, view.colours[laid.seat], laid.card, speak))
    return cards


def sun_card(card: str, speak: Speak) -> str:
    name = speak(name_card(card))
    title = f"{name} ({speak(EFFECTS[card])})" if card in EFFECTS else name
    return titled(title, path("card", FACE) + letters("dark", writable(name), y=-1.5, room=ROOM))


FACE = box(0, 0, WIDE - 10, CARD - 2, 4)


def face_down(seat: int, colour: str, card: str | None, speak: Speak) -> str:
    """A card laid in this phase; its own player sees which."""
    known = speak(say("face down, by {seat}", seat=Seat(seat)))
    whose = figure(colour, -WIDE / 2 + 22)
    text = (
        letters("pale", writable(speak(name_card(card))), 14, room=ROOM - 44)
        if card
        else letters("pale", seat_letter(seat))
    )
    return titled(known, path("back", FACE) + whose + text)
