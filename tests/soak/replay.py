"""The long campaign about replaying: random matches of every game come back from both databases, event by event."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from random import Random

from rich.progress import track

from app.eventstore.store import load_entries, load_match
from app.platform.database import Database
from engine.core import record
from engine.core.game import Game
from engine.core.match import advance, start
from engine.core.playout import random_acts
from engine.core.registry import games
from tests.app.kept import kept
from tests.soak.api import on_postgresql, on_sqlite

MATCHES, BATCH = 10_000, 250  # a batch has a database of its own, lest it grow too large


def random_matches() -> str:
    batches = range(0, MATCHES, BATCH)
    with ProcessPoolExecutor() as processes:
        played = processes.map(replayed_batch, batches)
        events = sum(
            track(played, description="random matches, replayed and verified", total=len(batches))
        )
    return (
        f"{MATCHES} random matches, {events} events, half on SQLite and half on PostgreSQL: "
        "equal states after every order, every record sound"
    )


def replayed_batch(first: int) -> int:
    """So many matches of all games and tables, one after the other; how many events they had."""
    tables = [(game, seats) for game in games().values() for seats in game.seats]
    place = (on_sqlite, on_postgresql)[first // BATCH % 2]
    with place() as service:
        return sum(
            replayed(service.database, *tables[seed % len(tables)], seed)
            for seed in range(first, first + BATCH)
        )


def replayed(database: Database, game: Game, seats: int, seed: int) -> int:
    """Plays a match at random and keeps it; then its log tells the same, from the database and from its record."""
    begun = start(game, seats, {}, f"random {seed}", f"random-{seed}")
    steps = [begun, *random_acts(begun, Random(seed))]
    states, match = {step.head: step.state for step in steps}, steps[-1]
    kept(database, match)
    with database.read() as connection:
        log = load_entries(connection, match.id, game)
    state = None
    for entry in log:
        state = advance(game, state, [entry.event])
        assert states.get(entry.pos, state) == state, (game.key, seats, seed, entry.pos)
    assert tuple(log) == match.log
    assert load_match(database, match.id) == match
    assert record.load(record.export(match)).state == match.state
    return match.head
