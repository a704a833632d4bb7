"""The mailbox of an embedded service: the mails that would have been sent."""

from __future__ import annotations

from sqlmodel import Session, col, select

from app import models
from engine.core.refusal import Unknown
from engine.core.sentence import say

SHOWN = 100


def letters(session: Session) -> list[models.Letter]:
    """The newest mails first."""
    return list(
        session.exec(select(models.Letter).order_by(col(models.Letter.id).desc()).limit(SHOWN))
    )


def framed(shown: models.Letter) -> str:
    """The HTML of a mail for a frame: its links lead the whole page away, not the frame alone."""
    return (shown.html or "").replace("<head>", '<head><base target="_top">', 1)


def letter(session: Session, number: int) -> models.Letter:
    found = session.get(models.Letter, number)
    if found is None:
        raise Unknown(say("There is no such mail."))
    return found
