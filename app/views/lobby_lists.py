"""The tables that somebody can see in the lobby: those that await them, open ones, and matches to watch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col, select

from app.platform import tables
from app.platform.paging import load_page
from app.views.my_matches import Entry, belongs_to, make_entry
from app.views.waiting_room import Door, load_door, load_invitations

PACES: Mapping[str, tuple[int, int]] = {"fast": (0, 24), "daily": (25, 48), "slow": (49, 10_000)}
SHOWN_TO_WATCH = 12


@dataclass(frozen=True, slots=True)
class Wishes:
    """What somebody looks for in the lobby; nothing where anything will do."""

    game: str | None = None
    pace: str | None = None
    language: str | None = None


@dataclass(frozen=True, slots=True)
class Tables:
    """What the lobby shows."""

    invitations: list[Door]
    open: list[Door]
    watched: list[Entry]
    more_open: bool


def load_lobby(
    session: Session, player: tables.Player | None, page: int, wishes: Wishes | None = None
) -> Tables:
    rows, more_open = load_open_tables(session, page, wishes or Wishes())
    doors = [load_door(session, row, player) for row in rows]
    kept = load_invitations(session, player) if player else []
    return Tables(
        invitations=[load_door(session, row, player) for row in kept],
        open=[found for found in doors if not found.sits],
        watched=load_watched(session, player),
        more_open=more_open,
    )


def load_watched(session: Session, player: tables.Player | None) -> list[Entry]:
    """The newest public matches that others play, against people or bots."""
    running = select(tables.Match).where(tables.Match.status == "running", col(tables.Match.public))
    if player is not None:  # nobody's seats are the bots'
        sits = select(tables.Seat.match_id).where(tables.Seat.player_id == player.id)
        running = running.where(col(tables.Match.id).not_in(sits))
    rows, _ = load_page(session, running, 1)
    return [make_entry(session, row, 0) for row in rows[:SHOWN_TO_WATCH]]


def load_open_tables(
    session: Session, page: int = 1, wishes: Wishes | None = None
) -> tuple[list[tables.Match], bool]:
    """Public tables with a seat to take, newest first; and whether there are more."""
    query = select(tables.Match).where(tables.Match.status == "open", col(tables.Match.public))
    for condition in conditions(wishes or Wishes()):
        query = query.where(condition)
    return load_page(session, query, page)


def conditions(wishes: Wishes) -> list[Any]:
    """What a table must be, so that somebody finds what they look for."""
    found: list[Any] = []
    if wishes.game:
        found.append(tables.Match.game == wishes.game)
    if wishes.pace and wishes.pace in PACES:
        fewest, most = PACES[wishes.pace]
        hours = col(tables.Match.pace)["hours"].as_integer()
        found.append(hours.between(fewest, most))
    if wishes.language:
        owners = select(tables.Player.id).where(tables.Player.language == wishes.language)
        found.append(col(tables.Match.owner_id).in_(owners))
    return found


def load_matches_of(
    session: Session, player_id: int, page: int = 1, status: str | None = None
) -> tuple[list[tables.Match], bool]:
    """The matches in which a player sits, or which they own, newest first; and whether there are more."""
    query = select(tables.Match).where(belongs_to(player_id))
    return load_page(
        session, query if status is None else query.where(tables.Match.status == status), page
    )
