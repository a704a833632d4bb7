"""Worker that looks back at matches that are over. Any number of processes may."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from app.learning.review import leave_unreviewed, load_unreviewed, review_match
from app.platform.services import Services

EVERY = 60.0  # seconds


def review_matches(services: Services) -> int:
    """Reviews some matches of those that nobody has looked at, and says how many; it thinks outside of any transaction."""
    with services.database.look() as session:
        found = load_unreviewed(session, services.now())
    kept = 0
    for match_id, match in found.items():
        if services.stopping.is_set():
            break
        review = review_match(match) if match is not None else None
        try:
            with services.database.session() as session:
                session.merge(review or leave_unreviewed(session, match_id))
        except IntegrityError:  # another process was faster
            continue
        kept += 1
    return kept
