"""The puzzles of a game as they stand beside its code (`puzzles.json`), and what a turn in one comes to."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files

from engine.core.puzzle import Puzzle, Puzzling
from engine.core.refusal import Refusal
from engine.core.registry import find, puzzling
from engine.core.sentence import Sentence
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


def count_orders(puzzle: Puzzle, orders: Sequence[str]) -> Iterator[Thought]:
    """The positions after the orders that count: the first that draws, reveals or ends the turn counts no more.

    Refuses what the rules refuse.
    """
    thought = begin_puzzle(puzzle)
    for order in orders:
        after = think_ahead(thought, thought.game.parse(puzzle.seat, order))
        if after is None or puzzle.seat not in thought.game.to_act(after.state):
            return
        thought = after
        yield thought


def value_of(puzzle: Puzzle, orders: Sequence[str]) -> int:
    """What a turn of these orders comes to."""
    begun = begin_puzzle(puzzle)
    *_, last = begun, *count_orders(puzzle, orders)
    return what_is_asked(puzzle).value(begun.state, last.state, puzzle.seat)


def what_is_asked(puzzle: Puzzle) -> Puzzling:
    asked = puzzling(puzzle.game)
    if asked is None:
        raise LookupError(puzzle.game)
    return asked


def question_of(puzzle: Puzzle) -> Sentence:
    """What a puzzle asks for."""
    begun = begin_puzzle(puzzle)
    return what_is_asked(puzzle).ask(begun.game.view(begun.state, puzzle.seat))


def prove(puzzle: Puzzle) -> int:
    """Looks for a turn that is better than the one that the puzzle knows; how many positions it took to find none."""
    asked, state = what_is_asked(puzzle), begin_puzzle(puzzle).state
    better = asked.solve(
        find(puzzle.game), state, puzzle.seat, 2 * puzzle.nodes + 1000, puzzle.best
    )
    if better.best != puzzle.best or value_of(puzzle, puzzle.solution) != puzzle.best:
        raise AssertionError(f"{puzzle.game} {puzzle.key}: {puzzle.best} is claimed, {better}")
    return better.nodes


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
