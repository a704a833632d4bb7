"""Drafts: a turn that is composed, kept per seat, and played in thought."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import delete
from sqlmodel import Session

from app.eventstore.store import load_match
from app.matches.access import Place, check_own_seat, check_running, settle_access
from app.matches.lookahead import Ending, foresee_ending
from app.matches.order_lines import LONGEST_ORDER, MOST_ORDERS
from app.platform import tables
from app.platform.rows import HERE, SEAT, TABLES, query_of_seat, write
from app.platform.statements import Statement
from engine.core.match import Match
from engine.core.refusal import MatchOver, NotUnderstood, Refusal
from engine.core.sentence import say
from engine.core.thought import Thought, begin_thought, think_ahead

DRAFT = TABLES["draft"]
DRAFTS = query_of_seat(tables.Draft)
DROP = Statement(delete(DRAFT).where(DRAFT.c.match_id == HERE, DRAFT.c.seat == SEAT))


@dataclass(frozen=True, slots=True)
class Preview:
    """A draft played in thought. `shown` is as far as may be looked ahead: no draw, no answer and no end.

    `problem` is the refusal of order number `line`; `waiting` are the orders that were not tried; `ends` says
    whether the first of those ends the match.
    """

    match: Match
    shown: Thought
    orders: tuple[str, ...]
    line: int | None = None
    problem: Refusal | None = None
    waiting: tuple[str, ...] = ()
    planned: bool = False  # it is not this seat's turn: it was tried on the board as it lies now
    ends: Ending | None = None
    onward: Thought | None = None  # what is thought on from, where it is not what is shown
    doubt: tuple[int, Refusal] | None = (
        None  # which order of a plan would not fit as things stand, and why
    )

    @property
    def ahead(self) -> Thought:
        """The position in which the next order is chosen."""
        return self.onward or self.shown


def clean_orders(orders: Any) -> list[str]:
    """Orders as they come from outside: a list of short lines; empty ones are left out."""
    if not isinstance(orders, list) or not all(isinstance(order, str) for order in orders):
        raise NotUnderstood(say("Orders are a list of lines of text."))
    if len(orders) > MOST_ORDERS or any(len(order) > LONGEST_ORDER for order in orders):
        raise NotUnderstood(
            say(
                "A turn has at most {most} orders of at most {longest} letters.",
                most=MOST_ORDERS,
                longest=LONGEST_ORDER,
            )
        )
    return [order for order in orders if order.strip()]


def preview_draft(match: Match, seat: int, orders: Sequence[str]) -> Preview:
    """Plays a draft in thought, up to the first order that draws, reveals, ends the match or is refused."""
    if seat not in match.game.to_act(match.state):
        return plan_draft(match, seat, orders)
    game, shown, given = match.game, begin_thought(match), tuple(orders)
    for line, order in enumerate(orders, 1):
        rest = given[line - 1 :]
        try:
            action = game.parse(seat, order)
            after = think_ahead(shown, action)
        except Refusal as problem:
            return Preview(match, shown, given, line, problem, rest)
        if after is None:
            ends = foresee_ending(game, shown.state, action)
            return Preview(match, shown, given, waiting=rest, ends=ends)
        shown = after
    return Preview(match, shown, given)


def plan_draft(match: Match, seat: int, orders: Sequence[str]) -> Preview:
    """A draft out of turn: its words are checked, and the rest is tried on the board as it lies."""
    words = check_words(match, seat, orders)
    return words if words.problem else imagine_plan(match, seat, tuple(orders))


def check_words(match: Match, seat: int, orders: Sequence[str]) -> Preview:
    """Whether these are orders at all, whatever the position."""
    shown, given = begin_thought(match), tuple(orders)
    for line, order in enumerate(orders, 1):
        try:
            match.game.parse(seat, order)
        except Refusal as problem:
            return Preview(match, shown, given, line, problem, given, planned=True)
    return Preview(match, shown, given, waiting=given, planned=True)


def imagine_plan(match: Match, seat: int, orders: tuple[str, ...]) -> Preview:
    """A plan on the board as it lies, as if it were this seat's turn already; what does not fit now may fit then."""
    game, real = match.game, begin_thought(match)
    state = None if match.over else game.imagine(match.state, seat)
    if state is None:
        return Preview(match, real, orders, waiting=orders, planned=True)
    ahead = Thought(game, state, f"{match.hash} planned by {seat}")
    for line, order in enumerate(orders, 1):
        rest = orders[line - 1 :]
        try:
            after = think_ahead(ahead, game.parse(seat, order))
        except Refusal as doubt:
            return Preview(match, ahead, orders, waiting=rest, planned=True, doubt=(line, doubt))
        if after is None:
            return Preview(match, ahead, orders, waiting=rest, planned=True)
        ahead = after
    return Preview(match, ahead if orders else real, orders, planned=True, onward=ahead)


def load_draft(session: Session, here: Place) -> Preview:
    """The draft of one's own seat as it stands now, checked against the match as it is."""
    match = load_match(session.connection(), here.match_id)
    row = DRAFTS.first(session, match=here.match_id, seat=check_own_seat(here))
    return preview_draft(match, check_own_seat(here), row.orders if row else [])


def set_draft(session: Session, here: Place, orders: Any, at: datetime) -> Preview:
    """Replaces the draft; orders that do not fit are kept and told, for the match may move."""
    lines, seat = clean_orders(orders), check_own_seat(here)
    here = settle_access(session, here)
    check_running(here)
    match = load_match(session.connection(), here.match_id)
    if match.over:
        raise MatchOver(say("The match is over; nothing more can be ordered."))
    drop_draft(session, here)  # not changed in place: it may be dropped at this very moment
    made = tables.Draft(match_id=here.match_id, seat=seat, orders=lines, head=match.head)
    made.updated_at = at
    session.add(made)
    return preview_draft(match, seat, lines)


def drop_draft(session: Session, here: Place) -> None:
    write(session, DROP, {"match": here.match_id, "seat": check_own_seat(here)})
