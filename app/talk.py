"""What is said at the table, and what a seat writes down for itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, select

from app import models, notices
from app.errors import Forbidden
from app.play import Place, own_seat
from app.words import plain_text
from engine.core.sentence import say

LONGEST_WORD = 1000
LONGEST_NOTE = 10_000
SHOWN = 100


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said: by whom, what and when."""

    player: models.Player | None
    text: str
    at: datetime


def speak(session: Session, here: Place, text: Any, at: datetime) -> None:
    if not here.at_table or here.player_id is None:
        raise Forbidden(say("Only those at the table talk here."))
    words = plain_text(text, say("The text"), LONGEST_WORD)
    said = models.Talk(match_id=here.match_id, player_id=here.player_id, text=words, at=at)
    session.add(said)
    session.flush()
    notices.after_talk(session, said, at)


def heard(session: Session, here: Place) -> list[Said]:
    """The last things said, oldest first; to those at the table."""
    if not here.at_table:
        return []
    query = (
        select(models.Talk, models.Player)
        .join(models.Player, col(models.Player.id) == col(models.Talk.player_id))
        .where(models.Talk.match_id == here.match_id, col(models.Talk.hidden_at).is_(None))
        .order_by(col(models.Talk.id).desc())
        .limit(SHOWN)
    )
    return [
        Said(player, talk.text, talk.at) for talk, player in reversed(session.exec(query).all())
    ]


def note(session: Session, here: Place) -> str:
    """What one's own seat wrote down."""
    if here.seat is None:
        return ""
    row = session.get(models.Note, (here.match_id, here.seat))
    return row.text if row else ""


def write_note(session: Session, here: Place, text: Any) -> None:
    """Replaces the note; an empty one is a note too."""
    seat = own_seat(here)
    blank = isinstance(text, str) and not text.strip()
    words = "" if blank else plain_text(text, say("The note"), LONGEST_NOTE)
    row = session.get(models.Note, (here.match_id, seat))
    row = row or models.Note(match_id=here.match_id, seat=seat)
    row.text = words
    session.add(row)
