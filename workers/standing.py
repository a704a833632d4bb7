"""Worker of standing orders: gives their answers when their moment has come. Any number of workers may: each is given once."""

from __future__ import annotations

import structlog

from app.matches.standing_answers import give_answer, load_due
from app.platform.errors import Stale
from app.platform.services import Services

log = structlog.get_logger()

EVERY = 3.0  # seconds between two looks
BATCH = 100


def answer(services: Services) -> int:
    """Answers for all who sleep and are due, and says how many answers were given."""
    with services.database.look() as session:
        due = load_due(session, services.now(), BATCH)
    done = 0
    for seen in due:
        try:
            done += give_answer(services.database, seen, services.now())
        except Stale:
            continue
        except Exception as error:  # one broken match must not keep the others asleep
            log.error("standing orders", match=seen[0], exc_info=error)
    if done:
        services.nudge()
    return done
