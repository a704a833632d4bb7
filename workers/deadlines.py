"""Sweeper of deadlines: looks after the clocks once a minute. Any number of sweepers may: each moment of a clock is dealt with once."""

from __future__ import annotations

import structlog

from app.matches.timeouts import Due, fire_clock, load_due_clocks
from app.platform.services import Services

log = structlog.get_logger()

SWEEP = 60.0  # seconds between two looks
BATCH = 100


def sweep(services: Services) -> int:
    """Lets every clock whose moment has come do what it is due to do, and says how many did."""
    done = failed = 0
    while not services.stopping.is_set() and (found := due(services, failed)):
        for seen in found:
            if services.stopping.is_set():
                break
            try:
                done += fired(services, seen)
            except Exception as error:  # one broken match must not stop the time of all others
                failed += 1
                log.error("clock", match=seen.match_id, seat=seen.seat, exc_info=error)
    if done:
        services.nudge()
    return done


def due(services: Services, skip: int) -> list[Due]:
    """The next clocks to look at; those that failed wait for the next sweep."""
    with services.database.look() as session:
        return load_due_clocks(session, services.now(), BATCH, skip)


def fired(services: Services, seen: Due) -> bool:
    with services.database.session() as session:
        return fire_clock(session, seen, services.now())
