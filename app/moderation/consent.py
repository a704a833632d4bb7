"""Whose leave an act of care needs, and what stands open at a table: wishes to go back, and proposals of moderators.

Who plays in a match is party to it and no judge: what they do as its moderator the other people must agree to, or a
moderator does it who does not play. And who is not overdue gives the own seat up only if they say so. All of it is in
the log; what stands open follows from that.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile
from typing import Protocol

from sqlmodel import Session, select

from app.clocks.clocks import load_clocks
from app.matches.commit import ToSeats, commit_match
from app.matches.participants import load_seats
from app.moderation.audit import note_audit
from app.outbox.notifications import notify_player
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.rows import MINE
from engine.core import match as matches
from engine.core.match import Match
from engine.core.sentence import say
from engine.core.timeline import (
    TABLE_EVENTS,
    ActProposed,
    Entry,
    Extended,
    ModeratorDismissed,
    OwnerChanged,
    ProposalAnswered,
    ProposalDone,
    ProposalWithdrawn,
    SeatReplaced,
    SeatResigned,
    UndoAnswered,
    UndoAsked,
    UndoRefused,
    UndoWithdrawn,
)


class Care(Protocol):
    """What is known here of a match in somebody's hands (`moderation.Care`)."""

    @property
    def session(self) -> Session: ...
    @property
    def row(self) -> tables.Match: ...
    @property
    def match(self) -> Match: ...
    @property
    def role(self) -> str: ...
    @property
    def player_id(self) -> int | None: ...
    @property
    def at(self) -> datetime: ...


# What stands open


@dataclass(frozen=True, slots=True)
class Wish:
    """An undo that was asked for at `pos` and is neither granted nor refused yet."""

    pos: int
    seat: int
    to: int
    reason: str
    agreed: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Proposed:
    """An act that was proposed at `pos` and is neither agreed to nor refused yet."""

    pos: int
    act: ActProposed
    agreed: frozenset[int] = frozenset()


def since_the_last_act(match: Match) -> Iterator[Entry]:
    """What was said at the table since something was played or turned: all else has lapsed."""
    late = takewhile(lambda entry: isinstance(entry.event, TABLE_EVENTS), reversed(match.log))
    return iter(list(late)[::-1])


def open_wish(match: Match) -> Wish | None:
    """The request that stands open: whatever is played or turned after it lets it lapse."""
    wish: Wish | None = None
    for entry in since_the_last_act(match):
        match entry.event:
            case UndoAsked(seat, to, reason):
                wish = Wish(entry.pos, seat, to, reason)
            case UndoAnswered(seat, True) if wish:
                wish = replace(wish, agreed=wish.agreed | {seat})
            case UndoAnswered() | UndoRefused() | UndoWithdrawn():
                wish = None
            case SeatReplaced(seat=seat) | SeatResigned(seat=seat) if wish:
                wish = kept_by_others(wish, seat)
    return wish


def kept_by_others(wish: Wish, seat: int) -> Wish | None:
    """The wish after a seat changed hands: whoever comes did not ask for it, and has not agreed."""
    return None if seat == wish.seat else replace(wish, agreed=wish.agreed - {seat})


def open_proposal(match: Match) -> Proposed | None:
    """The proposal that stands open; it lapses as a wish does, and when those who care for the match change."""
    found: Proposed | None = None
    for entry in since_the_last_act(match):
        match entry.event:
            case ActProposed():
                found = Proposed(entry.pos, entry.event)
            case ProposalAnswered(seat, True) if found:
                found = replace(found, agreed=found.agreed | {seat})
            case ProposalAnswered() | ProposalWithdrawn() | ProposalDone():
                found = None
            case OwnerChanged() | ModeratorDismissed():
                found = None
            case Extended(by, reason, hours) if found:  # what was proposed is done
                act = found.act
                same = (act.act, act.by, act.reason, act.hours) == ("extend", by, reason, hours)
                found = None if same else found
            case SeatReplaced(seat=seat) | SeatResigned(seat=seat) if found:
                about = (found.act.seat, found.act.given)
                found = None if seat in about else replace(found, agreed=found.agreed - {seat})
    return found


def check_nothing_asked(match: Match) -> None:
    if open_wish(match):
        raise Forbidden(say("An undo is asked for already; it must be settled first."))
    if open_proposal(match):
        raise Forbidden(say("Something is proposed already; it must be settled first."))


# Whose leave is needed


def await_leave(care: Care, wish: ActProposed, email: str | None = None) -> int | None:
    """Asks those who must agree to an act, and says at which position; None if it may be done at once."""
    if care.player_id is None:
        return None
    mine = MINE.found(care.session, match=care.row.id, me=care.player_id)
    if not mine and care.session.get_one(tables.Player, care.player_id).moderator:
        return None
    wish = replace(wish, seat=min(mine, default=None))
    others = concerned_seats(care.session, care.match, wish)
    if not others:
        return None
    if care.match.over:
        raise Forbidden(
            say(
                "You play in this match, and it is over: only a moderator who does not play may do this."
            )
        )
    check_nothing_asked(care.match)
    return propose(care, care.player_id, wish, others, email)


