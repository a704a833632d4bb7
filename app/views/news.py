"""What happened since somebody's last turn."""

from __future__ import annotations

from collections.abc import Collection
from itertools import dropwhile

from sqlmodel import Session

from app.eventstore.store import load_match
from app.matches.access import Place, access_match
from app.matches.chat import find_newest_talk
from app.matches.participants import load_seat_names
from app.matches.sleeping_seats import played_by_bot
from app.platform.i18n import translate_sentence
from app.platform.rows import load_present_match
from app.views.history import Step, load_steps
from engine.core.match import Match
from engine.core.secrecy import is_private

LATELY = 12  # events that tell a spectator what goes on, or how a match ended


def load_news(session: Session, here: Place, since: int) -> list[Step]:
    """What happened after a position, without what only asked somebody for something."""
    match, found = load_steps(session, here, since)
    return [s for s in found if not isinstance(match.log[s.pos - 1].event, match.game.asking)]


def news_since(match: Match, seat: int | None, asleep: Collection[int] = ()) -> int:
    """The position after which events are news; `asleep` are acts that standing orders gave for the seat."""
    if match.over or seat is None:
        return max(0, match.head - LATELY)
    return find_last_turn(match, seat, asleep)


def find_last_turn(match: Match, seat: int | None, asleep: Collection[int] = ()) -> int:
    """The position at which the seat's player last had finished a turn; 0 if there was none yet."""
    if seat is None:
        return 0
    latest_first = reversed(match.timeline.effective)
    if seat in match.game.to_act(match.state):
        # What was played in the turn that still runs came after the others': it is no last turn.
        latest_first = dropwhile(lambda entry: entry.seat in (None, seat), latest_first)
    not_theirs = {*asleep, *played_by_bot(match, seat)}
    own = (entry.pos for entry in latest_first if entry.seat == seat)
    return next((pos for pos in own if match.log[pos - 1].act not in not_theirs), 0)


def name_state(session: Session, here: Place) -> str:
    """Names how far the table has come, for pages that lie open: the log, what is said, who may act."""
    row = load_present_match(session, here.match_id)
    said = find_newest_talk(session, here.match_id) if here.at_table else 0
    return f"{row.head}.{row.status}.{said}.{here.seat if here.seat is not None else ''}"


def load_drawn(session: Session, match_id: str, player_id: int, since: int) -> list[str]:
    """What a player drew after a position and nobody else knows, in sentences with everybody's names."""
    match = load_match(session.connection(), match_id)
    here = access_match(session, match_id, player_id)
    _, found = load_steps(session, here, since)
    names = load_seat_names(session, here.match_id)
    return [
        translate_sentence(step.sentence, names)
        for step in found
        if step.data.get("seat") == here.seat and is_private(match.log[step.pos - 1].event)
    ]
