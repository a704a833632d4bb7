"""Seats whose player sleeps: which standing orders speak, what they answer, and the way back from a bot that stood in."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from secrets import SystemRandom
from typing import Any

from sqlmodel import Session, select

from app.eventstore.row_lock import lock_match_row
from app.platform import tables
from app.platform.rows import HERE, SEAT, TABLES, ColumnQuery, query_of_seat
from engine.core import match as matches
from engine.core.match import Match
from engine.core.timeline import Returned, StoodIn

ANSWERED = query_of_seat(tables.Answered)
SEATS = TABLES["seat"]
STAND_IN: ColumnQuery[str | None] = ColumnQuery(
    SEATS.c.bot, SEATS.c.match_id == HERE, SEATS.c.number == SEAT
)
SOONEST, LATEST = 5, 90  # seconds until standing orders answer: who knows the time knows nothing


# So long the mail waits that asks a player for what standing orders are about to answer.
MAIL_AFTER = timedelta(seconds=LATEST + 60)
DICE = SystemRandom()
Wishes = Mapping[int, Mapping[str, Any]]  # the standing orders of every seat that has some


def load_speaking_seats(session: Session, match: Match) -> frozenset[int]:
    """The seats that are asked and whose standing orders have an answer; the sweep gives it some seconds later.

    They answer questions and never play a turn. The match's row is taken before they are read: whoever gives or
    takes back orders comes before this question or after it.
    """
    if match.game.awaited(match.state) not in match.game.standing:
        return frozenset()
    lock_match_row(session, match.id)
    wishes = load_wishes(session, match.id)
    asked = match.game.to_act(match.state)
    return frozenset(seat for seat in asked if answer_of(match, seat, wishes) is not None)


def load_wishes(session: Session, match_id: str) -> Wishes:
    query = select(tables.Standing).where(tables.Standing.match_id == match_id)
    return {row.seat: row.orders for row in session.exec(query)}


def choose_moment(at: datetime) -> datetime:
    """When standing orders answer what was asked at that moment."""
    return at + timedelta(seconds=DICE.uniform(SOONEST, LATEST))


def next_answer(match: Match, wishes: Wishes) -> Any:
    """What the standing orders of somebody who is asked say, if they say anything."""
    answers = (answer_of(match, seat, wishes) for seat in match.game.to_act(match.state))
    return next((answer for answer in answers if answer is not None), None)


def answer_of(match: Match, seat: int, wishes: Wishes) -> Any:
    """What a seat's standing orders say to the question that it is asked; None where they are silent."""
    game, state = match.game, match.state
    kind = game.awaited(state)
    rule, wish = game.standing.get(kind), wishes.get(seat, {}).get(kind)
    if rule is None or wish is None:
        return None
    return rule.answer(game.view(state, seat), wish, list(game.legal(state, seat)))


def remember(session: Session, match_id: str, act: int, seat: int) -> None:
    """Keeps that an act was theirs, for the eyes of their seat alone."""
    session.add(tables.Answered(match_id=match_id, act=act, seat=seat))


def load_answered_acts(session: Session, match_id: str, seat: int | None) -> set[int]:
    """The acts that standing orders gave for a seat, by their first position: nobody else's business."""
    if seat is None:
        return set()
    return {one.act for one in ANSWERED.found(session, match=match_id, seat=seat)}


def played_by_bot(match: Match, seat: int | None) -> set[int]:
    """The acts of a seat while a bot stood in for its player."""
    acts, away = set[int](), False
    kinds = (type(entry.event) for entry in match.log)  # a log is long, and bots seldom stand in
    if StoodIn not in kinds:
        return acts
    for entry in match.log:
        match entry.event:
            case StoodIn(seat=number) if number == seat:
                away = True
            case Returned(seat=number) if number == seat:
                away = False
        if away and entry.seat == seat:
            acts.add(entry.act)
    return acts


def wake_seat(session: Session, match: Match, seat: int) -> Match:
    """The match after its player has come back to a seat for which a bot stood in."""
    if STAND_IN.first(session, match=match.id, seat=seat) is None:
        return match
    row = session.get_one(tables.Seat, (match.id, seat))
    row.bot = None
    session.add(row)
    session.flush()
    return matches.note(match, Returned(seat))
