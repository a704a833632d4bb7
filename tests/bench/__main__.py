"""`make bench`: speed, each figure beside its goal and beside a floor measured in the same run.

The bots play a few matches at the end. `make bench ARGS=bots` plays nothing but bots, 200 matches a pairing, which takes
an hour; `make bench ARGS="bots 20 2"` plays 20 matches a pairing in two processes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table

from engine.core.match import advance
from engine.core.playout import random_match, random_state
from engine.core.registry import games
from tests.bench import bots, growth, mail, pages, store
from tests.engine.matches import walk

MATCHES = 30


def main() -> None:
    table = Table("what", "measured", "floor", "ratio", "goal", title="Chasqui bench")
    for key in games():
        legal_figures(table, key)
        match_figures(table, key)
        fold_figures(table, key)
    store.figures(table)
    pages.figures(table)
    growth.figures(table)
    mail.figures(table)
    Console().print(table)
    bots.main(bots.QUICK)


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
        "1000 µs",
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
    table.add_row(f"{key}: random matches a second", f"{MATCHES / spent:.1f}", "", "", "15 (Cuzco)")
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
    match sys.argv[1:]:
        case ["bots", *numbers]:
            bots.main(*map(int, numbers))
        case _:
            main()
