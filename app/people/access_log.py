"""Access log: who came in when and how, and what changed of what lets a person in. The person reads it, and the site's moderators."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import Session, col, select

from app.outbox.rows import enqueue_mail
from app.platform import tables
from engine.core.sentence import say

ACCESS_LOG_KEPT = timedelta(days=365)
SHOWN = 20
MAIL = "access"  # the kind of mail that tells of it
KINDS = {
    "link": say("signed in by a mailed link"),
    "passkey": say("signed in by a passkey"),
    "token": say("made a token"),
    "passkey added": say("added a passkey"),
    "passkey removed": say("removed a passkey"),
    "passkey refused": say("a passkey was refused: it may have been copied"),
    "address": say("changed the mail address"),
    "everywhere": say("signed out everywhere"),
}


def note_access(
    session: Session, player: tables.Player, kind: str, browser: str, at: datetime
) -> None:
    """Keeps one line, in the transaction that does what it tells."""
    session.add(tables.AccessEvent(player_id=player.id or 0, kind=kind, browser=browser, at=at))


def load_access_log(session: Session, player_id: int) -> list[tables.AccessEvent]:
    """What happened lately, the newest first."""
    query = select(tables.AccessEvent).where(tables.AccessEvent.player_id == player_id)
    return list(session.exec(query.order_by(col(tables.AccessEvent.id).desc()).limit(SHOWN)))


def enqueue_access_mail(
    session: Session,
    player: tables.Player,
    what: str,
    at: datetime,
    *,
    email: str | None = None,
    **told: Any,
) -> None:
    """Writes to somebody about their own account, quiet hours or not: whoever did it may not have been them."""
    if player.email:
        payload = {"what": what, "at": at.isoformat(), **told}
        who: dict[str, Any] = {"player_id": player.id, "email": email}
        enqueue_mail(session, MAIL, at, payload=payload, **who)
