"""Who plays on for a seat: another person, a bot, or nobody of the sort any more."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, select

from app import consent, lobby, models, moderation, notices, play, quotas
from app.errors import Forbidden
from app.moderation import Care, Carer, given_reason, in_care
from app.words import email_address
from engine.core import match as matches
from engine.core.game import Game
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Unknown
from engine.core.registry import bots, find_bot
from engine.core.sentence import say
from engine.core.timeline import ActProposed, Closed, SeatReplaced, SeatResigned

PREFERRED = ("steady", "random")  # who plays on where nobody chose


def replace_player(
    session: Session,
    match_id: str,
    carer: Carer,
    number: int,
    email: str | None,
    bot: str | None,
    reason: Any,
    head: int | None,
    at: datetime,
) -> bool:
    """Gives a seat to another: a bot at once; for a person it is kept until they come. False if others must agree.

    An address is invited whether or not we know it: whoever asks must not learn who has an account.
    """
    why = given_reason(reason)
    care = in_care(session, match_id, carer, head, at, *models.UNDER_WAY)
    if (email is None) == (bot is None):
        raise NotUnderstood(say("A seat is given to an address or to a bot: name one of them."))
    taken_seat(care, number)
    if care.row.alone:
        raise Forbidden(
            say("One person has played every seat here and seen all hands; nobody else may join.")
        )
    address = email_address(email) if email is not None else None
    if bot is not None:
        find_bot(care.match.game, bot)
    if address is not None:
        check_newcomer(care, address)
    wish = ActProposed(care.role, "replace", why, given=number, bot=bot)
    if consent.await_leave(care, wish, address):
        return False
    give_seat(care, number, address, bot, why)
    return True


def give_seat(care: Care, number: int, address: str | None, bot: str | None, why: str) -> None:
    """Puts another into a seat, or keeps it for an address."""
    seat = taken_seat(care, number)
    before = seat.player_id
    after = matches.note(care.match, SeatReplaced(care.role, why, number))
    if address is not None:
        check_newcomer(care, address)
        seat.player_id = seat.bot = seat.invited_email = seat.invite_hash = None
        lobby.invite(care.session, care.row, seat, address, care.at, after.head)
    else:
        if before is not None and before == care.row.owner_id:  # one against bots more
            quotas.check_bot_matches(care.session, care.session.get_one(models.Player, before))
        seat.player_id, seat.bot, seat.invited_email, seat.invite_hash = None, bot, None, None
    vacated(care, after, seat, "replaced")
    if before is not None and before not in players(care):  # who has another seat is told already
        notices.to_player(care.session, care.row.id, after.head, before, "replaced", care.at)
    moderation.audited(care, "SeatReplaced", after, why)


def players(care: Care) -> set[int | None]:
    return {seat.player_id for seat in lobby.seats_of(care.session, care.row.id)}


def taken_seat(care: Care, number: int) -> models.Seat:
    seats = lobby.seats_of(care.session, care.row.id)
    if number not in range(len(seats)):
        raise Unknown(say("There is no seat {seat} in this match.", seat=number))
    return seats[number]


def check_newcomer(care: Care, address: str) -> None:
    """Refuses to invite somebody who sits at this table already or cares for it: they have another hand, or none to have."""
    if care.player_id is not None:
        lobby.check_address(care.session.get_one(models.Player, care.player_id))
    if care.match.name != care.match.id:
        raise Forbidden(
            say("This match was taken in from a record that tells its seed; nobody else may join.")
        )
    for other in lobby.seats_of(care.session, care.row.id):
        player = other.player_id and care.session.get(models.Player, other.player_id)
        if other.invited_email == address or (player and player.email == address):
            raise Forbidden(say("That person has a seat in this match already."))
    known = select(models.Player).where(models.Player.email == address)
    player = care.session.exec(known).one_or_none()
    if player is not None and lobby.cares_for(care.session, care.row, player):
        raise Forbidden(say("That person cares for this match; who cares for it may not join."))
    lobby.check_invitations(care.session, care.row.owner_id, address, care.at)


def vacated(care: Care, after: Match, seat: models.Seat, kind: str) -> None:
    """Writes the change; what the one before had prepared is dropped with the notes."""
    care.session.add(seat)
    care.session.flush()
    moderation.void(care.session, care.row.id, seat.number)
    moderation.told(care.session, care.match, after, kind, care.at)


def resign(
    session: Session, match_id: str, player_id: int, reason: Any, head: int | None, at: datetime
) -> None:
    """Gives one's own seat up; a bot plays on, and where no person is left the match is closed.

    None of the rulebooks says what becomes of a player who leaves: the others shall not have to stop.
    """
    why = given_reason(reason)
    row = play.take_turn(session, match_id)
    number = play.own_seat(play.place(session, match_id, player_id))
    match = moderation.running(session, row, head)
    care = give_up(Care(session, row, match, "player", player_id, at), number, why)
    if all(other.bot and not other.player_id for other in lobby.seats_of(session, match_id)):
        close_empty(care, why)


def give_up(care: Care, number: int, why: str) -> Care:
    """Lets a bot play on for a seat that its player leaves; the match as it is then."""
    after = matches.note(care.match, SeatResigned(number, why))
    seat = taken_seat(care, number)
    seat.player_id, seat.bot = None, default_bot(care.match.game)
    seat.invited_email = seat.invite_hash = None
    vacated(care, after, seat, "resigned")
    moderation.audited(care, "SeatResigned", after, why)
    return replace(care, match=after)


def close_empty(care: Care, why: str) -> None:
    """Ends a match in which no person is left."""
    ended: dict[str, Any] = {"status": "closed", "ended_at": care.at}
    after = matches.close(care.match, Closed("table", why))
    moderation.told(care.session, care.match, after, "closed", care.at, **ended)
    moderation.void(care.session, care.row.id)


def default_bot(game: Game) -> str:
    """Who plays on for a seat where nobody chose."""
    known = bots(game)
    return next(key for key in PREFERRED if key in known)
