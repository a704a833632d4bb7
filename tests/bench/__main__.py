"""`make bench`: speed, each figure beside its goal and beside a floor measured in the same run."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from engine.core.match import advance
from engine.core.playout import random_match, random_state
from engine.core.registry import games
from tests.bench import bots, growth, mail, pages, scale, store
from tests.engine.matches import walk

MATCHES = 30
# For a game, the µs of a legal set and random matches a second; where nothing is said, nothing is asked.
LEGAL = {"cuzco": 1000, "java": 1000, "tahuantinsuyu": 2000, "inka": 5000}
A_SECOND = {"cuzco": 15, "tahuantinsuyu": 10}


def engine_figures(table: Table) -> None:
    for key in games():
        legal_figures(table, key)
        match_figures(table, key)
        fold_figures(table, key)


PARTS: dict[str, Callable[[Table], None]] = {
    "engine": engine_figures,
    "store": store.figures,
    "pages": pages.figures,
    "growth": growth.figures,
    "mail": mail.figures,
    "scale": scale.figures,
}


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice([*PARTS, "bots"]), metavar="[PARTS]...")
@click.option("--matches", default=0, help="How many matches a pairing of bots plays.")
@click.option("--jobs", default=1, help="How many processes play them.")
def main(parts: tuple[str, ...], matches: int, jobs: int) -> None:
    """Measures these PARTS, or all: engine, store, pages, growth, mail, bots.

    Bots alone play 200 matches a pairing, which takes an hour; beside other parts a few.
    """
    chosen = set(parts or [*PARTS, "bots"])
    alone = chosen == {"bots"}
    if not alone:
        table = Table("what", "measured", "floor", "ratio", "goal", title="Chasqui bench")
        for part, measure in PARTS.items():
            if part in chosen:
                measure(table)
        Console().print(table)
    if "bots" in chosen:
        bots.main(matches or (bots.FULL if alone else bots.QUICK), jobs)


def legal_figures(table: Table, key: str) -> None:
    """The whole legal set, against merely making a list of as many ready objects."""
    times, floors = list[float](), list[float]()
    for match in track(list(walk(key, 3, 1))[::3], description=f"{key}: legal"):
        game, state = match.game, match.state
        for seat in game.to_act(state):
            actions = list(game.legal(state, seat))
            times.append(best(lambda: list(game.legal(state, seat))))  # noqa: B023 - called at once
            floors.append(best(actions.copy))
    middle, floor = median(times) * 1e6, median(floors) * 1e6
    table.add_row(
        f"{key}: legal orders, median",
        f"{middle:.0f} µs",
        f"{floor:.1f} µs",
        f"{middle / floor:.0f}x",
        f"{LEGAL[key]} µs" if key in LEGAL else "",
    )
    table.add_row(
        f"{key}: legal orders, 95 of 100", f"{quantiles(times, n=20)[-1] * 1e6:.0f} µs", "", "", ""
    )


def match_figures(table: Table, key: str) -> None:
    """Whole random matches: list all legal orders, choose one, decide, evolve."""
    game = games()[key]
    random_state(game, 3, 0)  # warm the tables
    begun, orders = process_time(), 0
    for seed in track(range(MATCHES), description=f"{key}: random matches"):
        orders += random_state(game, 3, seed)[1]
    spent = process_time() - begun
    goal = str(A_SECOND.get(key, ""))
    table.add_row(f"{key}: random matches a second", f"{MATCHES / spent:.1f}", "", "", goal)
    table.add_row(f"{key}: orders a second in them", f"{orders / spent:.0f}", "", "", "")


def fold_figures(table: Table, key: str) -> None:
    """Folding events, against calling a function that does nothing for each of them."""
    match = random_match(games()[key], 3, Random(1).randrange(1000))
    events = [entry.event for entry in match.log]
    spent = best(lambda: advance(match.game, None, events))
    floor = best(lambda: [len(()) for _ in events])
    table.add_row(
        f"{key}: events folded a second",
        f"{len(events) / spent:,.0f}",
        f"{len(events) / floor:,.0f}",
        f"{spent / floor:.0f}x",
        "",
    )


def best(call: Callable[[], Any], tries: int = 3) -> float:
    """The quickest of a few tries, in seconds."""
    times = []
    for _ in range(tries):
        begun = perf_counter()
        call()
        times.append(perf_counter() - begun)
    return min(times)


if __name__ == "__main__":
    main()
