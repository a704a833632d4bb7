"""One's own matches: what waits for me first, over all of them, then what runs; what is over stands apart."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import case, func
from sqlmodel import Session, col, select

from app.eventstore.store import load_readable_match
from app.matches.access import find_seat
from app.matches.chat import count_unread
from app.matches.participants import load_seat_names
from app.matches.waiting import by_deadline, waiting_matches
from app.platform import tables
from app.platform.paging import ROWS_A_PAGE, own_matches
from app.platform.rows import MINE
from app.views.event_text import describe_event
from app.views.seat_colours import colour_classes
from engine.core.match import Match
from engine.core.registry import find
from engine.core.secrecy import redact
from engine.core.sentence import Sentence

FINISHED: tuple[tables.Status, ...] = ("over", "closed")


@dataclass(frozen=True, slots=True)
class Rival:
    """Somebody in a match of the list: seat, name and points."""

    seat: int
    name: str
    score: int | None
    mine: bool
    asked: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A match in a list: who plays, how it stands, what happened last, and by when somebody is asked."""

    row: tables.Match
    game: str
    names: dict[int, str]
    rivals: tuple[Rival, ...]
    asked: tuple[int, ...]
    my_turn: bool
    won: bool
    damaged: bool  # its log cannot be read: whoever runs the service has to look
    due: datetime | None
    last: Sentence | None
    unread: int
    colours: str


@dataclass(frozen=True, slots=True)
class MyMatches:
    """What a player's own page shows; each list says whether more follow on the next page."""

    running: list[Entry]
    more_running: bool
    finished: list[Entry]
    more_finished: bool

    @property
    def waiting(self) -> list[Entry]:
        return [entry for entry in self.running if entry.my_turn]

    @property
    def others(self) -> list[Entry]:
        return [entry for entry in self.running if not entry.my_turn]


def load_my_matches(
    session: Session, player: tables.Player, page: int = 1, finished: int = 1
) -> MyMatches:
    """A page of what is under way and one of what is over; sorted before it is cut into pages."""
    me = player.id or 0
    waits = waiting_matches(me).subquery()
    running = (
        select(tables.Match, waits.c.match_id, waits.c.due)
        .outerjoin(waits, waits.c.match_id == tables.Match.id)
        .where(belongs_to(me), col(tables.Match.status).not_in(FINISHED))
        .order_by(
            waits.c.match_id.is_(None),
            *by_deadline(waits),
            case((col(tables.Match.status) == "open", 1), else_=0),
            col(tables.Match.deadline).is_(None),
            col(tables.Match.deadline),
            col(tables.Match.created_at).desc(),
        )
    )
    over = (
        select(tables.Match)
        .where(belongs_to(me), col(tables.Match.status).in_(FINISHED))
        .order_by(
            func.coalesce(tables.Match.ended_at, tables.Match.created_at).desc(), tables.Match.id
        )
    )
    found, more_running = cut(session, running, page)
    done, more_finished = cut(session, over, finished)
    return MyMatches(
        running=[
            make_entry(session, row, me, waits=waiting is not None, due=due)
            for row, waiting, due in found
        ],
        more_running=more_running,
        finished=[make_entry(session, row, me) for row in done],
        more_finished=more_finished,
    )


def belongs_to(player_id: int) -> Any:
    """Whether a player sits in a match, or owns it."""
    return col(tables.Match.id).in_(own_matches(player_id))


def cut(session: Session, query: Any, page: int) -> tuple[list[Any], bool]:
    """One page of a query that is sorted already, and whether there are more."""
    rows = list(session.exec(query.offset((page - 1) * ROWS_A_PAGE).limit(ROWS_A_PAGE + 1)))
    return rows[:ROWS_A_PAGE], len(rows) > ROWS_A_PAGE


def make_entry(
    session: Session,
    row: tables.Match,
    player_id: int,
    *,
    waits: bool = False,
    due: datetime | None = None,
) -> Entry:
    match = load_readable_match(session.connection(), row.id) if row.head else None
    asked = match.game.to_act(match.state) if match and row.status == "running" else ()
    won = match.game.winners(match.state) if match and row.status == "over" else ()
    names = load_seat_names(session, row.id)
    seat = find_seat(session, row.id, player_id)
    mine = set(MINE.found(session, match=row.id, me=player_id))
    scores = match.game.scores(match.state) if match else ()
    return Entry(
        row=row,
        game=find(row.game).name,
        names=names,
        rivals=tuple(
            Rival(
                seat=number,
                name=name,
                score=scores[number] if number < len(scores) else None,
                mine=number in mine,
                asked=number in asked,
                won=number in won,
            )
            for number, name in sorted(names.items())
        ),
        asked=asked,
        my_turn=waits,
        won=bool(mine.intersection(won)),
        damaged=bool(row.head) and match is None,
        due=due or row.deadline,
        last=last_move(match, seat) if match else None,
        unread=count_unread(session, row.id, player_id),
        colours=colour_classes(match),
    )


def last_move(match: Match, seat: int | None) -> Sentence | None:
    """What somebody did last, as the seat may know it."""
    for entry in reversed(match.timeline.effective):
        own = entry.seat is not None and getattr(entry.event, "seat", None) == entry.seat
        if own and type(entry.event) in match.game.events:
            event = entry.event if match.revealed else redact(entry.event, seat)
            return describe_event(match.game, event)
    return None
