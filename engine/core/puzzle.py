"""Puzzles: positions of which somebody has made sure what the best turn brings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from engine.core.game import Game
from engine.core.sentence import Sentence


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position in the referee's form, whose turn it is, the best value that a turn can have, and orders that have it.

    `found` says of which bots' match it is, `nodes` how many positions were looked at to be sure.
    """

    key: str
    game: str
    position: dict[str, Any]
    seat: int
    best: int
    solution: tuple[str, ...]
    nodes: int
    found: str


@dataclass(frozen=True, slots=True)
class Solution:
    """What a search has found: the best value, orders that have it, and how many positions it looked at."""

    best: int
    orders: tuple[str, ...]
    nodes: int


class TooWide(Exception):
    """More positions than the search was allowed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Puzzling:
    """What puzzles of a game ask for.

    `value` is what a turn has come to, from its beginning and where it stands; `solve` finds the best value there is, with
    at most so many positions, and may be told a value of which orders are known.
    """

    ask: Callable[[Any], Sentence]  # from a view
    unit: Callable[[int], Sentence]  # a value in words
    value: Callable[[Any, Any, int], int]
    solve: Callable[[Game, Any, int, int, int], Solution]
