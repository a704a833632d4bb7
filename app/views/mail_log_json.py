"""The mail log of a match as the API tells it: no contents, no addresses."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session, col, or_, select

from app.matches.access import Place
from app.platform import tables
from app.platform.errors import Forbidden
from app.views.match_json import SeenTable
from app.views.seat_history import load_past
from engine.core.sentence import say


def known_mails(here: Place) -> Any:
    """The mails that somebody may know of: what another asked by mail is nobody else's business."""
    theirs = tables.Outbox.player_id == here.player_id
    return or_(tables.Outbox.kind != "answer", theirs)


def list_mails(session: Session, at: SeenTable, *which: Any) -> list[dict[str, Any]]:
    """The match's mail log, for its table: no contents, no addresses."""
    if not at.here.at_table:
        raise Forbidden(say("You have no seat in this match."))
    seats = {s.player_id: s.number for s, _ in reversed(at.sitters) if s.player_id is not None}
    known, past = known_mails(at.here), load_past(session, at.row.id)

    def seat_of(mail: tables.Outbox) -> int | None:
        if mail.player_id is None:
            return None
        return seats.get(mail.player_id, past.seat_of(mail.pos, mail.player_id))

    query = select(tables.Outbox).where(tables.Outbox.match_id == at.row.id, known, *which)
    return [
        {
            "kind": mail.kind,
            "seat": seat_of(mail),
            "pos": mail.pos
            if mail.player_id is not None
            else 0,  # an invitation counts seats there
            "state": mail.state,
            "at": mail.sent_at or mail.created_at,
        }
        for mail in session.exec(query.order_by(col(tables.Outbox.id)))
    ]
