"""Tidies the tables now and then, a little at a time. Any number of processes may."""

from __future__ import annotations

from app import tidying
from app.services import Services

EVERY = 3600.0  # seconds


def tidy(services: Services) -> int:
    """Deletes what nobody will ask for again, and says how many rows that were."""
    done = 0
    while count := some(services):
        done += count
    return done


def some(services: Services) -> int:
    """Looks before it takes a turn to write: mostly there is nothing to do."""
    with services.database.look() as session:
        rows = tidying.found(session, services.now())
    if not rows:
        return 0
    with services.database.session() as session:
        return tidying.drop(session, rows)
