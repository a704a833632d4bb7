"""Worker that draws the pictures by which matches are shared. Any number of processes may."""

from __future__ import annotations

from sqlalchemy.exc import IntegrityError

from app.platform import tables
from app.platform.services import Services
from app.views.share import WIDTH, undrawn_matches
from workers.pictures import drawn_at

EVERY = 60.0  # seconds


def draw_shares(services: Services) -> int:
    """Draws what is missing or old, and says how many pictures that were."""
    with services.database.look() as session:
        wanted = list(undrawn_matches(session, services.now()))
    return sum(keep_share(services, *one) for one in wanted)


def keep_share(services: Services, match_id: str, head: int, svg: str) -> bool:
    png = drawn_at(svg, WIDTH, "geometric_precision")
    if not png:
        return False
    try:
        with services.database.session() as session:
            session.merge(tables.SharePicture(match_id=match_id, head=head, png=png))
    except IntegrityError:  # another process was faster
        return False
    return True
