"""Answers to what a moderator proposes: when all whom it concerns agree it is done, in the proposer's name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from sqlmodel import Session

from app.eventstore.row_lock import lock_match_row
from app.eventstore.store import load_match
from app.matches.access import access_match
from app.matches.commit import TO_NOBODY, commit_match
from app.moderation.acts import (
    Care,
    audit_act,
    bring_match_back,
    end_match,
    give_time,
    take_match_back,
)
from app.moderation.commands import AnswerProposal, Resign, WithdrawProposal
from app.moderation.consent import Proposed, concerned_seats, load_open_proposal
from app.moderation.moderator_invitations import write_to
from app.moderation.seat_changes import give_seat, resign_seat
from app.moderation.undo_requests import seats_of, settle_open_wish
from app.outbox.notifications import notify_others, notify_player
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.tables import UNDER_WAY, Proposal
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ActProposed, ProposalAnswered, ProposalDone, ProposalWithdrawn

# What is done when everybody has agreed; the address is the one that the log does not name.
DO: dict[str, Callable[[Care, ActProposed, str], object]] = {
    "rewind": lambda care, act, _: take_match_back(care, act.to or 0, act.reason),
    "restore": lambda care, _act, _: bring_match_back(care),
    "extend": lambda care, act, _: give_time(care, act.hours or 0, act.reason),
    "replace": lambda care, act, address: give_seat(
        care, act.given or 0, None if act.bot else address, act.bot, act.reason
    ),
    "close": lambda care, act, _: end_match(care, act.winners, act.reason),
    "moderator": lambda care, _act, address: invite_as_agreed(care, address),
}


def invite_as_agreed(care: Care, address: str) -> None:
    """Writes to the address; the log tells that it is done, else it would stand open until the next order."""
    after = matches.note(care.match, ProposalDone(care.role))
    commit_match(care.session, care.match, after, care.at, TO_NOBODY)
    write_to(replace(care, match=after), address)


def answer_proposal(session: Session, command: AnswerProposal, at: datetime) -> bool:
    """Done with the last who agrees."""
    row, before = under_way(session, command.match_id, command.by)
    mine = seats_of(session, row.id, command.by)
    found, kept = proposed(session, before, command.asked)
    others = concerned_seats(session, before, found.act)
    answering = [seat for seat in others if seat in mine - found.agreed]
    if not answering:
        raise Forbidden(say("You are not asked whether you agree to this."))
    after = before
    for seat in answering if command.agrees else answering[:1]:
        after = matches.note(after, ProposalAnswered(seat, command.agrees))
    commit_match(session, before, after, at, TO_NOBODY)
    if not command.agrees:
        kept.email = None
        session.add(kept)
        notify_player(session, row.id, after.head, kept.player_id, "declined", at=at)
        return False
    return done_if_agreed(session, row, after, at)


def withdraw_proposal(session: Session, command: WithdrawProposal, at: datetime) -> bool:
    row, before = under_way(session, command.match_id, command.by)
    theirs = say("Only who proposed it may take it back.")
    if not access_match(session, row.id, command.by).at_table:
        raise Forbidden(theirs)
    found, kept = proposed(session, before, command.asked)
    if kept.player_id != command.by:
        raise Forbidden(theirs)
    care = Care(session, row, before, found.act.by, command.by, at)
    after = matches.note(before, ProposalWithdrawn(found.act.by))
    commit_match(session, before, after, at, TO_NOBODY)
    audit_act(care, "ProposalWithdrawn")
    kept.email = None
    session.add(kept)
    return True


def resign_and_settle(session: Session, command: Resign, at: datetime) -> bool:
    """What waited for the word of who leaves is settled with it."""
    resign_seat(session, command, at)
    settle_open_questions(session, command.match_id, at)
    return True


def settle_open_questions(session: Session, match_id: str, at: datetime) -> None:
    """After somebody left a table: what waited for them alone is decided, and whom it concerns now is asked."""
    row = lock_match_row(session, match_id)
    if row.status not in UNDER_WAY:
        return
    match = load_match(session.connection(), match_id)
    if asked := load_open_proposal(session, match):
        waiting, pos = asked.waiting, asked.proposed.pos
        notify_others(session, match_id, pos, waiting, "proposal", at=at)
        done_if_agreed(session, row, match, at)
    elif row.status == "running":
        settle_open_wish(session, match, at)


def done_if_agreed(session: Session, row: tables.Match, match: Match, at: datetime) -> bool:
    """Does what stands open if nobody is waited for any more."""
    asked = load_open_proposal(session, match)
    if asked is None or asked.waiting:
        return False
    act = asked.proposed.act
    kept = session.get_one(Proposal, (match.id, asked.proposed.pos))
    care = Care(session, row, match, act.by, kept.player_id, at)
    DO[act.act](care, act, kept.email or "")
    kept.email = None
    session.add(kept)
    return True


def under_way(session: Session, match_id: str, player_id: int) -> tuple[tables.Match, Match]:
    """A match that is played, for us alone until we are done."""
    row = lock_match_row(session, match_id)
    access_match(session, match_id, player_id)  # strangers do not learn that there is such a match
    if row.status not in UNDER_WAY:
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=row.status)
        )
    return row, load_match(session.connection(), match_id)


def proposed(session: Session, match: Match, pos: int | None) -> tuple[Proposed, Proposal]:
    """What stands open, at that position if one is named, while whoever proposed it still cares for the match."""
    asked = load_open_proposal(session, match)
    if (
        asked is None
        or pos not in (None, asked.proposed.pos)
        or not access_match(session, match.id, asked.player_id).cares
    ):
        raise Unknown(say("This question is settled; nobody proposes that any more."))
    return asked.proposed, session.get_one(Proposal, (match.id, asked.proposed.pos))


def last_proposed(match: Match, head: int) -> int:
    """Where something was last proposed, for somebody who has seen the match up to `head`."""
    asked = (e.pos for e in reversed(match.log[:head]) if isinstance(e.event, ActProposed))
    return next(asked, 0)
