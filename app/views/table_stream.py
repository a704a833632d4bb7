"""Talk and moves of a table as one stream, in the order in which they happened."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from heapq import merge
from itertools import groupby

from app.matches.chat import Said
from app.views.history import Step

LONG_AGO = datetime(1, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Moves:
    """What one seat, or nobody's seat, did while nobody spoke."""

    seat: int | None
    steps: list[Step]


def weave_stream(told: Sequence[Said], steps: Sequence[Step]) -> list[Said | Moves]:
    """Words and moves, oldest first; the moves between two words are gathered by whose they were."""
    words = ((said.at, said) for said in told)
    stream = merge(timed(steps), words, key=lambda one: one[0])
    by_whom = groupby((one for _, one in stream), key=whose)
    return [item for who, some in by_whom for item in gathered(who, list(some))]


def timed(steps: Sequence[Step]) -> Iterator[tuple[datetime, Step | Said]]:
    """Each step with its time; the log's order counts, also where a clock went back or a time is unknown."""
    latest = LONG_AGO
    for step in steps:
        latest = max(latest, step.at or latest)
        yield latest, step


def whose(one: Step | Said) -> tuple[bool, int | None]:
    return isinstance(one, Step), one.data.get("seat") if isinstance(one, Step) else None


def gathered(who: tuple[bool, int | None], some: list[Step | Said]) -> list[Said | Moves]:
    steps = [one for one in some if isinstance(one, Step)]
    if steps:
        return [Moves(who[1], steps)]
    return [one for one in some if isinstance(one, Said)]
