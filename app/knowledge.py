"""What the seats learned in a part of a match: what a moderator weighs before going back behind it.

Only how often and in which kind of event somebody else learned something, which the whole table saw happen.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col

from app import models, play, seen
from app.errors import Forbidden
from app.seen import Table
from engine.core.refusal import Unknown
from engine.core.secrecy import owners
from engine.core.sentence import Seat, Sentence, say


@dataclass(frozen=True, slots=True)
class Learned:
    """How many secrets one seat learned, by the kind of event that told them."""

    seat: int
    kinds: dict[str, int]

    @property
    def count(self) -> int:
        return sum(self.kinds.values())

    @property
    def sentence(self) -> Sentence:
        return say(
            "{seat} learned {n} secret.",
            "{seat} learned {n} secrets.",
            seat=Seat(self.seat),
            n=self.count,
        )


@dataclass(frozen=True, slots=True)
class Report:
    """What was learned after a position: `public` counts the events that all saw, `own` are the viewer's."""

    to: int
    head: int
    public: int
    seats: tuple[Learned, ...]
    own: list[dict[str, Any]]
    mails: list[dict[str, Any]]


def report(session: Session, at: Table, to: int) -> Report:
    """What each seat learned after `to`, and which mails went out, for the owner and as the owner may know it."""
    if not at.here.cares:
        raise Forbidden(say("Only the moderators of the match may do this."))
    match = at.match
    if to > match.head:
        raise Unknown(
            say("There is no position {pos}; the match has 1 to {head}.", pos=to, head=match.head)
        )
    later = [entry for entry in match.timeline.effective if entry.pos > to]
    found = {entry.pos: learners(entry.event) for entry in later}
    counts: dict[int, Counter[str]] = {seat.number: Counter() for seat, _ in at.sitters}
    for entry in later:
        for seat in found[entry.pos]:
            counts[seat][type(entry.event).__name__] += 1
    return Report(
        to=to,
        head=match.head,
        public=sum(not owners(type(entry.event)) for entry in later),
        seats=tuple(Learned(seat, dict(kinds)) for seat, kinds in counts.items()),
        own=[play.told_event(e, at.here.seat) for e in later if at.here.seat in found[e.pos]],
        mails=mails_after(session, at, to),
    )


def learners(event: Any) -> set[int]:
    """The seats that an event told something that others do not know; who they are is no secret."""
    named = (owner for owner in owners(type(event)).values() if owner is not None)
    return {getattr(event, owner) for owner in named}


def mails_after(session: Session, at: Table, to: int) -> list[dict[str, Any]]:
    """The mails to those who play, about what came after `to`."""
    return seen.mails(
        session, at, col(models.Outbox.pos) > to, col(models.Outbox.player_id).is_not(None)
    )
