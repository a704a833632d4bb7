"""Random matches for tests: whole ones, kept once, and the states on their way."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from random import Random
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, start
from engine.core.playout import random_acts, random_match
from engine.core.registry import games


class Rigid(Chance):
    """Dice that must not be rolled."""

    def __init__(self) -> None:
        super().__init__("", "", 0)

    def pick(self, items: Any) -> Any:
        raise AssertionError(f"one of {len(items)} was drawn")


@cache
def whole(key: str, seats: int, seed: int) -> Match:
    """A whole random match."""
    return random_match(games()[key], seats, seed)


def walk(key: str, seats: int, seed: int, **options: bool) -> Iterator[Match]:
    """A random match, order by order."""
    first = start(games()[key], seats, options, f"walk {seed}")
    yield first
    yield from random_acts(first, Random(seed))


def orders(game: Game, state: Any, *seats: int) -> list[str]:
    """All legal orders of these seats, or of those that are asked, sorted as the referee does."""
    some = seats or game.to_act(state)
    return sorted(game.format(action) for seat in some for action in game.legal(state, seat))


def asked(matches: Iterable[Match]) -> Iterator[tuple[Match, int]]:
    """Each match with each seat that is asked there."""
    return ((match, seat) for match in matches for seat in match.game.to_act(match.state))
