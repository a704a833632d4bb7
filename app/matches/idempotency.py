"""Idempotency keys: a submission that comes again gets the answer that it got before."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, select

from app.platform import tables
from app.platform.errors import KeyReused, Stale


@dataclass(frozen=True, slots=True)
class Submitted:
    """What an accepted submission brought about."""

    head: int
    events: list[dict[str, Any]]


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
    seats = select(tables.Seat.number).where(
        tables.Seat.match_id == match_id, tables.Seat.player_id == player_id
    )
    query = select(tables.Submission).where(
        tables.Submission.match_id == match_id,
        tables.Submission.key == key,
        col(tables.Submission.seat).in_(seats),
    )
    row = session.exec(query).first() if key else None
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
    session.add(
        tables.Submission(
            match_id=match_id,
            seat=seat,
            key=key,
            payload_hash=payload_hash(orders, head),
            answer={"head": answer.head, "events": answer.events},
            at=at,
        )
    )
    try:
        session.flush()
    except IntegrityError as error:  # the same key at the same moment: the other one won
        raise Stale(answer.head) from error
