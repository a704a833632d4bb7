"""`make balance`: who wins by seat and colour, how long matches last, how they end."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from time import monotonic
from typing import Any

import click
from rich.console import Console
from rich.progress import track

from engine.core.game import Game
from engine.core.match import settle_options
from engine.core.registry import bots, find, find_bot, games
from tests.balance import report
from tests.balance.figures import Measured
from tests.balance.kept import play_on
from tests.balance.matches import Course, Series


@click.command()
@click.argument("game", required=False)
@click.option("--matches", default=100, type=click.IntRange(1), help="For each number of seats.")
@click.option("--bot", default="steady", help="The strength that plays every seat.")
@click.option("--against", "rival", help="The bot at all other seats: a duel of two strengths.")
@click.option(
    "--seats", multiple=True, type=int, help="Only this number of seats; may be repeated."
)
@click.option("--option", "chosen", multiple=True, help="An option of the game, e.g. board=1.")
@click.option("--seed", default="balance", help="The same word gives the same matches.")
@click.option("--jobs", default=1, type=click.IntRange(1, 64), help="How many at the same time.")
@click.option("--minutes", type=float, help="Stop then; the same command goes on from there.")
@click.option("--write", is_flag=True, help="Put the tables into docs/BALANCE.md too.")
def main(
    game: str | None,
    matches: int,
    bot: str,
    rival: str | None,
    seats: tuple[int, ...],
    chosen: tuple[str, ...],
    seed: str,
    jobs: int,
    minutes: float | None,
    write: bool,
) -> None:
    """Lets a bot play itself at GAME, or at every game that has this bot, with every number of seats."""
    if game:
        for name in filter(None, (bot, rival)):
            find_bot(find(game), name)
    end = monotonic() + 60 * minutes if minutes else None
    for rules in [find(game)] if game else games().values():
        if not {bot, rival or bot} <= bots(rules).keys():
            continue
        options = read_options(rules, chosen)
        measured = [
            measure(
                Series(rules.key, bot, n, seed, tuple(options.items()), rival), matches, jobs, end
            )
            for n in seats or rules.seats
        ]
        players = f"{bot} against {rival}" if rival else bot
        title = ", ".join([rules.name, players, *chosen, *(f"{n} seats" for n in seats)])
        for table in report.tables(
            f"{title}: {matches} matches for each number of seats", measured
        ):
            Console().print(table)
        if write and all(len(one.courses) == matches for one in measured):
            words = [rules.key, "--matches", str(matches), "--bot", bot]
            words += ["--against", rival] if rival else []
            words += ["--seed", seed]
            more = [word for value in chosen for word in ("--option", value)]
            counts = [word for n in seats for word in ("--seats", str(n))]
            command = f"python -m tests.balance {shlex.join([*words, *more, *counts])}"
            asked = report.asked(rules.key, rival)
            report.write_section(title, report.section(title, command, measured, asked))


def read_options(game: Game, chosen: tuple[str, ...]) -> dict[str, Any]:
    """All options of a game, some of them given as name=value."""
    pairs = (choice.partition("=") for choice in chosen)
    return settle_options(game, {name: json.loads(value) for name, _, value in pairs})


def measure(series: Series, matches: int, jobs: int, end: float | None) -> Measured:
    """Plays a series under a progress bar, until it is whole or time is up."""
    going = track(
        until(end, play_on(series, matches, jobs)),
        description=f"{series.game}, {' against '.join(series.strengths)}, {series.seats} seats",
        total=matches,
        console=Console(stderr=True),
    )
    return Measured(series.seats, tuple(going))


def until(end: float | None, courses: Iterator[Course]) -> Iterator[Course]:
    """The matches that are done by then, one at least."""
    for course in courses:
        yield course
        if end is not None and monotonic() > end:
            return


if __name__ == "__main__":
    main()
