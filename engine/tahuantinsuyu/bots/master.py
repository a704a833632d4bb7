"""Master: searches whole turns, and looks on to its next one with the hidden things sampled; counted in nodes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game, amend
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.bots.outlook import outlook
from engine.tahuantinsuyu.bots.players import (
    after,
    fits,
    gain,
    grudge,
    imagine,
    omen,
    one_of_the_best,
    sample,
)
from engine.tahuantinsuyu.rules.legal import legal as all_legal
from engine.tahuantinsuyu.state import State, Turn
from engine.tahuantinsuyu.view import View

WIDE, NARROW = 10, 2  # lines that are thought further at each depth: in this turn, and in the next
DEEP = 7  # orders of one turn
LINES = 5  # turns that are played on
SAMPLES = 4  # of what is hidden, for each of them
SEEDS = 1 << 30
TRUST = 0.4  # how much the next turn counts beside this one: a few samples tell little
NODES = 20_000  # positions looked at for one order: a few seconds at worst
SUN_WEIGHT = 0.5  # how much of a card's worth by the search counts beside that by rule of thumb


class Budget:
    """How many positions may still be looked at."""

    def __init__(self, nodes: int) -> None:
        self.left = nodes

    def spend(self) -> None:
        self.left -= 1


def master(_game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """Plays the turn after which its next one promises most."""
    if len(legal) == 1:
        return legal[0]
    budget = Budget(NODES)
    if isinstance(legal[0], a.LayCard):
        return best_card(imagine(view, chance), legal, chance, budget)
    lines = turns(imagine(view, chance), legal[0].seat, WIDE, chance, budget)[:LINES]
    worth = [now for now, _ in lines]
    for _ in range(SAMPLES):
        state, luck = sample(view, chance), str(chance.pick(range(SEEDS)))
        for number, (_, actions) in enumerate(lines):
            # The same luck for every line, lest it decide between them.
            hope = promise(state, actions, Chance(luck, "master", 0), budget)
            worth[number] += TRUST / SAMPLES * hope
    return lines[worth.index(max(worth))][1][0]


# One turn


def turns(
    state: State, seat: int, width: int, chance: Chance, budget: Budget
) -> list[tuple[float, tuple[Any, ...]]]:
    """Whole turns, the best first: what each comes to, and its orders with the end of the turn."""
    end = a.EndTurn(seat)
    found = [(outlook(state, seat), (end,))]
    beam: list[tuple[State, tuple[Any, ...]]] = [(state, ())]
    for _ in range(DEEP):
        ranked = widened(beam, seat, width, chance, budget)
        found += [(worth, (*actions, end)) for worth, _, actions in ranked]
        beam = [(later, actions) for _, later, actions in ranked]
        if not beam:
            break
    return sorted(found, key=lambda line: -line[0])


def widened(
    beam: list[tuple[State, tuple[Any, ...]]],
    seat: int,
    width: int,
    chance: Chance,
    budget: Budget,
) -> list[tuple[float, State, tuple[Any, ...]]]:
    """The best lines with one order more; the same orders in another order come to the same."""
    found: dict[frozenset[Any], tuple[float, State, tuple[Any, ...]]] = {}
    for now, actions in beam:
        for action in all_legal(now, seat):
            if isinstance(action, a.EndTurn) or budget.left <= 0:
                continue
            budget.spend()
            later = after(now, action, chance)
            worth, key = outlook(later, seat), frozenset(later.turn.done)
            if key not in found or found[key][0] < worth:
                found[key] = (worth, later, (*actions, action))
    return sorted(found.values(), key=lambda line: -line[0])[:width]


# The next one


def promise(state: State, actions: tuple[Any, ...], chance: Chance, budget: Budget) -> float:
    """What the seat can hope for at the end of its next turn, if it plays these orders now."""
    seat = actions[0].seat
    for action in actions:
        state = after(state, action, chance)
    while not state.over and not (state.turn.seat == seat and state.phase == "people"):
        budget.spend()
        state = after(state, quick(state, chance), chance)
    if state.over:
        return result(state, seat)
    return turns(state, seat, NARROW, chance, budget)[0][0]


def result(state: State, seat: int) -> float:
    """The end: by how much the seat won or lost, in the measure of `outlook`."""
    others = [score for other, score in enumerate(state.scores) if other != seat]
    return outlook(state, seat) + 2.0 * (state.scores[seat] > max(others))


def quick(state: State, chance: Chance) -> Any:
    """What whoever is asked does at first sight."""
    seat = state.turn.seat or 0
    legal = list(all_legal(state, seat))
    if isinstance(legal[0], a.LayCard):
        return one_of_the_best(legal, lambda action: omen(state, action), chance)
    return one_of_the_best(legal, lambda action: gain(state, seat, action), chance)


# Sun cards


def best_card(state: State, legal: Sequence[Any], chance: Chance, budget: Budget) -> Any:
    """The card and the sector that help most in the turns to come, others' good fortune counted against it."""
    often = state.board.periods[state.period].phases[state.step :].count("people")
    seats = range(state.seats)
    bare = {seat: one_turn(state, seat, chance, budget) for seat in seats}
    helps = {
        (card, seat): often * worth_of(state, card, seat, bare[seat], chance, budget)
        for card in dict.fromkeys(action.card for action in legal)
        for seat in seats
    }

    def worth(action: a.LayCard) -> float:
        beside = (state.colours.index(colour) for colour in action.sector.split("-"))
        return sum(
            helps[action.card, seat] * (1 if seat == action.seat else -grudge(state, seat))
            for seat in beside
        )

    return one_of_the_best(legal, worth, chance)


def worth_of(
    state: State, card: str, seat: int, bare: float, chance: Chance, budget: Budget
) -> float:
    """What one copy more of a card does for a seat in one turn: as the search sees it, and by rule of thumb."""
    sector = state.board.sectors_of[state.colours[seat]][0]
    sun = tuple((*cards, card) if n == sector else cards for n, cards in enumerate(state.sun))
    searched = one_turn(amend(state, sun=sun), seat, chance, budget) - bare
    return SUN_WEIGHT * searched + (1 - SUN_WEIGHT) * fits(state, seat, card)


def one_turn(state: State, seat: int, chance: Chance, budget: Budget) -> float:
    """What the best turn of a seat in the next People phase comes to."""
    phases = state.board.periods[state.period].phases
    step = next(n for n in range(state.step, len(phases)) if phases[n] == "people")
    playing = amend(state, step=step, turn=Turn(seat))
    return turns(playing, seat, NARROW, chance, budget)[0][0]
