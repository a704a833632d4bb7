"""Composing a turn on a page: some orders more, some taken back, and what to do when the match has moved."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlmodel import Session

from app.eventstore.store import load_match
from app.matches.access import Place, check_own_seat
from app.matches.drafts import (
    Preview,
    check_words,
    clean_orders,
    load_draft,
    preview_draft,
    set_draft,
)
from app.matches.order_lines import split_orders
from app.platform.errors import LineRefused
from engine.core.match import Match
from engine.core.refusal import NotUnderstood, Refusal
from engine.core.sentence import Sentence, say

MOST = 2**31 - 1  # what databases count up to


@dataclass(frozen=True, slots=True)
class Drafted:
    """What became of a change: `problem` refused the new orders, `confirm` draws or reveals, `stale` is late."""

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


def change_draft(
    session: Session,
    here: Place,
    orders: list[str],
    *,
    add: str,
    seen: Seen,
    at: datetime,
) -> Drafted:
    """Makes `orders` and those of the line `add` the draft, all of them or none."""
    match = load_match(session.connection(), here.match_id)
    seat, new = check_own_seat(here), split_orders(add)
    if seen.seat != seat:  # who plays several seats has come to another one meanwhile
        return Drafted(stale=True)
    if seen.head != match.head:
        set_draft(session, here, [*orders, *new], at)
        return Drafted(stale=True)
    added, outcome = (
        judge_orders(match, seat, clean_orders(orders), new) if new else ([], Drafted())
    )
    set_draft(session, here, [*orders, *added], at)
    return outcome


def judge_orders(
    match: Match, seat: int, orders: list[str], new: list[str]
) -> tuple[list[str], Drafted]:
    """What of new orders may go into the draft, and what to tell about them."""
    try:
        words = check_words(match, seat, clean_orders(new))
    except Refusal as too_much:
        return [], Drafted(problem=too_much)
    if words.problem:
        return [], Drafted(problem=blamed(words.problem, words.line, new))
    *before, last = (match.game.format(match.game.parse(seat, order)) for order in new)
    thought = preview_draft(match, seat, [*orders, *before, last])
    if thought.problem:
        line = (thought.line or 0) - len(orders)
        return [], Drafted(problem=blamed(thought.problem, line, new))
    if thought.planned or not thought.waiting:
        return [*before, last], Drafted()
    if thought.waiting == (last,):
        return before, Drafted(confirm=last)
    return [], Drafted(problem=NotUnderstood(too_early(thought)))


def too_early(thought: Preview) -> Sentence:
    """Why nothing can be drafted behind an order that no preview passes."""
    order = thought.waiting[0]
    if thought.ends == "surely":
        return say("{order} ends the match: nothing can come after it.", order=order)
    return say("{order} draws or reveals: commit it before you go on.", order=order)


def blamed(problem: Refusal, line: int | None, new: list[str]) -> Refusal:
    """A refusal that says which of several new orders it is about."""
    return LineRefused(line, problem) if line and line > 0 and len(new) > 1 else problem


def keep_late_orders(
    session: Session, here: Place, orders: list[str], seen: Seen, at: datetime
) -> None:
    """Keeps the orders of a page that came too late, if they are still this seat's to give."""
    if here.status == "running" and here.seat == seen.seat:
        set_draft(session, here, orders, at)


def check_revealing(session: Session, here: Place, order: str) -> Preview | None:
    """The draft with an order after it that draws, reveals or ends the match, or cannot be; of others, nothing."""
    thought = load_draft(session, here)
    orders = [*thought.orders, *clean_orders([order])]
    after = preview_draft(thought.match, check_own_seat(here), orders)
    return after if after.problem or (after.waiting and not after.planned) else None
