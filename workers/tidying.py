"""Tidies the tables now and then, a little at a time. Any number of processes may."""

from __future__ import annotations

import structlog

from app import tidying
from app.services import Services

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
        gone = tidying.guests_gone(session, services.now())
    ended = 0
    for player_id in gone:
        try:
            with services.database.session() as session:
                ended += tidying.end_guest(session, player_id, services.now())
        except Exception as error:  # one broken match must not keep all other guests
            log.error("tidying", player=player_id, exc_info=error)
    return ended


def some(services: Services) -> int:
    """Looks before it takes a turn to write: mostly there is nothing to do."""
    with services.database.look() as session:
        rows = tidying.found(session, services.now())
    if not rows:
        return 0
    with services.database.session() as session:
        return tidying.drop(session, rows)