def propose(
    care: Care, player_id: int, wish: ActProposed, others: tuple[int, ...], email: str | None
) -> int:
    """Writes the proposal down and asks for answers; the address that it names stays out of the log."""
    after = matches.note(care.match, wish)
    commit_match(care.session, care.match, after, care.at, ToSeats("proposal", others))
    care.session.add(
        tables.Proposal(match_id=after.id, pos=after.head, player_id=player_id, email=email)
    )
    note_audit(
        care.session,
        type(wish).__name__,
        care.role,
        player_id,
        care.at,
        match_id=after.id,
        pos=after.head,
        reason=wish.reason,
    )
    for judge in judges(care.session, care.row, player_id):
        notify_player(care.session, after.id, after.head, judge, "proposal", at=care.at)
    return after.head


def judges(session: Session, row: tables.Match, player_id: int) -> list[int]:
    """Those who care for the match and neither play in it nor proposed something: they may do it at once."""
    named = select(tables.Moderator.player_id).where(tables.Moderator.match_id == row.id)
    sit = {seat.player_id for seat in load_seats(session, row.id)}
    return sorted({*session.exec(named), row.owner_id or player_id} - sit - {player_id})


def concerned_seats(session: Session, match: Match, wish: ActProposed) -> tuple[int, ...]:
    """The seats that must agree to an act of somebody who plays in `wish.seat`, or nowhere."""
    seats = load_seats(session, match.id)
    late = overdue(session, match.id)
    mine = set[int]()
    if wish.seat is not None:
        mine = {s.number for s in seats if s.player_id == seats[wish.seat].player_id}
    people = {s.number for s in seats if s.player_id or not s.bot} - mine
    parties = people if mine else set[int]()
    match wish:
        case ActProposed(act="replace", given=int(given)):
            return replacement_concerns(seats[given], wish, people, parties, late)
        case ActProposed(act="extend") if mine.isdisjoint(match.game.to_act(match.state)):
            return ()
        case ActProposed(act="close", winners=()):
            return tuple(sorted(parties - late))
    return tuple(sorted(parties))


def replacement_concerns(
    seat: tables.Seat, wish: ActProposed, people: set[int], parties: set[int], late: frozenset[int]
) -> tuple[int, ...]:
    """Who must agree when a seat goes to another: its player too, unless they have let their time run out.

    Where a player alone with them would name who comes, they are asked even then: a second address would see the hand.
    """
    own = {seat.number} & people if seat.player_id is not None else set[int]()
    others = parties - {seat.number}
    if own and (seat.number not in late or (parties and not others and wish.bot is None)):
        others |= own
    return tuple(sorted(others))


def overdue(session: Session, match_id: str) -> frozenset[int]:
    """The seats whose players have let all their time run out, also those for whom a bot plays on since."""
    ran_out = {c.seat for c in load_clocks(session, match_id) if c.phase == "over"}
    away = {s.number for s in load_seats(session, match_id) if s.player_id and s.bot}
    return frozenset(ran_out | away)


@dataclass(frozen=True, slots=True)
class AskedProposal:
    """A proposal, who made it, and those who have yet to agree to it."""

    proposed: Proposed
    player_id: int
    waiting: tuple[int, ...]


def load_open_proposal(session: Session, match: Match) -> AskedProposal | None:
    """The act that somebody proposes, if any, and whom it waits for; one in a record from elsewhere is nobody's."""
    found = open_proposal(match)
    kept = session.get(tables.Proposal, (match.id, found.pos)) if found else None
    if found is None or kept is None or (names_somebody(found.act) and kept.email is None):
        return None
    others = concerned_seats(session, match, found.act)
    waiting = tuple(seat for seat in others if seat not in found.agreed)
    return AskedProposal(found, kept.player_id, waiting)


def names_somebody(act: ActProposed) -> bool:
    """Whether the act is about an address, which whoever it belongs to may have taken away with their account."""
    return act.act == "moderator" or (act.act == "replace" and act.bot is None)


def waited_for(session: Session, match: Match, pos: int) -> list[int]:
    """The seats that must agree to what was proposed at that position; none if nothing was."""
    found = load_open_proposal(session, match)
    return list(found.waiting) if found is not None and found.proposed.pos == pos else []


def owner_plays(seats: list[tables.Seat], owner_id: int | None) -> bool:
    """Whether whoever owns a match plays in it, with other people."""
    others = any(s.player_id != owner_id for s in seats if not s.bot)
    return others and any(s.player_id == owner_id for s in seats if owner_id is not None)
