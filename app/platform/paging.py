"""LIMIT and OFFSET: one page of a query, and whether there are more."""

from __future__ import annotations

from typing import Any

from sqlalchemy import union
from sqlmodel import Session, col, select

from app.platform import tables

ROWS_A_PAGE = 20
NEWEST_FIRST = (col(tables.Match.created_at).desc(), col(tables.Match.id))


def own_matches(player_id: int | None) -> Any:
    """The ids of the matches in which a player sits, or which they own: two short ways by index, not one through all matches."""
    return union(
        select(tables.Seat.match_id).where(tables.Seat.player_id == player_id),
        select(tables.Match.id).where(tables.Match.owner_id == player_id),
    )


def newest_public(page: int, *which: Any) -> Any:
    """The ids of as many public matches as could stand on the pages so far, the newest first."""
    query = select(tables.Match.id).where(col(tables.Match.public), *which)
    return query.order_by(*NEWEST_FIRST).limit(page * ROWS_A_PAGE + 1)


def load_page(session: Session, query: Any, page: int) -> tuple[list[tables.Match], bool]:
    rows = list(
        session.exec(
            query.order_by(*NEWEST_FIRST).offset((page - 1) * ROWS_A_PAGE).limit(ROWS_A_PAGE + 1)
        )
    )
    return rows[:ROWS_A_PAGE], len(rows) > ROWS_A_PAGE
