"""Whether somebody can be reached by mail.

While a person's mails come back nobody writes to them, the tables they sit at are told, and their clocks stand
still. When they sign in by a mailed link or answer a mail, all is well again.
"""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from app import clock, glance, models, notices
from app.models import Player


def mark(session: Session, player: Player, at: datetime) -> None:
    """From now on the player counts as not to be reached."""
    change(session, player, at, at)
    for match in matches_of(session, player):
        if match.owner_id is not None and match.owner_id != player.id:
            notices.post(
                session,
                "bounced",
                at,
                match_id=match.id,
                pos=match.head,
                player_id=match.owner_id,
                number=player.id or 0,
            )
    session.flush()


def confirm(session: Session, player_id: int, at: datetime) -> None:
    """Somebody who was thought lost was heard of: mails go out again and the clocks run."""
    player = session.get(Player, player_id)
    if player is not None and player.bouncing_at is not None:
        change(session, player, None, at)


def change(session: Session, player: Player, bouncing_at: datetime | None, at: datetime) -> None:
    """Whether somebody can be reached; their clocks stand still or go on with it."""
    with clock.stopped(session, player.id or 0, at):
        player.bouncing_at = bouncing_at
        session.add(player)


def matches_of(session: Session, player: Player) -> list[models.Match]:
    """The running matches in which the player sits."""
    sits = select(models.Seat.match_id).where(models.Seat.player_id == player.id)
    running = models.Match.status == "running"
    query = select(models.Match).where(running, col(models.Match.id).in_(sits))
    return list(session.exec(query.order_by(col(models.Match.id))))


def lost(session: Session, match_id: str) -> frozenset[int]:
    """The seats whose players cannot be reached."""
    seated = glance.SEATED.found(session, match=match_id)
    return frozenset(seat.number for seat, player in seated if player and player.bouncing_at)
