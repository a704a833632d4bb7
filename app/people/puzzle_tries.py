"""What somebody made of a puzzle: a row each; those of a guest go along when they sign in."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, func, select

from app.platform import tables


@dataclass(frozen=True, slots=True)
class Try:
    """What one person made of a puzzle."""

    tries: int
    best: int
    solved: bool
    shown: bool


@dataclass(frozen=True, slots=True)
class PuzzleTally:
    """How many tried a puzzle, and how many of them solved it by themselves."""

    tried: int = 0
    solved: int = 0


def write_puzzle_try(
    session: Session, of: tuple[int, str, str], value: int, at: datetime, *, solved: bool
) -> None:
    """Notes a try of (player, game, puzzle). Who has seen the solution solves it no more."""
    row = find_row(session, of, at)
    row.tries += 1
    row.best = max(row.best, value)
    if solved and row.solved_at is None and row.shown_at is None:
        row.solved_at = at
    session.add(row)


def write_puzzle_shown(session: Session, of: tuple[int, str, str], at: datetime) -> None:
    """Notes that somebody has seen the solution."""
    row = find_row(session, of, at)
    row.shown_at = row.shown_at or at
    session.add(row)


def find_row(session: Session, of: tuple[int, str, str], at: datetime) -> tables.PuzzleTry:
    """The row, locked; a new one where there is none."""
    if found := session.get(tables.PuzzleTry, of, with_for_update=True):
        return found
    player_id, game, puzzle = of
    with suppress(IntegrityError), session.begin_nested():  # pressed twice: the other one won
        session.add(tables.PuzzleTry(player_id=player_id, game=game, puzzle=puzzle, at=at))
    return session.get_one(tables.PuzzleTry, of, with_for_update=True)


def load_puzzle_tries(session: Session, player_id: int) -> dict[tuple[str, str], Try]:
    """What somebody made of puzzles, by game and puzzle."""
    theirs = col(tables.PuzzleTry.player_id) == player_id
    return {
        (row.game, row.puzzle): Try(
            row.tries, row.best, row.solved_at is not None, row.shown_at is not None
        )
        for row in session.exec(select(tables.PuzzleTry).where(theirs))
    }


def load_puzzle_tallies(session: Session) -> dict[tuple[str, str], PuzzleTally]:
    """What everybody made of puzzles, by game and puzzle."""
    one = tables.PuzzleTry
    query = select(one.game, one.puzzle, func.count(), func.count(col(one.solved_at))).group_by(
        one.game, one.puzzle
    )
    return {
        (game, puzzle): PuzzleTally(tried, solved)
        for game, puzzle, tried, solved in session.exec(query)
    }


def hand_over_puzzle_tries(session: Session, guest_id: int, player_id: int) -> None:
    """What was tried as a guest was tried by whoever turns out to have an account."""
    theirs = col(tables.PuzzleTry.player_id) == guest_id
    for row in session.exec(select(tables.PuzzleTry).where(theirs)).all():
        known = find_row(session, (player_id, row.game, row.puzzle), row.at)
        known.tries += row.tries
        known.best = max(known.best, row.best)
        if known.shown_at is None:
            known.solved_at = known.solved_at or row.solved_at
        known.shown_at = known.shown_at or row.shown_at
        session.add(known)
    session.exec(delete(tables.PuzzleTry).where(theirs))
