"""Chat at the table, and private notes of a seat."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, func, select

from app.matches.access import Place, check_own_seat
from app.outbox.notifications import notify_after_talk
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.rows import HERE, ME, TABLES, ColumnQuery, RowQuery, query_of_seat
from app.platform.text_input import check_plain_text
from engine.core.sentence import say

LONGEST_WORD = 1000
LONGEST_NOTE = 10_000
SHOWN = 100
TALK, PLAYER, READ = (TABLES[name] for name in ("talk", "player", "talk_read"))
NOTES = query_of_seat(tables.Note)
SPOKEN: RowQuery[tuple[tables.Talk, tables.Player]] = RowQuery(
    [tables.Talk, tables.Player],
    TALK.c.match_id == HERE,
    TALK.c.hidden_at.is_(None),
    source=TALK.join(PLAYER, PLAYER.c.id == TALK.c.player_id),
    order=TALK.c.id.desc(),
    most=SHOWN,
)
NEWEST: ColumnQuery[int | None] = ColumnQuery(func.max(TALK.c.id), TALK.c.match_id == HERE)
LAST_READ = select(READ.c.talk_id).where(READ.c.match_id == HERE, READ.c.player_id == ME)
UNREAD: ColumnQuery[int] = ColumnQuery(
    func.count(TALK.c.id),
    TALK.c.match_id == HERE,
    TALK.c.player_id != ME,
    TALK.c.hidden_at.is_(None),
    TALK.c.id > func.coalesce(LAST_READ.scalar_subquery(), 0),
)


@dataclass(frozen=True, slots=True)
class Said:
    """One thing said: by whom, what and when."""

    player: tables.Player | None
    text: str
    at: datetime


def say_at_table(session: Session, here: Place, text: Any, at: datetime) -> None:
    if not here.at_table or here.player_id is None:
        raise Forbidden(say("Only those at the table talk here."))
    words = check_plain_text(text, say("The text"), LONGEST_WORD)
    said = tables.Talk(match_id=here.match_id, player_id=here.player_id, text=words, at=at)
    session.add(said)
    session.flush()
    mark_read(session, here.match_id, here.player_id)
    notify_after_talk(session, said, at)


def load_talk(session: Session, here: Place) -> list[Said]:
    """The last things said, oldest first; to those at the table."""
    if not here.at_table:
        return []
    spoken = reversed(SPOKEN.found(session, match=here.match_id))
    return [Said(player, talk.text, talk.at) for talk, player in spoken]


def read_talk(session: Session, here: Place) -> None:
    """Keeps that somebody at the table has read what is said there."""
    if not here.at_table or here.player_id is None:
        raise Forbidden(say("Only those at the table talk here."))
    mark_read(session, here.match_id, here.player_id)


def mark_read(session: Session, match_id: str, player_id: int) -> None:
    """Everything said so far is no news to this player any more."""
    newest = find_newest_talk(session, match_id)
    row = session.get(tables.TalkRead, (match_id, player_id))
    row = row or tables.TalkRead(match_id=match_id, player_id=player_id, talk_id=0)
    row.talk_id = max(row.talk_id, newest)
    session.add(row)


def find_newest_talk(session: Session, match_id: str) -> int:
    """The number of the last thing said at a table; 0 where nobody spoke."""
    return NEWEST.first(session, match=match_id) or 0


def count_unread(session: Session, match_id: str, player_id: int) -> int:
    """How much others have said at a table since a player last read there."""
    return UNREAD.first(session, match=match_id, me=player_id) or 0


def count_unread_here(session: Session, here: Place) -> int:
    """How much is new to whoever is at the table."""
    if not here.at_table or here.player_id is None:
        return 0
    return count_unread(session, here.match_id, here.player_id)


def load_note(session: Session, here: Place) -> str:
    """What one's own seat wrote down."""
    if here.seat is None:
        return ""
    row = NOTES.first(session, match=here.match_id, seat=here.seat)
    return row.text if row else ""


def write_note(session: Session, here: Place, text: Any) -> None:
    """Replaces the note; an empty one is a note too."""
    seat = check_own_seat(here)
    blank = isinstance(text, str) and not text.strip()
    words = "" if blank else check_plain_text(text, say("The note"), LONGEST_NOTE)
    row = session.get(tables.Note, (here.match_id, seat))
    row = row or tables.Note(match_id=here.match_id, seat=seat)
    row.text = words
    session.add(row)
