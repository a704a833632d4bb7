"""Who did what in care of a match or of the site; the log itself keeps roles, never names."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import aliased
from sqlmodel import Session

from app.platform import tables

REPORTED = "report settled"
SUSPENDED, LIFTED = "suspended", "suspension lifted"
SUBJECT = aliased(tables.Player)


def note_audit(
    session: Session,
    act: str,
    role: str,
    player_id: int | None,
    at: datetime,
    *,
    match_id: str | None = None,
    pos: int | None = None,
    subject_id: int | None = None,
    reason: str = "",
) -> None:
    """Keeps an act in the transaction that does it."""
    session.add(
        tables.Audit(
            match_id=match_id,
            player_id=player_id,
            subject_id=subject_id,
            role=role,
            act=act,
            pos=pos,
            reason=reason,
            at=at,
        )
    )
