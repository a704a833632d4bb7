"""What lies beside the board, in a few labelled facts for a page or a mail."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Fact
from engine.core.sentence import Seat, Sentence, listed, say
from engine.tahuantinsuyu.text.names import (
    CARDS,
    COLOURS,
    EFFECTS,
    ERAS,
    PHASES,
    UNKNOWN,
    name_card,
)
from engine.tahuantinsuyu.text.parts import (
    CHANGED_BY,
    DEVELOPMENT,
    ROADS,
    VERBS,
    come_so_far,
    effects,
    people,
)

if TYPE_CHECKING:
    from engine.tahuantinsuyu.view import View
NONE = say("none")


def summary(view: View) -> list[Fact]:
    """Where the black Inca stands and what everybody has; the hand is the viewer's own, or nobody's."""
    seats = list(view.order)
    first, later = hand(view), list[Fact]()
    if view.seat is not None and view.seat == view.turn.seat and people(view):
        # What one can pay matters now, and no card is laid.
        seats.remove(view.seat)
        first, later = [player(view, view.seat)], first
    everybody = [player(view, seat) for seat in seats]
    return [
        period(view),
        *turn(view),
        *first,
        sun(view),
        *later,
        *everybody,
        *orders(view),
        *heaps(view),
    ]


def left(view: View) -> Sentence | None:
    """The labour of whoever looks; it is kept, but one plays by it."""
    return None if view.seat is None else say("labour: {count}", count=view.labour[view.seat])


def hand(view: View) -> list[Fact]:
    if view.hand is None:
        return []
    return [
        (say("Your sun cards"), tuple(told(card) for card in view.hand) or (say("none in hand"),))
    ]


def told(card: str) -> Sentence:
    """A card of a hand: what it does, and the word by which an order names it."""
    return say("{effect} [{card}]", effect=EFFECTS.get(card, UNKNOWN), card=card)


def period(view: View) -> Fact:
    column = view.board.periods[view.period]
    columns = tuple(p.era for p in view.board.periods)
    number = columns[: view.period + 1].count(column.era)
    where = say(
        "period {number}, phase {step} of {all}",
        number=number,
        step=view.step + 1,
        all=len(column.phases),
    )
    return ERAS[column.era], (where, PHASES[column.phases[view.step]])


def turn(view: View) -> list[Fact]:
    """What another's People turn has come to; of one's own the parts of the turn tell it."""
    seat = view.turn.seat
    if seat is None or seat == view.seat or not people(view):
        return []
    come, cards = come_so_far(view), view.cards[seat]
    return [
        (label, (*come[part], *in_force(cards, part)))
        for part, label in (
            (ROADS, say("Road action of {seat}", seat=Seat(seat))),
            (DEVELOPMENT, say("Development action of {seat}", seat=Seat(seat))),
        )
    ]


def in_force(cards: dict[str, int], part: int) -> tuple[Sentence, ...]:
    """What the cards change in one part of a turn."""
    return effects(cards, dict.fromkeys(card for verb in VERBS[part] for card in CHANGED_BY[verb]))


def sun(view: View) -> Fact:
    """The sectors of the sun board: what lies open there, and whether a card lies face down."""
    things = [
        say("{sector}: {cards}", sector=sector, cards=listed(lying))
        for sector in view.sun
        if (lying := in_sector(view, sector))
    ]
    return say("Sun board"), tuple(things) or (NONE,)


def in_sector(view: View, sector: str) -> list[Sentence]:
    """The cards of a sector; one that lies face down is known to who laid it alone."""
    found = [CARDS[card] for card in view.sun[sector]]
    if laid := view.laid.get(sector):
        by = Seat(laid.seat)
        found.append(
            say("face down, by {seat}", seat=by)
            if laid.card is None
            else say("{card}, face down, by {seat}", card=name_card(laid.card), seat=by)
        )
    return found


def player(view: View, seat: int) -> Fact:
    owned = [marker for marker in view.markers.values() if marker.owner == seat]
    kinds = view.board.markers
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


def orders(view: View) -> list[Fact]:
    """Who plays before whom, and who stands before whom: of equal scores the one that came there first."""
    return [
        (say("Order of play"), tuple(say("{seat}", seat=Seat(seat)) for seat in view.order)),
        (say("Standing, first to last"), tuple(ranked(view, seat) for seat in view.standing)),
    ]


def ranked(view: View, seat: int) -> Sentence:
    return say("{seat}: {points} VP", seat=Seat(seat), points=view.scores[seat])


def heaps(view: View) -> list[Fact]:
    discard = tuple(CARDS[card] for card in view.discard)
    return [
        (say("Cards in the pile"), (str(view.pile_size),)),
        (say("Discarded sun cards"), discard or (say("none yet"),)),
    ]
