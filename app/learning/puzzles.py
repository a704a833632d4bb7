"""Puzzles: their positions, what a turn in one comes to, and which is the one of a day. Nothing of it is stored."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from itertools import zip_longest

from app.learning.lessons import played
from app.matches.drafts import clean_orders
from app.people.puzzle_tries import PuzzleTally, Try
from app.platform.errors import LineRefused
from app.platform.i18n import translate_sentence
from app.views.order_words import ToldOrder, describe_orders
from app.views.position_page import Position, set_up_position
from engine.core import puzzle
from engine.core.match import Match, start_at
from engine.core.puzzles import count_orders, puzzles, question_of, value_of, what_is_asked
from engine.core.refusal import Refusal, Unknown
from engine.core.registry import find, games
from engine.core.sentence import Sentence, say

Puzzle = puzzle.Puzzle  # for the surfaces: they import from the app alone
ENOUGH = 10  # tries by different people before a puzzle is rated
RATINGS = ((2 / 3, say("easy")), (1 / 3, say("medium")), (0.0, say("hard")))
Tries = dict[tuple[str, str], Try]
Tallies = dict[tuple[str, str], PuzzleTally]


@dataclass(frozen=True, slots=True)
class Entry:
    """A puzzle in a list: what became of it in the hands of whoever looks, and of everybody."""

    puzzle: Puzzle
    question: Sentence
    mine: Try | None
    tally: PuzzleTally

    @property
    def rating(self) -> Sentence | None:
        """How hard it is by the share of those who solved it; None before enough have tried."""
        if self.tally.tried < ENOUGH:
            return None
        share = self.tally.solved / self.tally.tried
        return next(word for least, word in RATINGS if share >= least)


@dataclass(frozen=True, slots=True)
class Collection:
    """The puzzles of one game."""

    key: str
    name: str
    entries: tuple[Entry, ...]

    @property
    def solved(self) -> int:
        return sum(1 for entry in self.entries if entry.mine and entry.mine.solved)


def find_collection(key: str, tries: Tries, tallies: Tallies) -> Collection:
    """The puzzles of a game; refuses a game that there is not or that has none."""
    game = find(key)
    if not puzzles(game.key):
        raise Unknown(say("{game} has no puzzles yet.", game=game.name))
    return Collection(
        game.key,
        game.name,
        tuple(
            Entry(
                one,
                ask_puzzle(one.game, one.key),
                tries.get((one.game, one.key)),
                tallies.get((one.game, one.key), PuzzleTally()),
            )
            for one in puzzles(game.key)
        ),
    )


def list_collections(tries: Tries, tallies: Tallies) -> tuple[Collection, ...]:
    return tuple(find_collection(key, tries, tallies) for key in games() if puzzles(key))


def list_puzzles(key: str) -> tuple[Puzzle, ...]:
    """The puzzles of a game, in their order."""
    return puzzles(find(key).key)


def find_puzzle(key: str, name: str) -> Puzzle:
    found = next((one for one in puzzles(find(key).key) if one.key == name), None)
    if found is None:
        raise Unknown(say("There is no such puzzle."))
    return found


@cache
def ask_puzzle(key: str, name: str) -> Sentence:
    return question_of(find_puzzle(key, name))


def puzzle_of_day(day: date) -> Puzzle | None:
    """The same for everybody on a day, and each of them in turn, a game after the other."""
    mixed = mix_puzzles()
    return mixed[day.toordinal() % len(mixed)] if mixed else None


@cache
def mix_puzzles() -> tuple[Puzzle, ...]:
    rounds = zip_longest(*(puzzles(key) for key in games()))
    return tuple(one for some in rounds for one in some if one)


@cache
def begin(key: str, name: str) -> Match:
    """The position of a puzzle; it is asked for at every step."""
    return start_at(find(key), find_puzzle(key, name).position, "puzzle", f"puzzle {key} {name}")


def open_puzzle(puzzle: Puzzle) -> Position:
    """The puzzle's position, to be played from its seat."""
    title = translate_sentence(say("Puzzle {number}", number=puzzle.key))
    return set_up_position(begin(puzzle.game, puzzle.key), puzzle.seat, title)


@cache
def tell_puzzle_solution(key: str, name: str) -> list[ToldOrder]:
    """The best turn of a puzzle, in words."""
    puzzle, match = find_puzzle(key, name), begin(key, name)
    return describe_orders(match.game, match.state, puzzle.seat, puzzle.solution)


@dataclass(frozen=True, slots=True)
class PuzzleAttempt:
    """What came of some orders: the position after those that count, and their value."""

    puzzle: Puzzle
    orders: tuple[str, ...]
    counted: int
    position: Position
    value: int

    @property
    def solved(self) -> bool:
        return self.value >= self.puzzle.best

    @property
    def told(self) -> Sentence:
        return say_value(self.puzzle, self.value)


def say_value(puzzle: Puzzle, value: int) -> Sentence:
    return what_is_asked(puzzle).unit(value)


def attempt_puzzle(puzzle: Puzzle, orders: Sequence[str]) -> PuzzleAttempt:
    """Plays orders in a puzzle's position; refuses what the rules refuse, in their words."""
    position, lines = open_puzzle(puzzle), clean_orders(list(orders))
    counted, following = 0, count_orders(puzzle, lines)
    try:
        for _ in following:
            counted += 1
    except Refusal as problem:
        raise LineRefused(counted + 1, problem) from None
    after = played(position.match, puzzle.seat, lines[:counted])
    return PuzzleAttempt(
        puzzle=puzzle,
        orders=tuple(lines),
        counted=counted,
        position=set_up_position(after, puzzle.seat, position.title),
        value=value_of(puzzle, lines[:counted]),
    )
