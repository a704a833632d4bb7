"""`make soak`: the long campaigns behind our promises, `make soak ARGS="races oracle"` some of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from time import monotonic

import click
from rich.console import Console
from rich.progress import track

from engine.core import playout
from engine.core.match import start
from engine.core.registry import games
from tests.engine import hostile
from tests.games import test_against_the_oracle as oracle
from tests.games.inka import test_against_the_oracle as inka_oracle
from tests.games.tahuantinsuyu import test_against_the_oracle as tahuantinsuyu_oracle
from tests.soak import (
    api,
    care,
    deadlines,
    faults,
    mails,
    mutations,
    patroni,
    replay,
    upkeep,
    worlds,
)

CONSOLE = Console()


def hostile_lines() -> str:
    tally: Counter[str] = Counter()
    for seed in track(range(100), description="100,000 hostile lines"):
        tally.update(hostile.campaign(1000, seed))
    return (
        f"{tally.total()} hostile lines, 0 tracebacks, nothing changed by a refusal: {dict(tally)}"
    )


def against_the_oracle() -> str:
    agreed("positions against the oracle", oracle.campaign, 30, 10)
    return (
        "300 random positions, six orders deep: the same orders and states as the slow oracle has"
    )


def against_the_oracle_of_inka() -> str:
    agreed("halls of Inka against the oracle", inka_oracle.campaign, 30, 10)
    return (
        "300 crowded halls of Inka, eight orders deep, as many doubtful positions and 30 starts: "
        "the same orders, refusals and states as the slow oracle has"
    )


def against_the_oracle_of_tahuantinsuyu() -> str:
    agreed("empires against the oracle", tahuantinsuyu_oracle.campaign, 4, 25)
    return (
        "100 positions of Tahuantinsuyu under much sun, forty orders deep, and 4 whole matches: "
        "the same orders, refusals and states as the slow oracle has"
    )


def agreed(what: str, campaign: Callable[[int, int], list[str]], seeds: int, each: int) -> None:
    """Plays positions of several seeds; nowhere may the engine and the oracle differ."""
    going = track(range(seeds), description=what)
    found = [problem for seed in going for problem in campaign(each, 1000 + seed)]
    assert not found, found


def perft_three_deep() -> str:
    nodes = playout.perft(start(games()["cuzco"], 2, {}, "perft"), 3)
    return f"Cuzco from the start, three orders deep: {nodes} sequences"


CAMPAIGNS: dict[str, Callable[[], str]] = {
    "hostile-lines": hostile_lines,
    "random-matches": replay.random_matches,
    "oracle": against_the_oracle,
    "oracle-inka": against_the_oracle_of_inka,
    "oracle-tahuantinsuyu": against_the_oracle_of_tahuantinsuyu,
    "perft": perft_three_deep,
    "requests": api.random_requests,
    "races": api.races,
    "failover": patroni.failover,
    "rolling": upkeep.rolling,
    "full-disk": upkeep.full_disk,
    "moves": upkeep.moves,
    "partitions": upkeep.partitions,
    "relay-kills": faults.relay_kills,
    "server-kills": faults.server_kills,
    "answers": faults.redelivered_answers,
    "hostile-mails": mails.hostile_mails,
    "match-by-mail": mails.whole_match,
    "broker": faults.vanishing_broker,
    "prompt-mails": faults.prompt_mails,
    "backups": faults.backups_under_load,
    "care": care.machine,
    "care-races": care.races,
    "deadlines": deadlines.deadlines,
    "worlds": worlds.two_worlds,
    "mutations": mutations.forgeries,
    "honest-records": mutations.honest_records,
}


@click.command(help=f"Runs the campaigns with these NAMES, or all of them: {', '.join(CAMPAIGNS)}.")
@click.argument("names", nargs=-1, type=click.Choice(list(CAMPAIGNS)), metavar="[NAMES]...")
def main(names: tuple[str, ...]) -> None:
    for name in names or CAMPAIGNS:
        begun = monotonic()
        CONSOLE.print(f"{name}: {CAMPAIGNS[name]()}  ({monotonic() - begun:.0f} s)")


if __name__ == "__main__":
    main()
