"""The long campaign about secrets: pairs of worlds of every game, before all that the engine and the service show.

What was compared is kept in `build/`, pair by pair, so a campaign that was interrupted goes on where it stopped;
under a name that tells the code, so other code begins anew. `make soak ARGS=worlds PROCESSES=1` leaves room for
other work.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import tempfile
from collections.abc import Collection, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from pathlib import Path

import pytest
import structlog
from rich.progress import track

from engine.core.game import Game
from engine.core.registry import games
from tests import sealing
from tests.app.roles import MATCH, Stage, stage
from tests.app.two_worlds import differing_answers, pair_of
from tests.servers import MEMORY, migrate
from tests.surfaces import leaks
from tests.template import register_template
from tests.worlds import begun_there, differing, drawn_in_secret, worlds

PAIRS = 1000
PROCESSES = int(os.environ.get("PROCESSES", "0")) or None  # as many as there are processors
# Of four pairs one begins in a given position, and of one the half is taken back.
GIVEN, TURNED = 3, 1
ROOT = Path(__file__).parents[2]
CODE = ("engine", "app", "templates", "workers", "tests")
WRITTEN = {".py", ".html", ".txt", ".md", ".json", ".css"}
RARELY = 50_000, 20, 100  # the garbage of one page is little beside what a service keeps


@dataclass(frozen=True)
class Outcome:
    """What came of one pair: what differed and must not, the answers and mails compared, and the secrets that it had."""

    leaks: Sequence[str]
    answers: int
    secrets: Sequence[str] = ()


def two_worlds() -> str:
    file = results()
    found = read_outcomes(file)
    wanted = [number for number in range(PAIRS) if number not in found]
    memory = MEMORY if MEMORY.is_dir() else None
    with (
        tempfile.TemporaryDirectory(dir=memory) as made,
        ProcessPoolExecutor(PROCESSES) as processes,
        file.open("a", encoding="ascii") as kept,
    ):
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        told = zip(wanted, processes.map(partial(compared, made), wanted), strict=True)
        for number, outcome in track(told, description="pairs of worlds", total=len(wanted)):
            found[number] = outcome
            print(json.dumps({"number": number, **asdict(outcome)}), file=kept, flush=True)
    assert missing(found.values()) == set()
    return figure(found.values())


# What is kept


def results() -> Path:
    """Where the outcomes of this code are kept."""
    told = sha256()
    for path in sorted(path for folder in CODE for path in (ROOT / folder).rglob("*.*")):
        if path.suffix in WRITTEN:
            told.update(path.read_bytes())
    (ROOT / "build").mkdir(exist_ok=True)
    return ROOT / "build" / f"worlds-{told.hexdigest()[:12]}.jsonl"


def read_outcomes(file: Path) -> dict[int, Outcome]:
    lines = file.read_text("ascii").splitlines() if file.exists() else []
    told = map(json.loads, lines)
    return {one.pop("number"): Outcome(**one) for one in told}


# The figure


def figure(found: Collection[Outcome]) -> str:
    """The figure of so many pairs, none of which may differ."""
    leaked = [leak for outcome in found for leak in outcome.leaks]
    assert not leaked, leaked
    answers = sum(outcome.answers for outcome in found)
    secrets = {secret for outcome in found for secret in outcome.secrets}
    return (
        f"{len(found)} pairs of worlds of {len(games())} games, {len(secrets)} kinds of secrets exchanged: all surfaces "
        f"of the engine and {answers} answers, pictures and mails compared, 0 differing bytes"
    )


def missing(found: Collection[Outcome]) -> set[str]:
    """The private fields that no pair differed in: something else tells them, or nothing does."""
    known = {secret for outcome in found for secret in outcome.secrets}
    fields = {f"{key} {part}" for key, game in games().items() for part in drawn_in_secret(game)}
    return fields - known


# The pairs


def compared(folder: str, number: int) -> Outcome:
    """Pair number so and so, in the engine and in the service."""
    tables = [(game, seats) for game in games().values() for seats in game.seats]
    return told(set_stage(folder), *tables[number % len(tables)], number)


STAGES = ExitStack()


@cache
def set_stage(folder: str) -> Stage:
    """The service to which a process shows all its pairs; its folder goes with the campaign."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    gc.set_threshold(*RARELY)
    sealing.tell_nothing(pytest.MonkeyPatch())
    return STAGES.enter_context(stage(Path(folder) / str(os.getpid()), Path(folder)))


def told(place: Stage, game: Game, seats: int, number: int) -> Outcome:
    pair = worlds(game, seats, number, MATCH)
    secrets = sorted(f"{game.key} {part}" for part in differing(pair))
    pair = begun_there(pair) if number % 4 == GIVEN else pair
    found, answers = differing_answers(place, pair_of(pair, back=number % 4 == TURNED))
    return Outcome([f"pair {number}: {leak}" for leak in leaks(pair) + found], answers, secrets)


register_template()
