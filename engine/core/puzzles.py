"""The puzzles of a game as they stand beside its code (`puzzles.json`), and what a turn in one comes to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from engine.core.puzzle import Puzzle
from engine.core.refusal import Refusal
from engine.core.registry import find, puzzling
from engine.core.thought import Thought, think_ahead


@cache
def puzzles(game: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game as they stand beside its code, in a fixed order."""
    stored = files(f"engine.{find(game).key}").joinpath("puzzles.json")
    if puzzling(game) is None or not stored.is_file():
        return ()
    rows = json.loads(stored.read_text(encoding="utf-8"))
    return tuple(Puzzle(game=game, **{**row, "solution": tuple(row["solution"])}) for row in rows)


def begin_puzzle(puzzle: Puzzle) -> Thought:
    """The position of a puzzle, to think on from; nobody draws or reveals there."""
    game = find(puzzle.game)
    return Thought(game, game.evolve(None, game.load(puzzle.position)), f"puzzle {puzzle.key}")


def value_of(puzzle: Puzzle, orders: Sequence[str]) -> int:
    """What a turn of these orders comes to; refuses what the rules refuse. What draws, reveals or ends the turn brings nothing."""
    begun = thought = begin_puzzle(puzzle)
    for order in orders:
        after = think_ahead(thought, begun.game.parse(puzzle.seat, order))
        if after is None or puzzle.seat not in begun.game.to_act(after.state):
            break
        thought = after
    asked = puzzling(puzzle.game)
    if asked is None:
        raise LookupError(puzzle.game)
    return asked.value(begun.state, thought.state, puzzle.seat)


def shorten(puzzle: Puzzle) -> Puzzle:
    """The puzzle with a solution from which no order can be left out."""
    orders = list(puzzle.solution)
    for number in reversed(range(len(orders))):
        fewer = orders[:number] + orders[number + 1 :]
        try:
            if value_of(puzzle, fewer) == puzzle.best:
                orders = fewer
        except Refusal:
            continue
    return replace(puzzle, solution=tuple(orders))
