"""The long campaigns about records: no forgery goes unseen, and no honest record is accused."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random

from rich.progress import track

from engine.core import record
from engine.core.registry import games
from tests import forging

EACH = 80  # of 25 classes
MATCHES = 400


def forgeries() -> str:
    """Two thousand forged records, by class."""
    with ProcessPoolExecutor() as processes:
        going = processes.map(partial(forging.missed, each=EACH, seed=1), forging.CLASSES)
        missed = list(track(going, description="forged records", total=len(forging.CLASSES)))
    by_class = {
        name: EACH - len(escaped) for name, escaped in zip(forging.CLASSES, missed, strict=True)
    }
    total = EACH * len(by_class)
    assert sum(by_class.values()) == total, by_class
    return f"{total} of {total} forged records found: {by_class}"


def honest_records() -> str:
    """Redacted records of lively tables, for every seat and a spectator: none is found wrong."""
    with ProcessPoolExecutor() as processes:
        going = processes.map(judged, range(MATCHES))
        told = list(track(going, description="honest redacted records", total=MATCHES))
    records, decided, sealed = (sum(column) for column in zip(*told, strict=True))
    return (
        f"{records} redacted records of {MATCHES} matches: 0 accused, "
        f"{decided} orders decided again, {sealed} orders sealed"
    )


def judged(number: int) -> tuple[int, int, int]:
    """How many records a match has, and how many of their orders could be decided again or not."""
    rng = Random(number)
    game = list(games().values())[number % len(games())]
    seats = rng.choice(game.seats)
    match = forging.lively(
        game, seats, rng, rng.randint(1, 400), **forging.some_options(game, seats, rng)
    )
    verdicts = []
    for seat in (None, *range(seats)):
        verdict = record.verify(record.read(record.redacted(match, seat)))
        assert verdict.sound, (game.key, seats, number, seat, verdict)
        verdicts.append(verdict)
    return len(verdicts), sum(v.decided for v in verdicts), sum(v.sealed for v in verdicts)
