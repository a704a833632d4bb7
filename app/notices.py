"""Who is to hear of what happened: outbox rows, written with the events they tell of."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app import models
from engine.core.match import Match


def after_act(session: Session, before: Match | None, after: Match, at: datetime) -> None:
    """The notices that an act calls for: to those newly asked, and to all when it is over."""
    if after.over:
        seats, kind = tuple(range(len(after.game.scores(after.state)))), "over"
    else:
        asked = after.game.to_act(after.state)
        same = before is not None and before.game.awaited(before.state) == after.game.awaited(
            after.state
        )
        known = before.game.to_act(before.state) if before is not None and same else ()
        seats, kind = (
            tuple(seat for seat in asked if seat not in known),
            after.game.awaited(after.state),
        )
    notify(session, after.id, after.head, seats, kind, at)


def to_newcomer(session: Session, match: Match, seat: int, at: datetime) -> None:
    """Tells whoever came into a seat of a running match that it is asked, if it is."""
    if seat in match.game.to_act(match.state):
        kind = match.game.awaited(match.state)
        notify(session, match.id, match.head, (seat,), kind, at)


def notify(
    session: Session, match_id: str, pos: int, seats: tuple[int, ...], kind: str, at: datetime
) -> None:
    """One row for each person in these seats who can be written to."""
    query = select(models.Seat.player_id).where(
        models.Seat.match_id == match_id,
        col(models.Seat.number).in_(seats),
    )
    for player_id in sorted({found for found in session.exec(query) if found is not None}):
        to_player(session, match_id, pos, player_id, kind, at)


def to_player(
    session: Session, match_id: str, pos: int, player_id: int, kind: str, at: datetime
) -> None:
    player = session.get(models.Player, player_id)
    if player is not None and player.email:
        post(session, kind, at, match_id=match_id, pos=pos, player_id=player_id)


def post(session: Session, kind: str, at: datetime, **more: Any) -> None:
    session.add(models.Outbox(kind=kind, created_at=at, not_before=at, **more))
