"""Whether somebody can be reached by mail.

While a person's mails come back nobody writes to them and the tables they sit at are told; when they sign in by a
mailed link or answer a mail, all is well again. Their clocks stand still for two days at most, and only until they
act: who plays on by page or program is there, whatever becomes of the mails.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlmodel import Session, col, select

from app import clock, glance, models, notices
from app.models import Player

FREEZE = timedelta(hours=48)  # that clocks stand still at most
FREEZE_AGAIN = timedelta(days=14)  # after the end of one; else bounces could be made to order


def mark(session: Session, player: Player, at: datetime) -> None:
    """From now on the player counts as not to be reached."""
    with clock.stopped(session, player.id or 0, at):
        player.bouncing_at = at
        if player.frozen_until is None or player.frozen_until + FREEZE_AGAIN <= at:
            player.frozen_until = at + FREEZE
        session.add(player)
    for match in matches_of(session, player):
        if match.owner_id is not None and match.owner_id != player.id:
            tell_owner(session, match, match.owner_id, player, at)
    session.flush()


def tell_owner(
    session: Session, match: models.Match, owner_id: int, lost: Player, at: datetime
) -> None:
    """The owner of a table hears of it, once for each position of the match."""
    row = {"match_id": match.id, "pos": match.head, "player_id": owner_id, "number": lost.id or 0}
    same = (col(getattr(models.Outbox, name)) == value for name, value in row.items())
    told = select(models.Outbox.id).where(models.Outbox.kind == "bounced", *same)
    if session.exec(told).first() is None:
        notices.post(session, "bounced", at, **row)


def confirm(session: Session, player_id: int, at: datetime) -> None:
    """Somebody who was thought lost was heard of: mails go out again and the clocks run."""
    player = session.get(Player, player_id)
    if player is not None and player.bouncing_at is not None:
        player.bouncing_at = None
        session.add(player)
    prove_presence(session, player_id, at)


def prove_presence(session: Session, player_id: int, at: datetime) -> None:
    """Whoever acts is there: the clocks run on, even if mails still come back."""
    player = session.get(Player, player_id)
    if player is not None and clock.is_frozen(player, at):
        with clock.stopped(session, player_id, at):
            player.frozen_until = at
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


def standing_still(session: Session, match_id: str, at: datetime) -> dict[int, datetime]:
    """The seats whose clocks stand still because their players cannot be reached, and until when at most."""
    seated = glance.SEATED.found(session, match=match_id)
    return {
        seat.number: player.frozen_until
        for seat, player in seated
        if player and player.frozen_until and clock.is_frozen(player, at)
    }
