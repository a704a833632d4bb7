"""`chasqui arena`: bots play matches against each other, and a table tells how they did."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from multiprocessing import get_context
from statistics import median
from time import perf_counter, process_time
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.table import Table

from app.matches.external_bot import PROGRAM_MARK, external_bot
from engine.core import arena
from engine.core.arena import Forfeit, Result, Tally
from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import check_seats
from engine.core.registry import find, find_bot

LIMIT = 10.0  # seconds for an order of a program


@dataclass
class Timed:
    """A bot with a watch: the seconds of each of its turns, which are its orders in a row.

    The time of our own bots is that of the processor, which other work beside the arena does not lengthen.
    """

    bot: Bot
    last: list[int]  # the number of the bot that was asked last, shared by all at the table
    number: int
    clock: Callable[[], float]
    turns: list[float] = field(default_factory=list)

    def __call__(self, game: Game, view: Any, legal: Sequence[Any], chance: Chance) -> Any:
        if self.last[0] != self.number:
            self.last[0] = self.number
            self.turns.append(0.0)
        begun = self.clock()
        try:
            return self.bot(game, view, legal, chance)
        finally:
            self.turns[-1] += self.clock() - begun


@dataclass(frozen=True, slots=True)
class Played:
    """A match that was played: its result, and how long each bot took for each turn."""

    result: Result
    turns: tuple[tuple[float, ...], ...]  # by bot


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what; plain words, so that another process can play a match of it too."""

    game: str
    bots: tuple[str, ...]
    seed: str
    limit: float = LIMIT

    def play(self, match: int) -> Played:
        """One match of the contest."""
        game, last = find(self.game), [-1]
        order = arena.seating(match, len(self.bots))
        with ExitStack() as running:
            timed = [
                Timed(self.bot(game, name, running), last, number, clock_of(name))
                for number, name in enumerate(self.bots)
            ]
            seed = f"{self.seed} {arena.deal(match, len(self.bots))}"
            result = arena.play(game, [timed[number] for number in order], seed)
        return Played(result, tuple(tuple(bot.turns) for bot in timed))

    def bot(self, game: Game, name: str, running: ExitStack) -> Bot:
        """A bot of the game, or a program that runs until the match ends."""
        if not name.startswith(PROGRAM_MARK):
            return find_bot(game, name)
        try:
            return running.enter_context(external_bot(name.removeprefix(PROGRAM_MARK), self.limit))
        except Forfeit as forfeit:
            return partial(give_up, forfeit)


def clock_of(name: str) -> Callable[[], float]:
    return perf_counter if name.startswith(PROGRAM_MARK) else process_time


def give_up(forfeit: Forfeit, *_: Any) -> Any:
    """A program that could not be started loses when it is asked first."""
    raise forfeit


@click.command("arena")
@click.argument("game")
@click.argument("bots", nargs=-1)
@click.option("--bot", "more", multiple=True, help='One more bot, e.g. --bot "cmd:./mybot".')
@click.option("--matches", default=20, type=click.IntRange(1), help="How many matches.")
@click.option("--seed", help="The same word gives the same matches.")
@click.option("--jobs", default=1, type=click.IntRange(1, 64), help="How many at the same time.")
@click.option(
    "--limit",
    default=LIMIT,
    type=click.FloatRange(0, min_open=True),
    help="Seconds that a program has for an order.",
)
def arena_command(
    *,
    game: str,
    bots: tuple[str, ...],
    more: tuple[str, ...],
    matches: int,
    seed: str | None,
    jobs: int,
    limit: float,
) -> None:
    """Let bots play each other, each as often at every seat.

    A bot is the name of one that the game brings (random, steady, keen), or cmd: and a program that
    reads a line of JSON with "view" and "legal" and answers {"order": …}.
    """
    rules, entrants = find(game), (*bots, *more)
    check_seats(rules, len(entrants))
    for name in entrants:
        if not name.startswith(PROGRAM_MARK):
            find_bot(rules, name)
    chosen = secrets.token_hex(4) if seed is None else seed
    contest = Contest(rules.key, entrants, chosen, limit)
    console = Console()
    played = list(
        track(
            plays(contest, matches, jobs),
            description=rules.name,
            total=matches,
            console=Console(stderr=True),
            transient=True,
        )
    )
    for match, outcome in enumerate(played):
        tell_forfeit(console, contest, match, outcome.result)
    console.print(table_of(contest, played))
    console.print(f"--seed {chosen} plays these matches again.", highlight=False, markup=False)


def plays(contest: Contest, matches: int, jobs: int) -> Iterator[Played]:
    """All matches in order, some at the same time."""
    if jobs == 1:
        yield from map(contest.play, range(matches))
        return
    # Spawned, because the progress bar has a thread and a fork would not copy it whole.
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        yield from pool.map(contest.play, range(matches))


def tell_forfeit(console: Console, contest: Contest, match: int, result: Result) -> None:
    if result.loser is None:
        return
    name = contest.bots[arena.seating(match, len(contest.bots))[result.loser]]
    console.print(f"Match {match + 1}: {name} lost. {result.why}", highlight=False, markup=False)


def table_of(contest: Contest, played: Sequence[Played]) -> Table:
    """A row for each bot."""
    table = Table(
        "bot",
        *("wins", "95 of 100", "mean score", "orders a match", "ms a turn", "most"),
        title=f"{find(contest.game).name}: {len(played)} matches",
    )
    for column in table.columns[1:]:
        column.justify = "right"
    tallies = arena.tallies([outcome.result for outcome in played])
    for number, (name, tally) in enumerate(zip(contest.bots, tallies, strict=True)):
        turns = [seconds for outcome in played for seconds in outcome.turns[number]]
        table.add_row(escape(name), *figures(tally, turns))
    return table


def figures(tally: Tally, turns: Sequence[float]) -> Iterator[str]:
    """What stands in the row of a bot."""
    low, high = tally.interval
    yield f"{tally.wins:g} ({tally.wins / tally.matches:.0%})"
    yield f"{low:.0%} – {high:.0%}"
    yield f"{tally.score:.1f}"
    yield f"{tally.orders:.0f}"
    yield f"{median(turns) * 1000:.0f}" if turns else "-"
    yield f"{max(turns) * 1000:.0f}" if turns else "-"
