"""Quotas of an account: matches against bots, and records that were taken in."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import exists, func
from sqlmodel import Session, col, select

from app.platform import tables
from app.platform.errors import OverQuota
from app.platform.tables import UNDER_WAY
from engine.core.sentence import say

MOST_BOT_MATCHES = 20  # under way at a time
MOST_IMPORTS = 20  # matches from records, under way at a time
IMPORTS_A_DAY = 50
GUEST_MATCHES = 6  # of any kind, under way at a time: a demo of each game, and some again
GUEST_IMPORTS_A_DAY = 5
DAY = timedelta(days=1)


def check_bot_matches(session: Session, owner: tables.Player) -> None:
    """Refuses one more match against bots to who has many."""
    bots = exists().where(
        col(tables.Seat.match_id) == col(tables.Match.id),
        col(tables.Seat.bot).is_not(None),
        col(tables.Seat.player_id).is_(None),
    )
    count = count_matches(session, owner, under_way(), bots)
    if count >= MOST_BOT_MATCHES:
        raise OverQuota(
            say(
                "You have {count} matches against bots under way; {most} are the most at a time. Finish or close one first.",
                count=count,
                most=MOST_BOT_MATCHES,
            )
        )


def check_guest(session: Session, guest: tables.Player) -> None:
    """Refuses one more match to a guest who has some."""
    count = count_matches(session, guest, under_way())
    if guest.guest and count >= GUEST_MATCHES:
        raise OverQuota(
            say(
                "You have {count} matches under way; guests have at most {most} at a time. "
                "Finish one, or sign in with a mail address to have more.",
                count=count,
                most=GUEST_MATCHES,
            )
        )


def check_imports(session: Session, owner: tables.Player, at: datetime, *, over: bool) -> None:
    """Refuses one more record to who took in many; one of a match that is over is only counted by the day."""
    if not over:
        check_guest(session, owner)
    taken_in = col(tables.Match.imported)
    today = count_matches(session, owner, taken_in, col(tables.Match.created_at) > at - DAY)
    most = GUEST_IMPORTS_A_DAY if owner.guest else IMPORTS_A_DAY
    if today >= most:
        raise OverQuota(
            say(
                "You have taken in {count} records within a day; {most} are the most.",
                count=today,
                most=most,
            )
        )
    count = 0 if over else count_matches(session, owner, taken_in, under_way())
    if count >= MOST_IMPORTS:
        raise OverQuota(
            say(
                "You have {count} imported matches under way; {most} are the most at a time. Finish or close one first.",
                count=count,
                most=MOST_IMPORTS,
            )
        )


def under_way() -> Any:
    return col(tables.Match.status).in_(("open", *UNDER_WAY))


def count_matches(session: Session, owner: tables.Player, *which: Any) -> int:
    """How many matches somebody owns, of some kind."""
    own = tables.Match.owner_id == owner.id
    return session.exec(select(func.count()).select_from(tables.Match).where(own, *which)).one()
