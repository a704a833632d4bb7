"""Which lessons somebody solved: a row each, the first time only; those of a guest go along when they sign in."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime

from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col, delete, select

from app.platform import tables


def write_solved_lesson(
    session: Session, player_id: int, game: str, lesson: str, at: datetime
) -> None:
    """Notes that a lesson is solved; once it is, it stays so."""
    if session.get(tables.SolvedLesson, (player_id, game, lesson)) is not None:
        return
    with suppress(IntegrityError), session.begin_nested():  # pressed twice: the other one won
        session.add(tables.SolvedLesson(player_id=player_id, game=game, lesson=lesson, at=at))


def load_solved_lessons(session: Session, player_id: int) -> frozenset[tuple[str, str]]:
    """The lessons that somebody solved, as (game, lesson)."""
    solved = tables.SolvedLesson
    query = select(solved.game, solved.lesson).where(solved.player_id == player_id)
    return frozenset(session.exec(query).all())


def hand_over_solved_lessons(session: Session, guest_id: int, player_id: int) -> None:
    """What was learnt as a guest was learnt by whoever turns out to have an account."""
    theirs = col(tables.SolvedLesson.player_id) == guest_id
    for row in session.exec(select(tables.SolvedLesson).where(theirs)).all():
        write_solved_lesson(session, player_id, row.game, row.lesson, row.at)
    session.exec(delete(tables.SolvedLesson).where(theirs))
