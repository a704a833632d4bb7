"""Leaving every table at once, as somebody does who leaves for good: nothing may wait for them afterwards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, delete, or_, select

from app import lobby, models, moderation, play, proposals, seating, store
from app.models import UNDER_WAY, Player
from app.moderation import Care
from engine.core import match as matches
from engine.core.registry import find
from engine.core.timeline import OwnerChanged

UNSAID = ""  # why somebody left: the log says that they did, and no more


def leave_everything(session: Session, player: Player, at: datetime) -> None:
    """Gives up every seat and everything that somebody cares for; also seats that are kept for them."""
    session.exec(delete(models.Moderator).where(col(models.Moderator.player_id) == player.id))
    for match_id in matches_with(session, player):
        row = play.take_turn(session, match_id)
        if row.status == "open":
            leave_open_table(session, row, player)
        elif row.status in UNDER_WAY:
            leave_match(session, row, player, at)
        elif row.status == "over":
            leave_to_a_bot(session, row, player)


def matches_with(session: Session, player: Player) -> list[str]:
    """The matches that somebody has to do with, always in the same order: two who leave do not wait in a circle."""
    mine = col(models.Seat.player_id) == player.id
    if player.email is not None:
        mine |= col(models.Seat.invited_email) == player.email
    seated = select(models.Seat.match_id).where(mine)
    query = select(models.Match.id).where(
        or_(col(models.Match.id).in_(seated), models.Match.owner_id == player.id),
        models.Match.status != "closed",
    )
    return list(session.exec(query.order_by(col(models.Match.id))))


def leave_open_table(session: Session, row: models.Match, player: Player) -> None:
    """Goes before the match has begun; a table without people is closed."""
    seats = lobby.seats_of(session, row.id)
    for seat in seats:
        if seat.player_id == player.id:
            seat.player_id = None
            session.add(seat)
    if not any(seat.player_id for seat in seats):
        row.status = "closed"
    elif row.owner_id == player.id:
        row.owner_id = next(seat.player_id for seat in seats if seat.player_id)
    session.add(row)
    session.flush()


def leave_match(session: Session, row: models.Match, player: Player, at: datetime) -> None:
    """Bots play on, the next person owns the match, and without people it is closed."""
    match = store.load(session.connection(), row.id)
    care = Care(session, row, match, "player", player.id, at)
    seats = lobby.seats_of(session, row.id)
    left = [s.number for s in seats if belongs_to(s, player)]
    for number in left:
        care = seating.give_up(care, number, UNSAID)
    if not any(seat.player_id for seat in lobby.seats_of(session, row.id)):
        seating.close_empty(care, UNSAID)
        return
    if row.owner_id == player.id:
        heir = next_person(lobby.seats_of(session, row.id), left[0] if left else -1)
        after = matches.note(care.match, OwnerChanged("table", UNSAID))
        moderation.told(session, care.match, after, "owner", at, owner_id=heir)
    proposals.settle_open(session, row.id, at)


def belongs_to(seat: models.Seat, player: Player) -> bool:
    """Whether somebody sits there, or nobody yet and it is kept for their address."""
    kept = seat.player_id is None and player.email is not None
    return seat.player_id == player.id or (kept and seat.invited_email == player.email)


def next_person(seats: list[models.Seat], after: int) -> int | None:
    """Whoever sits in the next seat that a person has."""
    around = sorted(seats, key=lambda seat: (seat.number - after - 1) % len(seats))
    return next(seat.player_id for seat in around if seat.player_id)


def leave_to_a_bot(session: Session, row: models.Match, player: Player) -> None:
    """The seats of a finished match stay whose they were; should it be taken back, a bot plays on."""
    own = (col(models.Seat.match_id) == row.id, col(models.Seat.player_id) == player.id)
    bot = seating.default_bot(find(row.game))
    session.exec(update(models.Seat).where(*own).values(bot=bot))
