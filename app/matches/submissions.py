"""Submissions: orders played in one transaction, all or none."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.eventstore.store import load_match
from app.matches.access import access_match, check_own_seat, check_running, find_seat
from app.matches.commit import ToAsked, commit_match
from app.matches.drafts import clean_orders, drop_draft
from app.matches.idempotency import Submitted, load_told_before, remember_submission
from app.matches.lookahead import check_ahead
from app.matches.sleeping_seats import MAIL_AFTER, choose_moment, load_speaking_seats, wake_seat
from app.platform.database import Database
from app.platform.errors import LineRefused, Stale
from engine.core import match as matches
from engine.core.codec import encode
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.secrecy import is_private, redact
from engine.core.sentence import say
from engine.core.timeline import Entry


def submit_orders(
    database: Database,
    match_id: str,
    player_id: int,
    orders: Any,
    *,
    head: int | None,
    key: str | None,
    at: datetime,
) -> Submitted:
    """Plays orders for the player's seat: all of them in one transaction, or none.

    With a `key` a repeat answers as the first did; with a `head` it is refused if the match has moved.
    """
    try:
        return attempt(database, match_id, player_id, orders, head, key, at)
    except Stale:  # perhaps by the same submission, sent twice at the same moment
        with database.look() as session:
            told = load_told_before(
                session, match_id, player_id, key=key, orders=clean_orders(orders), head=head
            )
        if told is None:
            raise
        return told


def attempt(
    database: Database,
    match_id: str,
    player_id: int,
    orders: Any,
    head: int | None,
    key: str | None,
    at: datetime,
) -> Submitted:
    with database.session() as session:
        here = access_match(session, match_id, player_id)
        seat, lines = check_own_seat(here), clean_orders(orders)
        if told := load_told_before(session, match_id, player_id, key=key, orders=lines, head=head):
            return told
        check_running(here)
        before = load_match(session.connection(), match_id)
        if head is not None and head != before.head:
            raise Stale(before.head)
        if find_seat(session, match_id, player_id) != seat:  # given away before the log was read
            raise Stale(before.head)
        after = play_orders(wake_seat(session, before, seat), seat, lines)
        keep_played(session, before, after, at)
        drop_draft(session, here)
        played = after.log[before.head :]
        events = [encode_known_event(entry, seat) for entry in played]
        answer = Submitted(after.head, events, any(is_private(entry.event) for entry in played))
        remember_submission(
            session, match_id, seat, key=key, orders=lines, head=head, answer=answer, at=at
        )
    return answer


def play_orders(match: Match, seat: int, orders: list[str]) -> Match:
    if not orders:
        raise NotUnderstood(say("There are 0 orders to play."))
    check_ahead(match, seat, orders)
    for line, order in enumerate(orders, 1):
        try:
            match = matches.play(match, seat, order)
        except Refusal as refusal:
            raise LineRefused(line, refusal) from refusal
    return match


def keep_played(session: Session, before: Match, after: Match, at: datetime) -> None:
    """Writes what was played, with the clocks, notices and answers of standing orders that follow."""
    sleeping = load_speaking_seats(session, after)
    moment = choose_moment(at) if sleeping else None
    later = dict.fromkeys(sleeping, at + MAIL_AFTER)
    commit_match(session, before, after, at, ToAsked(later), standing_at=moment)


def encode_known_event(entry: Entry, seat: int | None) -> dict[str, Any]:
    """An event as one seat may know it."""
    known = redact(entry.event, seat)
    return {"pos": entry.pos, "kind": type(known).__name__, "data": encode(known)}
