"""What lies beside the board, in a few labelled facts for a page or a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Fact
from engine.core.sentence import Seat, Sentence, say
from engine.tahuantinsuyu.board import board
from engine.tahuantinsuyu.progress import OVER
from engine.tahuantinsuyu.words import CARDS, COLOURS, EFFECTS, ERAS, PHASES

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View

NONE = say("none")
# Cards whose effect is told with the road action; the others with development.
ROAD_CARDS = ("el_nino", "extra_labour", "wild_road", "solar_eclipse")
SUN_CARDS = ("rural_unrest", "popular_support")


def summary(view: View) -> list[Fact]:
    """Where the black Inca stands and what everybody has; the hand is the viewer's own, or nobody's."""
    hand: list[Fact] = []
    if view.hand is not None:
        hand = [(say("Your sun cards"), tuple(named(card) for card in view.hand) or (NONE,))]
    return [*period(view), *turn(view), *hand, *sun(view), *players(view), *heaps(view)]


def named(card: str) -> Sentence:
    return say("{card} ({name})", card=card, name=CARDS[card])


def period(view: View) -> list[Fact]:
    column = board(view.seats).periods[view.period]
    columns = tuple(p.era for p in board(view.seats).periods)
    number = columns[: view.period + 1].count(column.era)
    where = say(
        "period {number}, phase {step} of {all}",
        number=number,
        step=view.step + 1,
        all=len(column.phases),
    )
    return [(ERAS[column.era], (where, PHASES[column.phases[view.step]]))]


def turn(view: View) -> list[Fact]:
    """What is left to whoever plays a People turn, and which cards matter for it."""
    seat, now = view.turn.seat, view.turn.progress
    if seat is None or board(view.seats).periods[view.period].phases[view.step] != "people":
        return []
    cards = view.cards[seat]
    laid = say("laid {laid} of {all}", laid=now.laid, all=view.turn.allowance)
    roads = (FINISHED if now.roads == OVER else laid, *effects(cards, ROAD_CARDS))
    others = [card for card in cards if card not in ROAD_CARDS and card not in SUN_CARDS]
    begun = say("begun") if now.main else say("not begun")
    development = (FINISHED if now.development == OVER else begun, *effects(cards, others))
    return [
        (say("Road action of {seat}", seat=Seat(seat)), roads),
        (say("Development action of {seat}", seat=Seat(seat)), development),
    ]


FINISHED = say("finished")


def effects(cards: dict[str, int], some: tuple[str, ...] | list[str]) -> tuple[Sentence, ...]:
    """What these cards change, with their copies."""
    return tuple(
        EFFECTS[card]
        if cards[card] == 1
        else say("{effect} (×{n})", effect=EFFECTS[card], n=cards[card])
        for card in some
        if cards.get(card)
    )


def sun(view: View) -> list[Fact]:
    """The sectors of the sun board: what lies open there, and whether a card lies face down."""
    facts: list[Fact] = []
    for sector, cards in view.sun.items():
        things: tuple[Sentence, ...] = tuple(CARDS[card] for card in cards)
        if laid := view.laid.get(sector):
            by = Seat(laid.seat)
            things += (
                say("face down, by {seat}", seat=by)
                if laid.card is None
                else say("{card}, face down, by {seat}", card=CARDS[laid.card], seat=by),
            )
        facts.append((say("Sun: {sector}", sector=sector), things or (NONE,)))
    return facts


def players(view: View) -> list[Fact]:
    return [player(view, seat) for seat in view.order]


def player(view: View, seat: int) -> Fact:
    owned = [marker for marker in view.markers.values() if marker.owner == seat]
    kinds = board(view.seats).markers
    income = sum(kinds[str(marker.type)].labour for marker in owned)
    terraces = sum(marker.terrace for marker in owned)
    things = (
        COLOURS[view.colours[seat]],
        say("{points} VP", points=view.scores[seat]),
        say("labour: {count}", count=view.labour[seat]),
        say("regions: {count}, for {labour} labour", count=len(owned), labour=income),
        say("terraces: {count}", count=terraces),
        say("roads: {count}", count=len(view.roads[seat]) + 1),
        say("cards: {count}", count=view.hand_sizes[seat]),
    )
    return say("{seat} has", seat=Seat(seat)), things


def heaps(view: View) -> list[Fact]:
    discard = tuple(CARDS[card] for card in view.discard)
    return [
        (say("Cards in the pile"), (str(view.pile_size),)),
        (say("Discarded sun cards"), discard or (NONE,)),
    ]
