"""Who plays on for a seat: another person, a bot, or nobody of the sort any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from app.eventstore.row_lock import lock_match_row
from app.matches.access import access_match, check_own_seat
from app.matches.bot_names import default_bot
from app.matches.commit import ToTable, commit_match
from app.matches.invitations import check_invitations, invite_address
from app.matches.participants import load_seats
from app.matches.quotas import check_bot_matches
from app.matches.tables import cares_for, check_reachable
from app.moderation.acts import (
    Care,
    audit_act,
    check_reason,
    load_running_match,
    take_care,
    void_prepared,
)
from app.moderation.commands import ReplacePlayer, Resign
from app.moderation.consent import await_leave
from app.outbox.notifications import notify_player
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.text_input import check_email_address
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import find_bot
from engine.core.sentence import say
from engine.core.timeline import ActProposed, Closed, SeatReplaced, SeatResigned


def replace_player(session: Session, command: ReplacePlayer, at: datetime) -> bool:
    """An address is invited whether or not we know it: whoever asks must not learn who has an account."""
    why, bot = check_reason(command.reason), command.bot
    care = take_care(session, command, at, *tables.UNDER_WAY)
    if (command.email is None) == (bot is None):
        raise NotUnderstood(say("A seat is given to an address or to a bot: name one of them."))
    taken_seat(care, command.seat)
    if care.row.alone:
        raise Forbidden(
            say("One person has played every seat here and seen all hands; nobody else may join.")
        )
    address = check_email_address(command.email) if command.email is not None else None
    if bot is not None:
        find_bot(care.match.game, bot)
    if address is not None:
        check_newcomer(care, address)
    wish = ActProposed(care.role, "replace", why, given=command.seat, bot=bot)
    if await_leave(care, wish, address):
        return False
    give_seat(care, command.seat, address, bot, why)
    return True


def give_seat(care: Care, number: int, address: str | None, bot: str | None, why: str) -> None:
    """Puts another into a seat, or keeps it for an address."""
    seat = taken_seat(care, number)
    before = seat.player_id
    after = matches.note(care.match, SeatReplaced(care.role, why, number))
    keep_holder(care, after, seat)
    if address is not None:
        check_newcomer(care, address)
        seat.player_id = seat.bot = seat.invited_email = seat.invite_hash = None
        invite_address(care.session, care.row, seat, address, care.at, pos=after.head)
    else:
        if before is not None and before == care.row.owner_id:  # one against bots more
            check_bot_matches(care.session, care.session.get_one(tables.Player, before))
        seat.player_id, seat.bot, seat.invited_email, seat.invite_hash = None, bot, None, None
    vacated(care, after, seat, "replaced")
    if before is not None and before not in players(care):  # who has another seat is told already
        notify_player(care.session, care.row.id, after.head, before, "replaced", at=care.at)
    audit_act(care, "SeatReplaced", why)


def keep_holder(care: Care, after: Match, seat: tables.Seat) -> None:
    """Remembers who had the seat so far: the history calls them by their name."""
    care.session.add(
        tables.SeatChange(
            match_id=care.row.id,
            pos=after.head,
            seat=seat.number,
            player_id=seat.player_id,
            bot=None if seat.player_id is not None else seat.bot,
        )
    )


def players(care: Care) -> set[int | None]:
    return {seat.player_id for seat in load_seats(care.session, care.row.id)}


def taken_seat(care: Care, number: int) -> tables.Seat:
    seats = load_seats(care.session, care.row.id)
    if number not in range(len(seats)):
        raise Unknown(say("There is no seat {seat} in this match.", seat=number))
    return seats[number]


def check_newcomer(care: Care, address: str) -> None:
    """Refuses to invite somebody who sits at this table already or cares for it: they have another hand, or none to have."""
    if care.player_id is not None:
        check_reachable(care.session.get_one(tables.Player, care.player_id))
    if care.match.name != care.match.id:
        raise Forbidden(
            say("This match was taken in from a record that tells its seed; nobody else may join.")
        )
    for other in load_seats(care.session, care.row.id):
        player = other.player_id and care.session.get(tables.Player, other.player_id)
        if other.invited_email == address or (player and player.email == address):
            raise Forbidden(say("That person has a seat in this match already."))
    known = select(tables.Player).where(tables.Player.email == address)
    player = care.session.exec(known).one_or_none()
    if player is not None and cares_for(care.session, care.row, player):
        raise Forbidden(say("That person cares for this match; who cares for it may not join."))
    check_invitations(care.session, care.row.owner_id, address, care.at)


def vacated(care: Care, after: Match, seat: tables.Seat, kind: str) -> None:
    """Writes the change; what the one before had prepared is dropped with the notes."""
    care.session.add(seat)
    care.session.flush()
    void_prepared(care.session, care.row.id, seat.number)
    commit_match(care.session, care.match, after, care.at, ToTable(kind))


def resign_seat(session: Session, command: Resign, at: datetime) -> None:
    """Gives one's own seat up; a bot plays on, and where no person is left the match is closed.

    None of the rulebooks says what becomes of a player who leaves: the others shall not have to stop.
    """
    why = check_reason(command.reason)
    row = lock_match_row(session, command.match_id)
    number = check_own_seat(access_match(session, row.id, command.by))
    match = load_running_match(session, row, command.expected_head)
    care = give_up(Care(session, row, match, "player", command.by, at), number, why)
    if all(other.bot and not other.player_id for other in load_seats(session, row.id)):
        close_empty(care, why)


def give_up(care: Care, number: int, why: str) -> Care:
    """Lets a bot play on for a seat that its player leaves; the match as it is then."""
    after = matches.note(care.match, SeatResigned(number, why))
    seat = taken_seat(care, number)
    keep_holder(care, after, seat)
    seat.player_id, seat.bot = None, default_bot(care.match.game)
    seat.invited_email = seat.invite_hash = None
    vacated(care, after, seat, "resigned")
    audit_act(care, "SeatResigned", why)
    return replace(care, match=after)


def close_empty(care: Care, why: str) -> None:
    """Ends a match in which no person is left."""
    ended: dict[str, Any] = {"status": "closed", "ended_at": care.at}
    after = matches.close(care.match, Closed("table", why))
    commit_match(care.session, care.match, after, care.at, ToTable("closed"), **ended)
    void_prepared(care.session, care.row.id)
