"""What the site's moderators look at: stalled matches, lost mails, open reports."""

from __future__ import annotations

from datetime import datetime

from sqlmodel import Session, col, select

from app.platform import tables
from app.platform.paging import ROWS_A_PAGE
from app.platform.tables import UNDER_WAY


def load_stalled_matches(session: Session, since: datetime) -> list[tables.Match]:
    """Matches that should have moved before `since`: their deadline passed and nothing came of it."""
    query = select(tables.Match).where(
        tables.Match.status == "running", col(tables.Match.deadline) < since
    )
    return list(session.exec(query.order_by(col(tables.Match.deadline)).limit(ROWS_A_PAGE)))


def load_bouncing_seats(session: Session) -> list[tuple[tables.Seat, tables.Player]]:
    """The seats of matches under way whose players' mails come back."""
    query = (
        select(tables.Seat, tables.Player)
        .join(tables.Player, col(tables.Player.id) == col(tables.Seat.player_id))
        .join(tables.Match, col(tables.Match.id) == col(tables.Seat.match_id))
        .where(col(tables.Player.bouncing_at).is_not(None), col(tables.Match.status).in_(UNDER_WAY))
        .order_by(col(tables.Player.bouncing_at))
        .limit(ROWS_A_PAGE)
    )
    return [(seat, player) for seat, player in session.exec(query)]


def load_dead_letters(session: Session) -> list[tables.Outbox]:
    query = select(tables.Outbox).where(tables.Outbox.state == "dead")
    return list(session.exec(query.order_by(col(tables.Outbox.id).desc()).limit(ROWS_A_PAGE)))


def load_open_reports(session: Session) -> list[tables.Report]:
    query = select(tables.Report).where(col(tables.Report.settled_at).is_(None))
    return list(session.exec(query.order_by(col(tables.Report.id)).limit(ROWS_A_PAGE)))
