"""Composing a turn on a page: an order more, some taken back, and what to do when the match has moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from app import play, store
from app.play import Place, own_seat
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.sentence import say

MOST = 2**31 - 1  # what databases count up to


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of a change: `problem` refused the new order, `confirm` draws or reveals, `stale` is late."""

    problem: Refusal | None = None
    confirm: str | None = None
    stale: bool = False


class Seen(NamedTuple):
    """What a form was made for: a position of the match, and the seat that looked at it."""

    head: int
    seat: int


def seen_on(head: int | None, seat: int | None) -> Seen:
    """What the form says of itself: numbers that can be, or it is none of ours."""
    if head is None or seat is None or not (0 <= head <= MOST and 0 <= seat <= MOST):
        raise NotUnderstood(say("This form lacks the position that it was made for."))
    return Seen(head, seat)


def change(
    session: Session,
    here: Place,
    orders: list[str],
    add: str,
    seen: Seen,
    at: datetime,
) -> Drafted:
    """Makes `orders` and one more the draft."""
    match = store.load(session.connection(), here.match_id)
    seat = own_seat(here)
    if seen.seat != seat:  # who plays several seats has come to another one meanwhile
        return Drafted(stale=True)
    if seen.head != match.head:
        play.set_draft(session, here, [*orders, add], at)
        return Drafted(stale=True)
    added, outcome = judge(match, seat, play.clean(orders), add) if add else ([], Drafted())
    play.set_draft(session, here, [*orders, *added], at)
    return outcome


def judge(match: Match, seat: int, orders: list[str], add: str) -> tuple[list[str], Drafted]:
    """What of a new order may go into the draft, and what to tell about it."""
    try:
        order = match.game.format(match.game.parse(seat, *play.clean([add])))
    except Refusal as problem:
        return [], Drafted(problem=problem)
    thought = play.preview(match, seat, [*orders, order])
    if thought.problem:
        return [], Drafted(problem=thought.problem)
    if thought.planned or not thought.waiting:
        return [order], Drafted()
    if thought.waiting == (order,):
        return [], Drafted(confirm=order)
    return [], Drafted(
        problem=NotUnderstood(
            say("{order} draws or reveals: commit it before you go on.", order=thought.waiting[0])
        )
    )


def keep(session: Session, here: Place, orders: list[str], seen: Seen, at: datetime) -> None:
    """Keeps the orders of a page that came too late, if they are still this seat's to give."""
    if here.status == "running" and here.seat == seen.seat:
        play.set_draft(session, here, orders, at)


def reveals(session: Session, here: Place, order: str) -> tuple[list[str], Refusal | None]:
    """The draft with an order that draws or reveals after it, and why it cannot be; of others, nothing."""
    thought = play.draft(session, here)
    orders = [*thought.orders, *play.clean([order])]
    after = play.preview(thought.match, own_seat(here), orders)
    if after.problem:
        return orders, after.problem
    return (orders, None) if after.waiting and not after.planned else ([], None)
