"""Playing a turn: drafts, previews and submissions. One transaction for each act, all or nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import Session, delete, select

from app import asleep, clock, glance, models, notices, store
from app.db import Database
from app.errors import Forbidden, LineRefused, Stale
from app.foresight import Ending, check_ahead, foresee_ending
from app.glance import Values
from app.repeats import Submitted, remember, told_before
from engine.core import match as matches
from engine.core.codec import encode
from engine.core.match import Match
from engine.core.refusal import MatchOver, NotUnderstood, Refusal
from engine.core.secrecy import redact
from engine.core.sentence import say
from engine.core.thought import Thought, begin_thought, think_ahead
from engine.core.timeline import Entry, Returned

MOST_ORDERS = 100  # in one submission; a turn needs a dozen
LONGEST_ORDER = 500
PLAYER, CARER = (glance.TABLES[name] for name in ("player", "moderator"))
DRAFTS = glance.of_seat(models.Draft)
CARERS: Values[int] = Values(
    CARER.c.player_id, CARER.c.match_id == glance.HERE, CARER.c.player_id == glance.ME
)
SITE_CARERS: Values[int] = Values(PLAYER.c.id, PLAYER.c.id == glance.ME, PLAYER.c.moderator)


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody sits, if anywhere: what they may see and do follows from it."""

    match_id: str
    player_id: int | None
    seat: int | None
    owner: bool
    public: bool
    status: str
    invited: bool = False
    role: str | None = None  # as what they may care for the match: "owner", "moderator", "site"

    @property
    def cares(self) -> bool:
        return self.role is not None

    @property
    def at_table(self) -> bool:
        """Whether what is said and mailed at the table is theirs to know."""
        return self.seat is not None or self.cares

    @property
    def may_look(self) -> bool:
        return self.public or self.at_table or self.invited


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
    planned: bool = False  # it is not this seat's turn: nothing was tried
    ends: Ending | None = None


def place(session: Session, match_id: str, player_id: int | None) -> Place:
    """Where the player sits in a match; refuses those who may not even look."""
    row = glance.match_row(session, match_id)
    if row is None:
        raise store.no_match(match_id)
    seat = seat_of(session, match_id, player_id)
    owner = player_id is not None and row.owner_id == player_id
    invited = seat is None and is_invited(session, match_id, player_id)
    role = "owner" if owner else role_of(session, match_id, player_id)
    here = Place(match_id, player_id, seat, owner, row.public, row.status, invited, role)
    if not here.may_look:
        raise store.no_match(match_id)  # that it exists is nobody else's business
    return here


def role_of(session: Session, match_id: str, player_id: int | None) -> str | None:
    """As what somebody who does not own the match may care for it, if at all."""
    if player_id is None:
        return None
    if CARERS.found(session, match=match_id, me=player_id):
        return "moderator"
    return "site" if SITE_CARERS.found(session, me=player_id) else None


def is_invited(session: Session, match_id: str, player_id: int | None) -> bool:
    """Whether a seat is kept for the player's address."""
    player = session.get(models.Player, player_id) if player_id is not None else None
    if player is None or player.email is None:
        return False
    kept = select(models.Seat.number).where(
        models.Seat.match_id == match_id, models.Seat.invited_email == player.email
    )
    return session.exec(kept).first() is not None


def seat_of(session: Session, match_id: str, player_id: int | None) -> int | None:
    """The seat of a player; who plays all seats (a match alone) has the one that is asked first."""
    if player_id is None:
        return None
    seats = sorted(glance.MINE.found(session, match=match_id, me=player_id))
    return acting(session, match_id, seats) if len(seats) > 1 else next(iter(seats), None)


def acting(session: Session, match_id: str, seats: list[int]) -> int:
    row = glance.match_row(session, match_id)
    if row is None or not row.head:
        return seats[0]
    match = store.load(session.connection(), match_id)
    return next((seat for seat in match.game.to_act(match.state) if seat in seats), seats[0])


def take_turn(session: Session, match_id: str) -> models.Match:
    """The match's row, for whoever writes beside the log: on PostgreSQL others wait until we are done."""
    row = session.get(
        models.Match, match_id, with_for_update={"key_share": True}, populate_existing=True
    )
    if row is None:
        raise store.no_match(match_id)
    return row


def settled(session: Session, here: Place) -> Place:
    """Where the same player sits when nobody else writes any more: seats may be given away while we wait."""
    head = take_turn(session, here.match_id).head
    now = place(session, here.match_id, here.player_id)
    if own_seat(now) != here.seat:  # who plays several seats has come to another one
        raise Stale(head)
    return now


def own_seat(here: Place) -> int:
    if here.seat is None:
        raise Forbidden(say("You have no seat in this match."))
    return here.seat


# Drafts


def clean(orders: Any) -> list[str]:
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


def orders_of(line: str) -> list[str]:
    """The orders that somebody wrote in one line, with semicolons between them."""
    return [order for part in line.split(";") if (order := part.strip())]


