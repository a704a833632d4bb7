"""Answers to what a moderator proposes: when all whom it concerns agree it is done, in the proposer's name."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sqlmodel import Session

from app import consent, models, moderation, naming, notices, play, seating, store, undo
from app.consent import Proposed
from app.errors import Forbidden
from app.models import UNDER_WAY, Proposal
from app.moderation import Care
from engine.core import match as matches
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import ActProposed, ProposalAnswered, ProposalWithdrawn

# What is done when everybody has agreed; the address is the one that the log does not name.
DO: dict[str, Callable[[Care, ActProposed, str], object]] = {
    "rewind": lambda care, act, _: moderation.take_back(care, act.to or 0, act.reason),
    "restore": lambda care, _act, _: moderation.bring_back(care),
    "extend": lambda care, act, _: moderation.give_time(care, act.hours or 0, act.reason),
    "replace": lambda care, act, address: seating.give_seat(
        care, act.given or 0, None if act.bot else address, act.bot, act.reason
    ),
    "close": lambda care, act, _: moderation.end(care, act.winners, act.reason),
    "moderator": lambda care, _act, address: naming.write_to(care, address),
}


def answer(
    session: Session, match_id: str, player_id: int, pos: int, agrees: bool, at: datetime
) -> bool:
    """Agrees to what was proposed at that position, or not; says whether it was done by this.

    Who plays several seats answers for all of them.
    """
    row, before = under_way(session, match_id, player_id)
    mine = undo.seats_of(session, match_id, player_id)
    found, kept = proposed(session, before, pos)
    others = consent.concerned(session, before, found.act)
    answering = [seat for seat in others if seat in mine - found.agreed]
    if not answering:
        raise Forbidden(say("You are not asked whether you agree to this."))
    after = before
    for seat in answering if agrees else answering[:1]:
        after = matches.note(after, ProposalAnswered(seat, agrees))
    moderation.written(session, before, after, at)
    if not agrees:
        kept.email = None
        session.add(kept)
        notices.to_player(session, match_id, after.head, kept.player_id, "declined", at)
        return False
    return done_if_agreed(session, row, after, at)


def withdraw(session: Session, match_id: str, player_id: int, pos: int, at: datetime) -> None:
    """Who proposed something takes it back."""
    row, before = under_way(session, match_id, player_id)
    theirs = say("Only who proposed it may take it back.")
    if not play.place(session, match_id, player_id).at_table:
        raise Forbidden(theirs)
    found, kept = proposed(session, before, pos)
    if kept.player_id != player_id:
        raise Forbidden(theirs)
    care = Care(session, row, before, found.act.by, player_id, at)
    after = matches.note(before, ProposalWithdrawn(found.act.by))
    moderation.written(session, before, after, at)
    moderation.audited(care, "ProposalWithdrawn", after)
    kept.email = None
    session.add(kept)


def resign(
    session: Session, match_id: str, player_id: int, reason: Any, head: int | None, at: datetime
) -> None:
    """Gives one's own seat up; what waited for one's word is settled with it."""
    seating.resign(session, match_id, player_id, reason, head, at)
    settle_open(session, match_id, at)


def settle_open(session: Session, match_id: str, at: datetime) -> None:
    """After somebody left a table: what waited for them alone is decided, and whom it concerns now is asked."""
    row = play.take_turn(session, match_id)
    if row.status not in UNDER_WAY:
        return
    match = store.load(session.connection(), match_id)
    if asked := consent.asked(session, match):
        waiting, pos = asked.waiting, asked.proposed.pos
        notices.notify_others(session, match_id, pos, waiting, "proposal", at)
        done_if_agreed(session, row, match, at)
    elif row.status == "running":
        undo.settle_open(session, match, at)


def done_if_agreed(session: Session, row: models.Match, match: Match, at: datetime) -> bool:
    """Does what stands open if nobody is waited for any more."""
    asked = consent.asked(session, match)
    if asked is None or asked.waiting:
        return False
    act = asked.proposed.act
    kept = session.get_one(Proposal, (match.id, asked.proposed.pos))
    care = Care(session, row, match, act.by, kept.player_id, at)
    DO[act.act](care, act, kept.email or "")
    kept.email = None
    session.add(kept)
    return True


def under_way(session: Session, match_id: str, player_id: int) -> tuple[models.Match, Match]:
    """A match that is played, for us alone until we are done."""
    row = play.take_turn(session, match_id)
    play.place(session, match_id, player_id)  # strangers do not learn that there is such a match
    if row.status not in UNDER_WAY:
        raise Forbidden(
            say("This match is not running; its status is {status}.", status=row.status)
        )
    return row, store.load(session.connection(), match_id)


def proposed(session: Session, match: Match, pos: int) -> tuple[Proposed, Proposal]:
    """What stands open at that position, while whoever proposed it still cares for the match."""
    asked = consent.asked(session, match)
    if (
        asked is None
        or asked.proposed.pos != pos
        or not play.place(session, match.id, asked.player_id).cares
    ):
        raise Unknown(say("This question is settled; nobody proposes that any more."))
    return asked.proposed, session.get_one(Proposal, (match.id, pos))


def last_proposed(match: Match, head: int) -> int:
    """Where something was last proposed, for somebody who has seen the match up to `head`."""
    asked = (e.pos for e in reversed(match.log[:head]) if isinstance(e.event, ActProposed))
    return next(asked, 0)
