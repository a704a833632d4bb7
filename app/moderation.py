"""Turning a match back: an event like any other, told to everybody, with a reason."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from sqlmodel import Session, delete

from app import models, notices, play, store
from app.db import Database
from app.errors import Forbidden, Stale
from app.words import plain_text
from engine.core import match as matches
from engine.core.match import Match
from engine.core.sentence import say

LONGEST_REASON = 500
BY = "owner"  # not the name: the log is for ever, and names are not


def rewind(
    database: Database,
    match_id: str,
    player_id: int,
    head: int,
    to: int,
    reason: Any,
    at: datetime,
) -> int:
    """Takes the match back to the end of an earlier order; what is cut stays in the log."""
    why = plain_text(reason, "reason", LONGEST_REASON)
    with database.session() as session:
        before = seen_at(session, match_id, player_id, head)
        after = matches.rewind(before, to, BY, why, secrets.token_hex(32))
        keep(session, before, after, "rewound", at)
    return after.head


def restore(database: Database, match_id: str, player_id: int, head: int, at: datetime) -> int:
    """Brings back what the last rewind cut, while nothing new was played."""
    with database.session() as session:
        before = seen_at(session, match_id, player_id, head)
        after = matches.restore(before, BY)
        keep(session, before, after, "restored", at)
    return after.head


def seen_at(session: Session, match_id: str, player_id: int, head: int) -> Match:
    """The match, if its owner asks and it is still where the owner saw it."""
    here = play.place(session, match_id, player_id)
    if not here.owner:
        raise Forbidden(say("Only the owner of the match may do this."))
    if here.status not in ("running", "paused", "over"):
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=here.status)
        )
    match = store.load(session.connection(), match_id)
    if head != match.head:
        raise Stale(match.head)
    return match


def keep(session: Session, before: Match, after: Match, kind: str, at: datetime) -> None:
    """Writes the turn, and whatever was made for the part that went: drafts and standing orders are void."""
    changes: dict[str, Any] = {}
    if after.over and not before.over:
        changes = {"status": "over", "ended_at": at, "deadline": None}
    elif before.over and not after.over:
        changes = {"status": "running", "ended_at": None}
    store.save(session.connection(), after, before.head, at, **changes)
    for model in (models.Draft, models.Standing):
        session.exec(delete(model).where(model.match_id == after.id))  # type: ignore[arg-type]  # SQLModel's columns
    seats = tuple(range(len(after.game.scores(after.state))))
    notices.notify(session, after.id, after.head, seats, kind, at)
