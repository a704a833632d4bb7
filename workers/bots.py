"""Lets the bots move. Any number of workers may: whoever comes second finds that the match has moved on."""

from __future__ import annotations

from datetime import timedelta

import structlog

from app import bots
from app.errors import Stale
from app.services import Services

log = structlog.get_logger()

EVERY = 2.0  # seconds between two looks
BATCH = 50


def play(services: Services) -> int:
    """Plays for every bot that is asked, and says how many orders were given."""
    orders = 0
    for match_id in waiting(services):
        try:
            orders += bots.move(services.database, match_id, services.now())
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
        return bots.waiting(session, services.now() - delay, BATCH)
