"""Puzzles of Inka: statues in one turn, with as few action points as can be."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from itertools import chain
from typing import Any

from engine.core.game import Game
from engine.core.puzzle import Puzzling, Solution
from engine.core.sentence import Sentence, say
from engine.inka import actions as a
from engine.inka.printed_board import COVER, DESTINATIONS, INDEX
from engine.inka.rules.legal import legal, pawn_acts, walks
from engine.inka.state import AP, State
from engine.kit.search import search_all

STATUE = AP + 1  # so that no AP left over outweighs a statue


def ask(_view: Any) -> Sentence:
    return say(
        "Take as many statues as you can in this turn, with as few action points as you can."
    )


def unit(value: int) -> Sentence:
    statues, left = divmod(value, STATUE)
    if not statues:
        return say("no statue")
    return say(
        "{n} statue, {left} AP left over", "{n} statues, {left} AP left over", n=statues, left=left
    )


def worth(before: State, after: State, seat: int) -> int:
    """Statues taken, and with one at least the AP that are left."""
    statues = len(after.taken[seat]) - len(before.taken[seat])
    return STATUE * statues + after.turn.ap if statues else 0


def solve(game: Game, state: State, seat: int, most: int, known: int = -1) -> Solution:
    """Looks at every turn whose end may bring a statue."""
    return search_all(
        game,
        state,
        most,
        known,
        options=lambda now: useful(now, seat),
        key=alike,
        value=lambda now: worth(state, now, seat),
        bound=lambda now: most_worth(state, now, seat),
    )


def most_worth(before: State, now: State, seat: int) -> int:
    """No end of the turn is worth more: a statue for each AP that is left."""
    taken = len(now.taken[seat])
    more = min(now.turn.ap, len(DESTINATIONS) - taken)
    return STATUE * (taken - len(before.taken[seat]) + more) + now.turn.ap - more


def useful(state: State, seat: int) -> Iterator[Any]:
    """The orders of a turn that may help towards a statue.

    A pawn stops where something is to be done: elsewhere it only stands, and from there no way is cheaper. Whoever has
    spent the last AP takes no statue any more.
    """
    if not state.turn.ap or state.over:
        return
    stops = wanted(state, seat)
    for action in legal(state, seat) if state.turn.ap > 1 else last_orders(state, seat):
        match action:
            case a.Walk(_, to):
                if stops >> INDEX[to] & 1:
                    yield action
            case a.TakeStatue():
                yield action
            case a.MoveLozenge() | a.UsePassage():
                if state.turn.ap > 1:
                    yield action


def last_orders(state: State, seat: int) -> Iterator[Any]:
    """With one AP: free ways, and what can be done where the pawn stands."""
    free = chain.from_iterable(actions for _, actions in walks(state, seat, 0))
    return chain(free, pawn_acts(state, seat))


def wanted(state: State, seat: int) -> int:
    """The cells on which a pawn can do something: statues not taken yet, passages and symbols."""
    cells = state.board.passages | state.board.symbols
    for id_ in DESTINATIONS:
        if id_ not in state.taken[seat]:
            cells |= COVER[state.ground.lying[id_]]
    return cells


def alike(state: State) -> Hashable:
    lying = tuple(sorted(state.ground.lying.items()))
    return lying, state.pawns, state.taken, state.turn.ap, state.turn.pawn


PUZZLING = Puzzling(ask=ask, unit=unit, value=worth, solve=solve)
