"""Which matches wait for somebody: those in which a clock of theirs runs, by deadline."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, Select, and_, case, func, select

from app.platform.rows import ME, TABLES, Source, read
from app.platform.statements import Statement

MATCH, SEAT, CLOCK = (TABLES[name] for name in ("match", "seat", "clock"))
ASKED = and_(SEAT.c.match_id == CLOCK.c.match_id, SEAT.c.number == CLOCK.c.seat)


def waiting_matches(player_id: Any) -> Select[Any]:
    """The matches in which a player is asked, with the moment by which to answer (`due`), and whether that is past."""
    return (
        select(
            CLOCK.c.match_id,
            func.min(CLOCK.c.due_at).label("due"),
            func.max(case((CLOCK.c.phase == "over", 1), else_=0)).label("late"),
        )
        .join(SEAT, ASKED)
        .join(MATCH, MATCH.c.id == CLOCK.c.match_id)
        .where(SEAT.c.player_id == player_id, SEAT.c.bot.is_(None))
        .where(CLOCK.c.phase != "idle", MATCH.c.status == "running")
        .group_by(CLOCK.c.match_id)
    )


def by_deadline(waits: Any) -> tuple[Any, ...]:
    """What is overdue first, then by deadline; a clock that stands still comes last."""
    return waits.c.late.desc(), waits.c.due.is_(None), waits.c.due, waits.c.match_id


ASKING = waiting_matches(ME).subquery()
WAITING = Statement(select(ASKING.c.match_id).order_by(*by_deadline(ASKING)))


def list_waiting(source: Source | Connection, player_id: int) -> list[str]:
    """The matches that wait for a player, the most urgent first."""
    return [match_id for (match_id,) in read(source, WAITING, {"me": player_id})]
