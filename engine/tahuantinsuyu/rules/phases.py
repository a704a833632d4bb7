"""What happens between orders: the way of the black Inca, and the phases that nobody plays (N-P, N-I, N-U, N-Z)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engine.core.chance import Chance
from engine.kit.masks import bits
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.actions import UNSEEN
from engine.tahuantinsuyu.evolve import evolve
from engine.tahuantinsuyu.options import (
    ARRIVALS,
    BORDERS_SPARED,
    EARLY_DECLINE,
    LAST_ERA,
    PIZARRO,
    RULES,
)
from engine.tahuantinsuyu.printed_board import Period, mask
from engine.tahuantinsuyu.rules import roads
from engine.tahuantinsuyu.scoring import scored, tracked
from engine.tahuantinsuyu.state import State, next_layer, unseen_cards


class Story:
    """Events one after the other, and the state after them."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Any] = []

    def tell(self, *events: Any) -> None:
        for event in events:
            self.events.append(event)
            self.state = evolve(self.state, event)


# The period table (N-P)


def go_on(story: Story) -> None:
    """Moves the black Inca on until somebody is asked or the match is over."""
    story.tell(begun(story.state, *next_place(story.state)))
    play_phases(story)


def play_phases(story: Story) -> None:
    """Plays what nobody is asked about, from the phase that has just begun."""
    while not BEGIN[story.state.phase](story):
        story.tell(begun(story.state, *next_place(story.state)))


def begun(state: State, period: int, step: int) -> e.PhaseBegan:
    place = state.board.periods[period]
    return e.PhaseBegan(period, step, place.era, place.phases[step])


def next_place(state: State) -> tuple[int, int]:
    """The place in the period table after this one; an early decline skips columns (N-V)."""
    if state.step + 1 < len(column(state).phases):
        return state.period, state.step + 1
    period = state.period + 1
    while state.options[EARLY_DECLINE] and state.board.periods[period].skipped:
        period += 1
    return period, 0


def column(state: State) -> Period:
    return state.board.periods[state.period]


# Inca phase (N-I)


def inca(story: Story) -> bool:
    story.tell(*(received(story.state, seat) for seat in story.state.order))
    story.tell(*aid(story.state))
    return False


def received(state: State, seat: int) -> e.LabourReceived:
    resources, terrace = column(state).resources, state.board.prices["terrace"].income
    markers = sum(state.board.markers[str(state.types[n])].labour for n in bits(state.owned[seat]))
    terraces = terrace * (state.owned[seat] & state.terraces).bit_count()
    return e.LabourReceived(seat, resources, markers, terraces, resources + markers + terraces)


def aid(state: State) -> list[e.AidGiven]:
    """What the leaders give, all from what they have now (N-I2)."""
    first, second, *_, last = state.standing
    pairs = [(first, last), *([(second, state.standing[2])] if state.seats > 3 else [])]
    gifts = [
        e.AidGiven(giver, taker, min(amount, state.labour[giver]))
        for (giver, taker), amount in zip(pairs, column(state).aid, strict=False)
    ]
    return [gift for gift in gifts if gift.labour]


# Sun phase (N-U)


def sun(story: Story) -> bool:
    story.tell(e.OrderSet(tuple(reversed(story.state.standing))))
    return ask_for_card(story)


def ask_for_card(story: Story, chance: Chance | None = None) -> bool:
    """Asks the next who has a card to lay; when all have laid, the phase is over."""
    seat = next_layer(story.state)
    if seat is not None:
        story.tell(e.CardAsked(seat))
        return True
    end_sun(story, chance)
    return False


def end_sun(story: Story, chance: Chance | None) -> None:
    """The cards are turned up; then Rural Unrest, then Popular Support (N-U3, N-U4)."""
    state = story.state
    sectors = tuple(state.board.sectors[n] for n, laid in enumerate(state.laid) if laid)
    if sectors:
        story.tell(e.CardsTurned(sectors, tuple(laid_cards(state, chance))))
    for happens in (unrest, support):
        found = (happens(story.state, seat) for seat in story.state.order)
        story.tell(*(event for event in found if event))


