"""Leaving every table at once, as somebody does who leaves for good: nothing may wait for them afterwards."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import update
from sqlmodel import Session, col, delete, or_, select

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.bot_names import default_bot
from app.matches.commit import ToTable, commit_match
from app.matches.participants import load_seats
from app.moderation.acts import Care
from app.moderation.proposals import settle_open_questions
from app.moderation.seat_changes import close_empty, give_up
from app.outbox.rows import forget_mails
from app.people.account_deletion import forget_access, forget_address, rows
from app.people.accounts import NOBODY, load_account
from app.people.sessions import sign_out_everywhere
from app.platform import tables
from app.platform.tables import UNDER_WAY, Player
from engine.core import match as matches
from engine.core.registry import find
from engine.core.timeline import OwnerChanged

UNSAID = ""  # why somebody left: the log says that they did, and no more


def leave_everything(session: Session, player: Player, at: datetime) -> None:
    """Gives up every seat and everything that somebody cares for; also seats that are kept for them."""
    session.exec(delete(tables.Moderator).where(col(tables.Moderator.player_id) == player.id))
    for match_id in matches_with(session, player):
        row = lock_match_row(session, match_id)
        if row.status == "open":
            leave_open_table(session, row, player)
        elif row.status in UNDER_WAY:
            leave_match(session, row, player, at)
        elif row.status == "over":
            leave_to_a_bot(session, row, player)


def matches_with(session: Session, player: Player) -> list[str]:
    """The matches that somebody has to do with, always in the same order: two who leave do not wait in a circle."""
    mine = col(tables.Seat.player_id) == player.id
    if player.email is not None:
        mine |= col(tables.Seat.invited_email) == player.email
    seated = select(tables.Seat.match_id).where(mine)
    query = select(tables.Match.id).where(
        or_(col(tables.Match.id).in_(seated), tables.Match.owner_id == player.id),
        tables.Match.status != "closed",
    )
    return list(session.exec(query.order_by(col(tables.Match.id))))


def leave_open_table(session: Session, row: tables.Match, player: Player) -> None:
    """Goes before the match has begun; a table without people is closed."""
    seats = load_seats(session, row.id)
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


def leave_match(session: Session, row: tables.Match, player: Player, at: datetime) -> None:
    """Bots play on, the next person owns the match, and without people it is closed."""
    match = load_match(session.connection(), row.id)
    care = Care(session, row, match, "player", player.id, at)
    seats = load_seats(session, row.id)
    left = [s.number for s in seats if belongs_to(s, player)]
    for number in left:
        care = give_up(care, number, UNSAID)
    if not any(seat.player_id for seat in load_seats(session, row.id)):
        close_empty(care, UNSAID)
        return
    if row.owner_id == player.id:
        heir = next_person(load_seats(session, row.id), left[0] if left else -1)
        after = matches.note(care.match, OwnerChanged("table", UNSAID))
        commit_match(session, care.match, after, at, ToTable("owner"), owner_id=heir)
    settle_open_questions(session, row.id, at)


def belongs_to(seat: tables.Seat, player: Player) -> bool:
    """Whether somebody sits there, or nobody yet and it is kept for their address."""
    kept = seat.player_id is None and player.email is not None
    return seat.player_id == player.id or (kept and seat.invited_email == player.email)


def next_person(seats: list[tables.Seat], after: int) -> int | None:
    """Whoever sits in the next seat that a person has."""
    around = sorted(seats, key=lambda seat: (seat.number - after - 1) % len(seats))
    return next(seat.player_id for seat in around if seat.player_id)


def leave_to_a_bot(session: Session, row: tables.Match, player: Player) -> None:
    """The seats of a finished match stay whose they were; should it be taken back, a bot plays on."""
    own = (col(tables.Seat.match_id) == row.id, col(tables.Seat.player_id) == player.id)
    bot = default_bot(find(row.game))
    session.exec(update(tables.Seat).where(*own).values(bot=bot))


def delete_account(session: Session, player_id: int, at: datetime) -> None:
    """The moves and words at the table stay, under nobody's name; everything that names the person goes.

    Nobody waits for who has left: bots play on in running matches, and the next person owns them.
    """
    player = load_account(session, player_id)
    leave_everything(session, player, at)
    sign_out_everywhere(session, player, at)
    forget_access(session, player_id)
    for seat in rows(session, tables.Seat, tables.Seat.player_id == player_id):
        for model in (tables.Note, tables.Standing, tables.Draft):
            if kept := session.get(model, (seat.match_id, seat.number)):
                session.delete(kept)
    if player.email:
        forget_address(session, player.email)
    forget_mails(session, col(tables.Outbox.player_id) == player_id)
    sent = col(tables.Received.player_id) == player_id
    session.execute(update(tables.Received).where(sent).values(source=None))
    player.email, player.name, player.deleted_at = None, NOBODY, at
    session.exec(delete(tables.Vacation).where(col(tables.Vacation.player_id) == player_id))
    player.timezone, player.mail_preferences = "UTC", {}
    player.quiet_from = player.quiet_to = player.coach_off_at = None
    session.add(player)
    session.flush()
