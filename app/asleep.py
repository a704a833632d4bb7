"""Those who sleep: what their standing orders answer for them, and how they come back from a bot's care."""

from __future__ import annotations

from typing import Any

from sqlmodel import Session, select

from app import glance, models
from engine.core import match as matches
from engine.core.match import Match
from engine.core.timeline import Returned, StoodIn

ANSWERED = glance.of_seat(models.Answered)
Act = tuple[int, int]  # its position, and the seat that it was given for


def answered(session: Session, match: Match) -> tuple[Match, list[Act]]:
    """The match after standing orders have spoken, one after the other, until they are silent.

    They answer questions and never play a turn. The match's row is taken before they are read: orders that their
    owner has taken back are not followed any more.
    """
    acts: list[Act] = []
    if match.game.awaited(match.state) not in match.game.standing:
        return match, acts
    session.get_one(models.Match, match.id, with_for_update={"key_share": True})
    query = select(models.Standing).where(models.Standing.match_id == match.id)
    wishes = {row.seat: row.orders for row in session.exec(query)}
    while (action := next_answer(match, wishes)) is not None:
        match = matches.act(match, action)
        acts.append((match.log[-1].act, action.seat))
    return match, acts


def next_answer(match: Match, wishes: dict[int, dict[str, Any]]) -> Any:
    """What the standing orders of somebody who is asked say, if they say anything."""
    game, state = match.game, match.state
    kind = game.awaited(state)
    rule = game.standing.get(kind)
    for seat in game.to_act(state):
        wish = wishes.get(seat, {}).get(kind)
        if rule is None or wish is None:
            continue
        found = rule.answer(game.view(state, seat), wish, list(game.legal(state, seat)))
        if found is not None:
            return found
    return None


def remember(session: Session, match_id: str, acts: list[Act]) -> None:
    """Keeps which acts were theirs, for the eyes of their seat alone."""
    session.add_all(models.Answered(match_id=match_id, act=act, seat=seat) for act, seat in acts)


def acts_of(session: Session, match_id: str, seat: int | None) -> set[int]:
    """The acts that standing orders gave for a seat, by their first position: nobody else's business."""
    if seat is None:
        return set()
    return {one.act for one in ANSWERED.found(session, match=match_id, seat=seat)}


def played_by_bot(match: Match, seat: int | None) -> set[int]:
    """The acts of a seat while a bot stood in for its player."""
    acts, away = set[int](), False
    for entry in match.log:
        match entry.event:
            case StoodIn(seat=number) if number == seat:
                away = True
            case Returned(seat=number) if number == seat:
                away = False
        if away and entry.seat == seat:
            acts.add(entry.act)
    return acts


def awake(session: Session, match: Match, seat: int) -> Match:
    """The match after its player has come back to a seat for which a bot stood in."""
    row = session.get_one(models.Seat, (match.id, seat))
    if row.bot is None:
        return match
    row.bot = None
    session.add(row)
    session.flush()
    return matches.note(match, Returned(seat))
