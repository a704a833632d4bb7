"""Asking for an undo: granted at once where nobody is wronged by it, otherwise by those it concerns.

The whole of a request is in the log; what stands open follows from it.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from sqlmodel import Session, col, select

from app.eventstore.positions import state_at
from app.eventstore.row_lock import lock_match_row
from app.matches.access import access_match, check_own_seat
from app.matches.commit import TO_NOBODY, ToSeats, commit_match
from app.matches.participants import load_seats
from app.moderation.acts import (
    audit_act,
    check_reason,
    load_running_match,
    take_care,
    write_turn_back,
)
from app.moderation.commands import AnswerUndo, AskUndo, RefuseUndo, WithdrawUndo
from app.moderation.consent import Wish, check_nothing_asked, open_wish
from app.outbox.notifications import notify_others, notify_player
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.rows import MINE
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.secrecy import owners
from engine.core.sentence import say
from engine.core.timeline import (
    Entry,
    Rewound,
    SeedRevealed,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)

TABLE = "table"  # as whom the log says that players went back by themselves
MOST_FREE = 3  # undos of one turn that need nobody's leave


@dataclass(frozen=True, slots=True)
class AskedUndo:
    """A wish to go back, and those who have yet to agree to it."""

    wish: Wish
    waiting: tuple[int, ...]


def load_open_request(session: Session, match: Match) -> AskedUndo | None:
    """The undo that somebody asks for, if any, and whom it waits for."""
    wish = open_wish(match)
    if wish is None:
        return None
    others = concerned(session, match, wish.seat, wish.to)
    return AskedUndo(wish, tuple(seat for seat in others if seat not in wish.agreed))


def concerned(session: Session, match: Match, seat: int, to: int) -> tuple[int, ...]:
    """The seats of other people who acted after `to`; where something was revealed, all of them.

    What a bot answered is revealed too: it is asked nothing, and to try it out would wrong the people. A seat
    that is kept for somebody is theirs already. Against bots alone, nobody is concerned. Who has undone enough in one
    turn asks everybody.
    """
    cut = [entry for entry in match.timeline.effective if entry.pos > to]
    mine, people = undo_sides(session, match.id, seat)
    acted = {entry.seat for entry in cut} - {None} - mine
    shown = not acted <= people or any(entry_reveals(match, entry) for entry in cut)
    often = len(free_undos(match, mine, to)) >= MOST_FREE
    return tuple(sorted(people if shown or often else people & acted))


def undo_sides(session: Session, match_id: str, seat: int) -> tuple[set[int], set[int]]:
    """The seats of whoever sits in one of them, and those of other people."""
    seats = load_seats(session, match_id)
    mine = {other.number for other in seats if other.player_id == seats[seat].player_id}
    return mine, {other.number for other in seats if other.player_id or not other.bot} - mine


def free_undos(match: Match, mine: set[int], to: int) -> list[int]:
    """Where these seats went back without asking anybody, in the turn to which `to` belongs."""
    others = (
        e.pos for e in match.timeline.effective if e.pos <= to and e.seat not in (None, *mine)
    )
    turn = max(others, default=0)
    return [
        later.pos
        for entry, later in pairwise(match.log[turn:])
        if isinstance(entry.event, UndoAsked)
        and entry.event.seat in mine
        and isinstance(later.event, Rewound)
        and later.event.by == TABLE
    ]


def entry_reveals(match: Match, entry: Entry) -> bool:
    """Whether somebody may have learned something from the order behind an event."""
    if owners(type(entry.event)) or entry.hidden or isinstance(entry.event, SeedRevealed):
        return True
    if entry.seat is None or entry.order is None:
        return False
    before = state_at(match, entry.act - 1)
    return match.game.commits(before, match.game.parse(entry.seat, entry.order))


def undo_places(match: Match, seat: int) -> Iterator[int]:
    """The positions that a seat may ask to go back to, the latest first: those at which it was asked."""
    ends = sorted({entry.act: entry.pos for entry in match.timeline.effective}.values())
    return (pos for pos in reversed(ends[:-1]) if was_asked(match, seat, pos))


def was_asked(match: Match, seat: int, pos: int) -> bool:
    return seat in match.game.to_act(state_at(match, pos))


def ask_undo(session: Session, command: AskUndo, at: datetime) -> bool:
    """Granted at once where nobody is concerned."""
    why, to = check_reason(command.reason), command.to
    row = lock_match_row(session, command.match_id)
    seat = check_own_seat(access_match(session, row.id, command.by))
    before = load_running_match(session, row, command.expected_head)
    check_nothing_asked(before)
    check_place(before, seat, to)
    after = matches.note(before, UndoAsked(seat, to, why))
    others = concerned(session, before, seat, to)
    if others:
        commit_match(session, before, after, at, ToSeats("undo", others))
        tell_owner(session, row, after, others, at)
    else:
        grant(session, before, after, to, why, at, seat, free=True)
    return not others


def tell_owner(
    session: Session, row: tables.Match, match: Match, others: tuple[int, ...], at: datetime
) -> None:
    """The owner hears of it too: it may be for them to decide."""
    asked = {seat.player_id for seat in load_seats(session, row.id) if seat.number in others}
    if row.owner_id is not None and row.owner_id not in asked:
        notify_player(session, row.id, match.head, row.owner_id, "undo", at=at)


def check_place(match: Match, seat: int, to: int) -> None:
    match.timeline.check_rewind(to)
    if to == match.timeline.effective[-1].pos:
        raise Unknown(say("Nothing was played after position {to}.", to=to))
    if not was_asked(match, seat, to):
        raise Forbidden(
            say(
                "You may ask to go back only to a moment at which you were asked; {to} is none.",
                to=to,
            )
        )


def grant(
    session: Session,
    before: Match,
    asked: Match,
    to: int,
    why: str,
    at: datetime,
    seat: int,
    *,
    free: bool = False,
) -> None:
    """Goes back; `asked` is the match with the steps that led to it, not yet written.

    Who needed nobody's leave, with other people at the table, has a clock that runs on as if nothing had stopped
    it, and of several such undos in one turn the others hear by one mail.
    """
    mine, people = undo_sides(session, before.id, seat)
    after = matches.rewind(asked, to, TABLE, why, secrets.token_hex(32))
    told = already_told(session, before.id, free_undos(before, mine, to)) if free else ()
    write_turn_back(
        session,
        before,
        after,
        "rewound",
        at,
        wished_by=mine,
        runs_on=free and bool(people),
        told=told if people else (),
    )


def already_told(session: Session, match_id: str, undone: list[int]) -> list[int]:
    """The seats whose players have got a mail about one of these."""
    query = (
        select(tables.Seat.number)
        .join(tables.Outbox, col(tables.Outbox.player_id) == col(tables.Seat.player_id))
        .where(
            tables.Seat.match_id == match_id,
            tables.Outbox.match_id == match_id,
            tables.Outbox.kind == "rewound",
            col(tables.Outbox.pos).in_(undone),
            col(tables.Outbox.state).not_in(
                ("waiting", "dropped")
            ),  # such are dropped, and no mail
        )
    )
    return list(session.exec(query))


def answer_undo(session: Session, command: AnswerUndo, at: datetime) -> bool:
    """Granted with the last who agrees."""
    row = lock_match_row(session, command.match_id)
    mine = seats_of(session, row.id, command.by)
    before = load_running_match(session, row, None)
    wish = wished(before, command.asked)
    others = concerned(session, before, wish.seat, wish.to)
    answering = [seat for seat in others if seat in mine - wish.agreed]
    if not answering:
        raise Forbidden(say("You are not asked whether to go back."))
    after = before
    for seat in answering if command.agrees else answering[:1]:
        after = matches.note(after, UndoAnswered(seat, command.agrees))
    if command.agrees and set(others) <= wish.agreed | mine:
        grant(session, before, after, wish.to, wish.reason, at, wish.seat)
        return True
    told = TO_NOBODY if command.agrees else ToSeats("refused", (wish.seat,))
    commit_match(session, before, after, at, told)
    return False


def settle_open_wish(session: Session, match: Match, at: datetime) -> None:
    """After somebody left the table: grants a wish for which nobody is waited for, or asks those whom it concerns now."""
    question = load_open_request(session, match)
    if question is None:
        return
    wish = question.wish
    if not question.waiting:
        grant(session, match, match, wish.to, wish.reason, at, wish.seat)
        return
    notify_others(session, match.id, wish.pos, question.waiting, "undo", at=at)


def withdraw_undo(session: Session, command: WithdrawUndo, at: datetime) -> bool:
    row = lock_match_row(session, command.match_id)
    mine = seats_of(session, row.id, command.by)
    before = load_running_match(session, row, None)
    seat = wished(before, command.asked).seat
    if seat not in mine:
        raise Forbidden(say("Only who asked for the undo may take the question back."))
    commit_match(session, before, matches.note(before, UndoWithdrawn(seat)), at, TO_NOBODY)
    return True


def seats_of(session: Session, match_id: str, player_id: int) -> set[int]:
    """The seats of somebody who has one."""
    check_own_seat(access_match(session, match_id, player_id))
    return set(MINE.found(session, match=match_id, me=player_id))


def refuse_undo(session: Session, command: RefuseUndo, at: datetime) -> bool:
    """Who plays is party to it, and answers as the others do."""
    why = check_reason(command.reason)
    care = take_care(session, command, at, "running")
    if care.own_seats:
        raise Forbidden(
            say("You play in this match: you may answer an undo as a player, not as its judge.")
        )
    wish = wished(care.match, command.asked)
    after = matches.note(care.match, UndoRefused(care.role, why))
    commit_match(session, care.match, after, at, ToSeats("refused", (wish.seat,)))
    audit_act(care, "UndoRefused", why)
    return True


def last_undo_asked(match: Match, head: int) -> int:
    """Where an undo was last asked for, for somebody who has seen the match up to `head`."""
    asked = (e.pos for e in reversed(match.log[:head]) if isinstance(e.event, UndoAsked))
    return next(asked, 0)


def wished(match: Match, asked: int | None) -> Wish:
    wish = open_wish(match)
    if wish is None or asked not in (None, wish.pos):
        raise Unknown(say("This question is settled; nobody asks for that undo any more."))
    return wish
