"""The audit as pages and files show it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app.moderation.audit import LIFTED, REPORTED, SUBJECT, SUSPENDED
from app.people.accounts import display_name
from app.platform import tables
from engine.core.sentence import Sentence, say

DEEDS_A_PAGE = 200
ACTS = {
    "rewind": say("went back"),
    "restore": say("brought back what had been cut"),
    "Paused": say("paused the match"),
    "Resumed": say("let the match go on"),
    "Extended": say("moved the deadline"),
    "Closed": say("closed the match"),
    "SeatReplaced": say("gave a seat to somebody else"),
    "SeatResigned": say("gave up the own seat"),
    "UndoRefused": say("refused an undo"),
    "ActProposed": say("proposed something"),
    "ProposalWithdrawn": say("took a proposal back"),
    "OwnerChanged": say("put the match into other hands"),
    "ModeratorInvited": say("asked somebody to care for the match"),
    "ModeratorNamed": say("named a moderator"),
    "ModeratorDismissed": say("dismissed a moderator"),
    "TalkHidden": say("hid something said"),
    "resend": say("sent a mail again"),
    REPORTED: say("settled a report"),
    "appointed": say("was made a moderator of this site"),
    "dismissed": say("is no longer a moderator of this site"),
    SUSPENDED: say("suspended an account"),
    LIFTED: say("lifted a suspension"),
}


@dataclass(frozen=True, slots=True)
class Deed:
    """One act of care: by whom, as what, to which match or person, and why."""

    at: datetime
    match_id: str | None
    role: str
    name: Sentence | str | None  # None: the operator at the command line
    act: str
    pos: int | None
    reason: str
    whom: Sentence | str | None = None

    @property
    def said(self) -> Sentence | str:
        return ACTS.get(self.act, self.act)


def load_deeds(session: Session, match_id: str | None = None, page: int = 1) -> list[Deed]:
    """What was done to one match or anywhere, the newest first."""
    query = chosen(match_id).order_by(col(tables.Audit.id).desc())
    return list(told(session, query.offset((page - 1) * DEEDS_A_PAGE).limit(DEEDS_A_PAGE)))


def load_all_deeds(session: Session, match_id: str | None = None) -> Iterator[Deed]:
    """The same as a whole, the oldest first: for a file."""
    return told(session, chosen(match_id).order_by(col(tables.Audit.id)))


def chosen(match_id: str | None) -> Any:
    query = (
        select(tables.Audit, tables.Player, SUBJECT)
        .outerjoin(tables.Player, col(tables.Player.id) == col(tables.Audit.player_id))
        .outerjoin(SUBJECT, col(SUBJECT.id) == col(tables.Audit.subject_id))
    )
    if match_id is None:
        return query
    # That somebody reported the match is for the site's moderators: they may have reported its owner.
    at_table = (tables.Audit.match_id == match_id, tables.Audit.act != REPORTED)
    return query.where(*at_table)


def told(session: Session, query: Any) -> Iterator[Deed]:
    for row, player, subject in session.exec(query):
        name = display_name(player) if row.player_id is not None else None
        whom = display_name(subject) if row.subject_id is not None else None
        yield Deed(row.at, row.match_id, row.role, name, row.act, row.pos, row.reason, whom)
