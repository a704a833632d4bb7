"""Idempotency keys: a submission that comes again gets the answer that it got before."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, insert, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session

from app.platform import tables
from app.platform.errors import KeyReused, Stale
from app.platform.rows import HERE, ME, TABLES, RowQuery, write
from app.platform.statements import Statement

SUBMISSION, SEATS = TABLES["submission"], TABLES["seat"]
OWN = select(SEATS.c.number).where(SEATS.c.match_id == HERE, SEATS.c.player_id == ME)
SUBMITTED: RowQuery[tables.Submission] = RowQuery(
    [tables.Submission],
    SUBMISSION.c.match_id == HERE,
    SUBMISSION.c.key == bindparam("key", type_=SUBMISSION.c.key.type),
    SUBMISSION.c.seat.in_(OWN),
)
REMEMBER = Statement(insert(SUBMISSION), SUBMISSION.c.keys())


@dataclass(frozen=True, slots=True)
class Submitted:
    """What an accepted submission brought about."""

    head: int
    events: list[dict[str, Any]]
    drew: bool = True  # whether something of it is for one seat alone; of an answer that was kept nobody knows


def payload_hash(orders: list[str], head: int | None) -> str:
    return hashlib.sha256(json.dumps([orders, head]).encode()).hexdigest()


def load_told_before(
    session: Session,
    match_id: str,
    player_id: int,
    *,
    key: str | None,
    orders: list[str],
    head: int | None,
) -> Submitted | None:
    """The answer that the same submission got before; who plays several seats may sit elsewhere by now."""
    row = SUBMITTED.first(session, match=match_id, key=key, me=player_id) if key else None
    if row is None:
        return None
    if row.payload_hash != payload_hash(orders, head):
        raise KeyReused
    return Submitted(**row.answer)


def remember_submission(
    session: Session,
    match_id: str,
    seat: int,
    *,
    key: str | None,
    orders: list[str],
    head: int | None,
    answer: Submitted,
    at: datetime,
) -> None:
    if not key:
        return
    row = {
        "match_id": match_id,
        "seat": seat,
        "key": key,
        "payload_hash": payload_hash(orders, head),
        "answer": {"head": answer.head, "events": answer.events},
        "at": at,
    }
    try:
        write(session, REMEMBER, row)
    except IntegrityError as error:  # the same key at the same moment: the other one won
        raise Stale(answer.head) from error