def laid_cards(state: State, chance: Chance | None) -> Iterator[str]:
    """The cards face down, by sector; one that is forgotten (`forget`) is drawn anew."""
    left = unseen_cards(state) if chance else []
    for laid in filter(None, state.laid):
        card = laid[1]
        if card == UNSEEN and chance:
            card = chance.pick(left)
            left.remove(card)
        yield card


def unrest(state: State, seat: int) -> e.RoadsDestroyed | None:
    if not state.cards(seat)["rural_unrest"]:
        return None
    lost = exposed(state, seat)
    return e.RoadsDestroyed(seat, state.board.pairs(lost)) if lost else None


def exposed(state: State, seat: int) -> int:
    """The seat's roads that Rural Unrest would destroy (N-U5)."""
    edges, spared = state.board.edges, 0
    if state.options[RULES] >= BORDERS_SPARED:
        spared = state.board.borders
    own = bits(state.roads[seat] & ~spared)
    return mask(number for number in own if edges[number].regions & ~state.conquered)


def support(state: State, seat: int) -> e.SupportGained | None:
    own = [state.board.markers[str(state.types[n])] for n in bits(state.owned[seat])]
    gained = state.cards(seat)["popular_support"] * sum(m.resistance == 1 for m in own)
    return e.SupportGained(seat, gained) if gained else None


# People phase: it is played


def people(story: Story) -> bool:
    begin_turn(story, story.state.order[0])
    return True


def begin_turn(story: Story, seat: int) -> None:
    story.tell(e.TurnBegan(seat, roads.allowance(story.state, seat)))


def end_turn(story: Story, seat: int, chance: Chance) -> None:
    """The next in order plays; after the last one the phase is over."""
    story.tell(e.TurnEnded(seat))
    order = story.state.order
    place = order.index(seat) + 1
    if place < len(order):
        begin_turn(story, order[place])
        return
    if pizarro_comes(story.state, chance):
        story.tell(e.PizarroCame(people_phase(story.state)))
        last = len(column(story.state).phases) - 1
        story.tell(begun(story.state, story.state.period, last))
        play_phases(story)
        return
    go_on(story)


def people_phase(state: State) -> int:
    """Which People phase of its column this is, from 1."""
    return column(state).phases[: state.step + 1].count("people")


def pizarro_comes(state: State, chance: Chance) -> bool:
    """Whether the People phase that ends now is the last; where his day is forgotten, it is drawn anew."""
    if not state.options[PIZARRO] or column(state).era != LAST_ERA:
        return False
    now = people_phase(state)
    day = state.pizarro or chance.pick([phase for phase in ARRIVALS if phase >= now])
    return day == now


# Sapa Inca phase (N-Z)


def sapa(story: Story) -> bool:
    """Scores for all from last to first, as they stood at the start; after the last one it is over."""
    state = story.state
    story.tell(e.SunCleared(tuple(sorted(card for sector in state.sun for card in sector))))
    for seat in reversed(state.standing):
        story.tell(tracked(story.state, scored(state, seat)))
    story.tell(*filter(None, (returned(state, seat) for seat in state.order)))
    if state.period < len(state.board.periods) - 1:
        return False
    story.tell(e.MatchEnded(story.state.standing, story.state.scores))
    return True


def returned(state: State, seat: int) -> e.LabourReturned | None:
    beyond = state.labour[seat] - column(state).resources
    return e.LabourReturned(seat, beyond) if beyond > 0 else None


# How each phase begins: whether it asks somebody, or ends the match.
BEGIN: dict[str, Callable[[Story], bool]] = {
    "inca": inca,
    "sun": sun,
    "people": people,
    "sapa": sapa,
}
