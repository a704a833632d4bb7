"""Matches put into a database, for the tests of everything that reads them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from random import Random

from app.eventstore.store import MATCH_CACHE, load_match, save_match
from app.platform import tables
from app.platform.database import Database
from app.views.legal_orders import FOUND, GATHERED
from app.views.scenes import BOARDS, SCENES
from engine.core import chain
from engine.core.match import Match, restore, rewind, start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.service import Service

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


def open_table(database: Database, match: Match) -> None:
    """The row of a match that has not begun."""
    with database.session() as session:
        session.add(
            tables.Match(
                id=match.id, game=match.game.key, title="A table", seats=3, hash=chain.GENESIS
            )
        )


def keep(database: Database, match: Match, since: int = 0, at: datetime = NOON) -> None:
    """What was played after `since`, in one transaction."""
    with database.write() as connection:
        save_match(connection, match, since, at)


def kept(database: Database, match: Match) -> Match:
    """The match, all of it in the database, and nothing of it in memory."""
    open_table(database, match)
    keep(database, match)
    MATCH_CACHE.clear()
    return match


def stored(service: Service, match_id: str) -> Match:
    """A match as the database has it, read anew."""
    MATCH_CACHE.clear()
    return load_match(service.database, match_id)


def forget_shown() -> None:
    """Nothing that pages and mails show is in memory any more."""
    for shown in (SCENES, BOARDS, FOUND, GATHERED):
        shown.clear()


def steps(match: Match, count: int, seed: int) -> Iterator[Match]:
    """The next few orders, at random."""
    for _, later in zip(range(count), random_acts(match, Random(seed)), strict=False):
        yield later


def wandering(key: str, seed: int, match_id: str = "wandering") -> Iterator[Match]:
    """A match that is played, rewound, restored, rewound again, played to the end, and rewound from there."""
    match = start(find(key), 3, {}, f"secret {seed}", match_id)
    yield match
    for later in steps(match, 30, seed):
        yield (match := later)
    for to in (ends(match)[-8], ends(match)[-20]):
        yield (match := rewind(match, to, "Ada", "a slip"))
    yield (match := restore(match, "Ada"))
    for later in random_acts(match, Random(seed + 1)):
        yield (match := later)
    yield (match := rewind(match, ends(match)[-30], "Ada", "once more", "a fresh seed"))
    for later in steps(match, 10, seed + 2):
        yield (match := later)


def ends(match: Match) -> list[int]:
    """The positions that one can go back to."""
    return sorted({entry.act: entry.pos for entry in match.timeline.effective}.values())


@cache
def wandered(key: str = "cuzco", seed: int = 1) -> tuple[Match, ...]:
    """Every state of such a match on its way."""
    return tuple(wandering(key, seed))


def later(minutes: int) -> datetime:
    return NOON + timedelta(minutes=minutes)
