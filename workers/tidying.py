"""Cleanup worker: tidies the tables now and then, a little at a time. Any number of processes may."""

from __future__ import annotations

from datetime import timedelta

import structlog

from app.operations.cleanup import delete_needless, end_guest, find_needless, guests_gone
from app.platform.services import Services

log = structlog.get_logger()

EVERY = 3600.0  # seconds


def tidy(services: Services) -> int:
    """Deletes what nobody will ask for again, and says how many rows and guests that were."""
    done = 0
    while count := some(services):
        done += count
    while count := see_off_guests(services):
        done += count
    return done


def see_off_guests(services: Services) -> int:
    """Ends the accounts of guests who stayed away, each with its matches in one transaction; says how many."""
    with services.database.look() as session:
        gone = guests_gone(session, services.now())
    ended = 0
    for player_id in gone:
        try:
            with services.database.session() as session:
                ended += end_guest(session, player_id, services.now())
        except Exception as error:  # one broken match must not keep all other guests
            log.error("tidying", player=player_id, exc_info=error)
    return ended


def some(services: Services) -> int:
    """Looks before it takes a turn to write: mostly there is nothing to do."""
    with services.database.look() as session:
        days = services.settings.keep_mails_days
        keep = timedelta(days=days) if days is not None else None
        rows = find_needless(session, services.now(), keep)
    if not rows:
        return 0
    with services.database.session() as session:
        return delete_needless(session, rows)
