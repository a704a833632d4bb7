"""Reports of players to the site's moderators."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlmodel import Session

from app.matches.access import Place
from app.moderation.audit import REPORTED, note_audit
from app.moderation.moderators import check_site_moderator
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.text_input import check_plain_text
from engine.core.refusal import Unknown
from engine.core.sentence import say

LONGEST_REPORT = 2000


def report_match(session: Session, here: Place, text: Any, at: datetime) -> None:
    """Asks the moderators of the site to look at a match."""
    if here.player_id is None or not here.at_table:
        raise Forbidden(say("Only those at the table talk here."))
    words = check_plain_text(text, say("The report"), LONGEST_REPORT)
    session.add(tables.Report(match_id=here.match_id, player_id=here.player_id, text=words, at=at))


def settle_report(session: Session, moderator: tables.Player, number: int, at: datetime) -> None:
    """Marks a report as seen to."""
    check_site_moderator(moderator)
    found = session.get(tables.Report, number)
    if found is None or found.settled_at is not None:
        raise Unknown(say("There is no open report of that number."))
    found.settled_at = at
    session.add(found)
    note_audit(session, REPORTED, "site", moderator.id, at, match_id=found.match_id)
