"""The long campaign about secrets: pairs of worlds of every game, before all that the engine and the service show."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import structlog
from rich.progress import track

from engine.core.game import Game
from engine.core.registry import games
from tests import sealing
from tests.app.roles import MATCH
from tests.app.two_worlds import differing_answers, pair_of
from tests.servers import migrate
from tests.surfaces import leaks
from tests.template import register_template
from tests.worlds import begun_there, differing, drawn_in_secret, worlds

PAIRS = 1000
GIVEN, TURNED = (
    3,
    1,
)  # of four pairs one begins in a given position, and of one the half is taken back


@dataclass(frozen=True)
class Outcome:
    """What came of one pair: what differed and must not, the secrets that it had, and the answers and mails compared."""

    leaks: list[str]
    answers: int
    secrets: set[str] = field(default_factory=set)


def two_worlds() -> str:
    with ProcessPoolExecutor() as processes:
        outcomes = processes.map(compared, range(PAIRS))
        found = list(track(outcomes, description="pairs of worlds", total=PAIRS))
    assert missing(found) == set()
    return figure(found)


def figure(found: Sequence[Outcome]) -> str:
    """The figure of so many pairs, none of which may differ."""
    leaked = [leak for outcome in found for leak in outcome.leaks]
    assert not leaked, leaked
    answers = sum(outcome.answers for outcome in found)
    secrets = set[str]().union(*(outcome.secrets for outcome in found))
    return (
        f"{len(found)} pairs of worlds of {len(games())} games, {len(secrets)} kinds of secrets exchanged: all surfaces "
        f"of the engine and {answers} answers, pictures and mails compared, 0 differing bytes"
    )


def missing(found: Sequence[Outcome]) -> set[str]:
    """The private fields that no pair differed in: something else tells them, or nothing does."""
    known = set[str]().union(*(outcome.secrets for outcome in found))
    fields = {f"{key} {part}" for key, game in games().items() for part in drawn_in_secret(game)}
    return fields - known


def compared(number: int) -> Outcome:
    """Pair number so and so, in the engine and in the service."""
    register_template()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    tables = [(game, seats) for game in games().values() for seats in game.seats]
    with pytest.MonkeyPatch.context() as patched, tempfile.TemporaryDirectory() as made:
        sealing.tell_nothing(patched)
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        return told(Path(made), *tables[number % len(tables)], number)


def told(folder: Path, game: Game, seats: int, number: int) -> Outcome:
    pair = worlds(game, seats, number, MATCH)
    secrets = {f"{game.key} {part}" for part in differing(pair)}
    pair = begun_there(pair) if number % 4 == GIVEN else pair
    found, answers = differing_answers(folder, folder, pair_of(pair, back=number % 4 == TURNED))
    return Outcome([f"pair {number}: {leak}" for leak in leaks(pair) + found], answers, secrets)


register_template()