def preview(match: Match, seat: int, orders: Sequence[str]) -> Preview:
    """Plays a draft in thought, up to the first order that draws, reveals, ends the match or is refused."""
    if seat not in match.game.to_act(match.state):
        return plan(match, seat, orders)
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


def plan(match: Match, seat: int, orders: Sequence[str]) -> Preview:
    """A draft out of turn: only its words can be checked."""
    shown, given = begin_thought(match), tuple(orders)
    for line, order in enumerate(orders, 1):
        try:
            match.game.parse(seat, order)
        except Refusal as problem:
            return Preview(match, shown, given, line, problem, given, planned=True)
    return Preview(match, shown, given, waiting=given, planned=True)


def draft(session: Session, here: Place) -> Preview:
    """The draft of one's own seat as it stands now, checked against the match as it is."""
    match = store.load(session.connection(), here.match_id)
    row = DRAFTS.first(session, match=here.match_id, seat=own_seat(here))
    return preview(match, own_seat(here), row.orders if row else [])


def set_draft(session: Session, here: Place, orders: Any, at: datetime) -> Preview:
    """Replaces the draft; orders that do not fit are kept and told, for the match may move."""
    lines, seat = clean(orders), own_seat(here)
    here = settled(session, here)
    check_running(here)
    match = store.load(session.connection(), here.match_id)
    if match.over:
        raise MatchOver(say("The match is over; nothing more can be ordered."))
    drop_draft(session, here)  # not changed in place: it may be dropped at this very moment
    made = models.Draft(match_id=here.match_id, seat=seat, orders=lines, head=match.head)
    made.updated_at = at
    session.add(made)
    session.flush()
    return preview(match, seat, lines)


def drop_draft(session: Session, here: Place) -> None:
    where = (models.Draft.match_id == here.match_id, models.Draft.seat == own_seat(here))
    session.exec(delete(models.Draft).where(*where))  # type: ignore[arg-type]  # SQLModel's columns


# Submitting


def submit(
    database: Database,
    match_id: str,
    player_id: int,
    orders: Any,
    head: int | None,
    key: str | None,
    at: datetime,
) -> Submitted:
    """Plays orders for the player's seat: all of them in one transaction, or none.

    With a `key` a repeat answers as the first did; with a `head` it is refused if the match has moved.
    """
    try:
        return attempt(database, match_id, player_id, orders, head, key, at)
    except Stale:  # perhaps by the same submission, sent twice at the same moment
        with database.look() as session:
            told = told_before(session, match_id, player_id, key, clean(orders), head)
        if told is None:
            raise
        return told


def attempt(
    database: Database,
    match_id: str,
    player_id: int,
    orders: Any,
    head: int | None,
    key: str | None,
    at: datetime,
) -> Submitted:
    with database.session() as session:
        here = place(session, match_id, player_id)
        seat, lines = own_seat(here), clean(orders)
        if told := told_before(session, match_id, player_id, key, lines, head):
            return told
        check_running(here)
        before = store.load(session.connection(), match_id)
        if head is not None and head != before.head:
            raise Stale(before.head)
        if seat_of(session, match_id, player_id) != seat:  # given away before the log was read
            raise Stale(before.head)
        after = played(asleep.awake(session, before, seat), seat, lines)
        keep(session, before, after, at)
        drop_draft(session, here)
        events = [told_event(e, seat) for e in after.log if e.pos > before.head]
        answer = Submitted(after.head, events)
        remember(session, match_id, seat, key, lines, head, answer, at)
    return answer


def played(match: Match, seat: int, orders: list[str]) -> Match:
    if not orders:
        raise NotUnderstood(say("There are 0 orders to play."))
    check_ahead(match, seat, orders)
    for line, order in enumerate(orders, 1):
        try:
            match = matches.play(match, seat, order)
        except Refusal as refusal:
            raise LineRefused(line, refusal) from refusal
    return match


def keep(session: Session, before: Match, after: Match, at: datetime) -> None:
    """Writes what was played, with the clocks, notices and answers of standing orders that follow."""
    sleeping = asleep.speaking(session, after)
    changes: dict[str, Any] = {"standing_at": asleep.choose_moment(at) if sleeping else None}
    if after.over and not before.over:
        changes |= {"status": "over", "ended_at": at}
    fresh, asked = notices.newly_asked(before, after), after.game.to_act(after.state)
    back = any(isinstance(entry.event, Returned) for entry in after.log[before.head :])
    if fresh or back or asked != before.game.to_act(before.state):
        changes["deadline"] = clock.arrange(
            session, after.id, asked, at, head=after.head, fresh=fresh
        )
    store.save(session.connection(), after, before.head, at, **changes)
    notices.after_act(session, before, after, at, dict.fromkeys(sleeping, at + asleep.MAIL_AFTER))


def check_running(here: Place) -> None:
    if here.status == "over":
        return  # the engine says it better: the match is over
    if here.status != "running":
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=here.status)
        )


def told_event(entry: Entry, seat: int | None) -> dict[str, Any]:
    """An event as one seat may know it."""
    known = redact(entry.event, seat)
    return {"pos": entry.pos, "kind": type(known).__name__, "data": encode(known)}
