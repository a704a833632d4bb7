"""What is said at the table, and what a seat writes down for itself."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app import glance, models, notices
from app.errors import Forbidden
from app.glance import Glance
from app.play import Place, own_seat
from app.words import plain_text
from engine.core.sentence import say

LONGEST_WORD = 1000
LONGEST_NOTE = 10_000
SHOWN = 100
TALK, PLAYER = (glance.TABLES[name] for name in ("talk", "player"))
NOTES = glance.of_seat(models.Note)
SPOKEN: Glance[tuple[models.Talk, models.Player]] = Glance(
    [models.Talk, models.Player],
    TALK.c.match_id == glance.HERE,
    TALK.c.hidden_at.is_(None),
    source=TALK.join(PLAYER, PLAYER.c.id == TALK.c.player_id),
    order=TALK.c.id.desc(),
    most=SHOWN,
)


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
    spoken = reversed(SPOKEN.found(session, match=here.match_id))
    return [Said(player, talk.text, talk.at) for talk, player in spoken]


def note(session: Session, here: Place) -> str:
    """What one's own seat wrote down."""
    if here.seat is None:
        return ""
    row = NOTES.first(session, match=here.match_id, seat=here.seat)
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
