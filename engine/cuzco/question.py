"""What a festival asks of somebody: the city, the stake, where everybody stands, and the answers with what they come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.core.game import Answer, Fact, Question
from engine.core.sentence import Seat, Sentence, say
from engine.cuzco import actions as a
from engine.cuzco.cards import choices, total
from engine.cuzco.edition import VALUES, Edition
from engine.cuzco.state import UNSEEN
from engine.cuzco.text.orders import write

if TYPE_CHECKING:
    from engine.cuzco.view import FestivalView, View


def question(edition: Edition, view: View) -> Question | None:
    """The festival that the viewer is asked about, if one is."""
    feast = view.festival
    if feast is None or view.seat is None or view.seat not in view.to_act:
        return None
    return Question(
        title=say("Festival in the city of {hex}", hex=feast.at),
        facts=(stake(edition, view, feast), *standings(view, feast), open_card(view)),
        answers=tuple(answers(edition, view, feast, view.seat)),
        composed=("bid",) if UNSEEN in (view.hand or ()) else (),
    )


def stake(edition: Edition, view: View, feast: FestivalView) -> Fact:
    step = VALUES.index(view.temples[feast.at].value)
    return (
        say("At stake"),
        (
            say("alone {points} PP", points=edition.alone[step]),
            say("shared {points} PP each", points=edition.shared[step]),
        ),
    )


def standings(view: View, feast: FestivalView) -> list[Fact]:
    """Everybody's FP so far, and how many cards they could still play."""
    return [
        (named(seat), (standing(view, feast, seat),))
        for seat in range(view.seats)
        if seat in feast.present or seat in feast.out
    ]


def named(seat: int) -> Sentence:
    return say("{seat}", seat=Seat(seat))


def standing(view: View, feast: FestivalView, seat: int) -> Sentence:
    if seat in feast.out:
        return say("dropped out")
    return say(
        "{points} FP, {n} card in hand",
        "{points} FP, {n} cards in hand",
        points=feast.totals[seat],
        n=view.hand_sizes[seat],
    )


def open_card(view: View) -> Fact:
    return say("Open card"), (view.open or say("none lies open"),)


def answers(edition: Edition, view: View, feast: FestivalView, seat: int) -> list[Answer]:
    """The word that plays no card, then every bid that reaches the highest, the cheapest first."""
    mine = feast.totals[seat]
    short = feast.highest - mine
    bids = [
        (total(cards, view.open), cards)
        for cards in choices(view.hand or (), view.open)
        if total(cards, view.open) >= short
    ]
    found = [
        Answer(
            write(edition, a.Bid(seat, cards)),
            say("Bid"),
            say("then {points} FP", points=mine + worth),
            cards,
        )
        for worth, cards in sorted(bids, key=lambda bid: (bid[0], len(bid[1]), bid[1]))
    ]
    return [word(edition, seat, short, mine), *found]


def word(edition: Edition, seat: int, short: int, mine: int) -> Answer:
    if short > 0:
        return Answer(write(edition, a.Pass(seat)), say("Drop out"), say("no PP"))
    return Answer(
        write(edition, a.Hold(seat)), say("Share"), say("stay at {points} FP", points=mine)
    )
