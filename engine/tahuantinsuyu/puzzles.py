"""Puzzles of Tahuantinsuyu: the most victory points in one turn, as far as everything is in sight."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from engine.core.game import Game
from engine.core.puzzle import Puzzling, Solution
from engine.core.sentence import Sentence, say
from engine.kit.search import search_all
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.progress import progress
from engine.tahuantinsuyu.rules.decide import commits
from engine.tahuantinsuyu.rules.legal import legal
from engine.tahuantinsuyu.state import State


def ask(_view: Any) -> Sentence:
    return say("Which turn brings you the most victory points at once?")


def unit(value: int) -> Sentence:
    return say("{n} point", "{n} points", n=value)


def gained(before: State, after: State, seat: int) -> int:
    return after.scores[seat] - before.scores[seat]


def solve(game: Game, state: State, seat: int, most: int, known: int = -1) -> Solution:
    """Looks at every turn; the same orders in another order come to the same."""
    return search_all(
        game,
        state,
        most,
        known,
        options=lambda now: open_orders(now, seat),
        key=alike,
        value=lambda now: gained(state, now, seat),
    )


def open_orders(state: State, seat: int) -> Iterator[Any]:
    """The orders of a turn that turn nothing up and do not end it."""
    for action in legal(state, seat):
        if not isinstance(action, a.EndTurn) and not commits(state, action):
            yield action


def alike(state: State) -> Hashable:
    return frozenset(state.turn.done), progress(state.turn.done)


PUZZLING = Puzzling(ask=ask, unit=unit, value=gained, solve=solve)
