"""What happened as a film: the board after each order since somebody's last turn, as changes from one picture to the next."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session

from app.eventstore.positions import state_at
from app.eventstore.store import load_match
from app.matches.access import Place
from app.matches.drafts import load_draft
from app.matches.sleeping_seats import load_answered_acts
from app.views.board_pictures import find_changes
from app.views.history import turn_ends
from app.views.news import news_since
from app.views.scenes import make_scene
from app.views.turn_page import can_play
from engine.core.match import Match

MOST_FRAMES = 24  # what happened before is read, not watched


def load_frames(session: Session, here: Place) -> dict[str, Any]:
    """From the page's board back to where the viewer left it, order by order on to now, and home to the draft."""
    match = load_match(session.connection(), here.match_id)
    since = news_since(match, here.seat, load_answered_acts(session, here.match_id, here.seat))
    ends = [pos for pos in turn_ends(match) if pos >= max(since, 2)][-MOST_FRAMES - 1 :]
    if len(ends) < 2 or match.revealed:
        return {"back": None, "frames": [], "home": None}
    boards = [draw(match, pos, here.seat) for pos in ends]
    shown = load_draft(session, here).shown if can_play(here) else None
    now = make_scene(match, shown.state, here.seat, shown.hash).labelled if shown else boards[-1]
    return {
        "back": find_changes(now, boards[0]),
        "frames": [
            {"act": match.log[pos - 1].act, "changes": find_changes(before, after)}
            for pos, before, after in zip(ends[1:], boards, boards[1:], strict=False)
        ],
        "home": find_changes(boards[-1], now),
    }


def draw(match: Match, pos: int, seat: int | None) -> str:
    link = match.hash if pos == match.head else match.log[pos - 1].hash
    return make_scene(match, state_at(match, pos), seat, link).labelled
