"""How strong the bots are and how long they think: each against the one below it, seats rotated."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from rich.console import Console
from rich.progress import track
from rich.table import Table

from app.cli.arena import Contest, Played, plays
from engine.core import arena
from engine.core.registry import bots, games


@dataclass(frozen=True)
class Bar:
    """A pairing with what the first must reach: its part of the wins, and ms for a turn."""

    bot: str
    rival: str
    part: float
    ms: int


BARS = [Bar("steady", "random", 0.95, 100), Bar("keen", "steady", 0.65, 2000)]
QUICK, FULL = 4, 200  # matches


def main(matches: int = FULL, jobs: int = 1) -> None:
    """Plays every pairing of every game and prints one table."""
    table = Table(
        "game",
        "pairing",
        "wins",
        "95 of 100",
        "goal",
        "mean scores",
        "ms a turn",
        "most",
        "goal",
        title=f"Bots, {matches} matches each, one against as few as the game allows",
    )
    for key, game in games().items():
        for bar in BARS:
            if {bar.bot, bar.rival} <= bots(game).keys():
                table.add_row(key, *figures(key, bar, matches, jobs))
    Console(width=140).print(table)


def figures(key: str, bar: Bar, matches: int, jobs: int) -> list[str]:
    """The row of one pairing."""
    rivals = max(1, games()[key].seats[0] - 1)  # one against as few as the game allows
    contest = Contest(key, (bar.bot, *[bar.rival] * rivals), "bench")
    going = plays(contest, matches, jobs)
    label = f"{key}: {bar.bot} and {bar.rival}"
    played: list[Played] = list(track(going, description=label, total=matches))
    first, second, *_ = arena.tallies([outcome.result for outcome in played])
    low, high = first.interval
    turns = [seconds * 1000 for outcome in played for seconds in outcome.turns[0]]
    return [
        f"{bar.bot} – {bar.rival}",
        f"{first.wins:g} ({first.wins / matches:.1%})",
        f"{low:.1%} – {high:.1%}",
        f"{bar.part:.0%}",
        f"{first.score:.1f} – {second.score:.1f}",
        f"{median(turns):.0f}",
        f"{max(turns):.0f}",
        f"{bar.ms}",
    ]
