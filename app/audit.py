"""Who did what in care of a match or of the site; the log itself keeps roles, never names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.orm import aliased
from sqlmodel import Session, col, select

from app import accounts, models
from engine.core.sentence import Sentence, say

PAGE = 200
REPORTED = "report settled"
SUSPENDED, LIFTED = "suspended", "suspension lifted"
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

SUBJECT = aliased(models.Player)


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


def note(
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
        models.Audit(
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


def deeds(session: Session, match_id: str | None = None, page: int = 1) -> list[Deed]:
    """What was done to one match or anywhere, the newest first."""
    query = chosen(match_id).order_by(col(models.Audit.id).desc())
    return list(told(session, query.offset((page - 1) * PAGE).limit(PAGE)))


def everything(session: Session, match_id: str | None = None) -> Iterator[Deed]:
    """The same as a whole, the oldest first: for a file."""
    return told(session, chosen(match_id).order_by(col(models.Audit.id)))


def chosen(match_id: str | None) -> Any:
    query = (
        select(models.Audit, models.Player, SUBJECT)
        .outerjoin(models.Player, col(models.Player.id) == col(models.Audit.player_id))
        .outerjoin(SUBJECT, col(SUBJECT.id) == col(models.Audit.subject_id))
    )
    if match_id is None:
        return query
    # That somebody reported the match is for the site's moderators: they may have reported its owner.
    at_table = (models.Audit.match_id == match_id, models.Audit.act != REPORTED)
    return query.where(*at_table)


def told(session: Session, query: Any) -> Iterator[Deed]:
    for row, player, subject in session.exec(query):
        name = accounts.display_name(player) if row.player_id is not None else None
        whom = accounts.display_name(subject) if row.subject_id is not None else None
        yield Deed(row.at, row.match_id, row.role, name, row.act, row.pos, row.reason, whom)
