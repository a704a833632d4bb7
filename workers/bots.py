"""Bot worker: lets the bots move. Any number of workers may: whoever comes second finds that the match has moved on."""

from __future__ import annotations

from datetime import timedelta
from time import thread_time

import structlog

from app.matches.bot_moves import load_waiting_matches, move_bots
from app.platform.errors import Stale
from app.platform.services import Services

log = structlog.get_logger()

EVERY = 2.0  # seconds between two looks
BATCH = 50
SWEEP_SECONDS = 30.0  # of the processor, before those who wait are put in order anew


def play(services: Services) -> int:
    """Plays for the bots that are asked, one match after the other, and says how many orders were given."""
    orders, end = 0, thread_time() + SWEEP_SECONDS
    for match_id in waiting(services):
        if (
            thread_time() > end or services.stopping.is_set()
        ):  # who came meanwhile is not behind all of them
            break
        try:
            orders += move_bots(services.database, match_id, services.now())
        except Stale:
            continue
        except Exception as error:  # one broken match must not stop the bots of all others
            log.error("bots", match=match_id, exc_info=error)
    if orders:
        services.nudge()
    return orders


def waiting(services: Services) -> list[str]:
    delay = timedelta(seconds=services.settings.bot_delay)  # people like to see what a bot did
    with services.database.look() as session:
        return load_waiting_matches(session, services.now() - delay, BATCH)
