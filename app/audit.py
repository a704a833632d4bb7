"""Who did what in care of a match or of the site; the log itself keeps roles, never names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app import accounts, models
from engine.core.sentence import Sentence

PAGE = 200


@dataclass(frozen=True, slots=True)
class Deed:
    """One act of care: by whom, as what, to which match, and why."""

    at: datetime
    match_id: str | None
    role: str
    name: Sentence | str | None  # None: the operator at the command line
    act: str
    pos: int | None
    reason: str


def note(
    session: Session,
    act: str,
    role: str,
    player_id: int | None,
    at: datetime,
    *,
    match_id: str | None = None,
    pos: int | None = None,
    reason: str = "",
) -> None:
    """Keeps an act in the transaction that does it."""
    session.add(
        models.Audit(
            match_id=match_id,
            player_id=player_id,
            role=role,
            act=act,
            pos=pos,
            reason=reason,
            at=at,
        )
    )


def deeds(session: Session, match_id: str | None = None, page: int = 1) -> list[Deed]:
    """What was done to one match or anywhere, the newest first."""
    query = chosen(match_id).order_by(col(models.Audit.id).desc())
    return list(told(session, query.offset((page - 1) * PAGE).limit(PAGE)))


def everything(session: Session, match_id: str | None = None) -> Iterator[Deed]:
    """The same as a whole, the oldest first: for a file."""
    return told(session, chosen(match_id).order_by(col(models.Audit.id)))


def chosen(match_id: str | None) -> Any:
    query = select(models.Audit, models.Player).join(models.Player, isouter=True)
    return query if match_id is None else query.where(models.Audit.match_id == match_id)


def told(session: Session, query: Any) -> Iterator[Deed]:
    for row, player in session.exec(query):
        name = accounts.display_name(player) if row.player_id is not None else None
        yield Deed(row.at, row.match_id, row.role, name, row.act, row.pos, row.reason)
