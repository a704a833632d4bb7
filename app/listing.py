"""The tables that somebody can see in the lobby: their own, those that await them, and open ones."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmodel import Session, col, select

from app import desk, door, lobby, models, play, store
from app.door import Door
from engine.core.registry import find


@dataclass(frozen=True, slots=True)
class Entry:
    """One's own match in the list: whose turn it is, and by when."""

    row: models.Match
    game: str
    names: dict[int, str]
    asked: tuple[int, ...]
    my_turn: bool
    won: bool


@dataclass(frozen=True, slots=True)
class Tables:
    """What the lobby shows. `mine` has those first in which it is one's turn."""

    mine: list[Entry]
    invitations: list[Door]
    open: list[Door]
    watched: list[Entry]
    more_mine: bool
    more_open: bool


def tables(session: Session, player: models.Player | None, page: int) -> Tables:
    rows, more_open = lobby.open_tables(session, page)
    doors = [door.door(session, row, player) for row in rows]
    mine, more_mine = own(session, player.id, page) if player and player.id else ([], False)
    kept = door.invitations(session, player) if player else []
    return Tables(
        mine=mine,
        invitations=[door.door(session, row, player) for row in kept],
        open=[found for found in doors if not found.sits],
        watched=to_watch(session, player),
        more_mine=more_mine,
        more_open=more_open,
    )


def own(session: Session, player_id: int, page: int) -> tuple[list[Entry], bool]:
    rows, more = lobby.matches_of(session, player_id, page)
    return sorted((entry(session, row, player_id) for row in rows), key=rank), more


def to_watch(session: Session, player: models.Player | None) -> list[Entry]:
    """The newest public matches that others play."""
    running = select(models.Match).where(models.Match.status == "running", col(models.Match.public))
    sits = select(models.Seat.match_id).where(
        models.Seat.player_id == (player.id if player else None)
    )
    rows, _ = lobby.paged(session, running.where(col(models.Match.id).not_in(sits)), 1)
    return [entry(session, row, 0) for row in rows]


def rank(entry: Entry) -> tuple[bool, bool]:
    """First where one is asked, last what is over."""
    return not entry.my_turn, entry.row.status in ("over", "closed")


def entry(session: Session, row: models.Match, player_id: int) -> Entry:
    match = store.load(session.connection(), row.id) if row.head else None
    asked = match.game.to_act(match.state) if match and row.status == "running" else ()
    won = match.game.winners(match.state) if match and row.status == "over" else ()
    seat = play.seat_of(session, row.id, player_id)
    return Entry(
        row=row,
        game=find(row.game).name,
        names=desk.names_of(session, row.id),
        asked=asked,
        my_turn=seat in asked,
        won=seat in won,
    )
