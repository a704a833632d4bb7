"""What the seats learned in a part of a match: what a moderator weighs before going back behind it.

Only how often and by which event somebody else learned something, which the whole table saw happen; what it was, the
game's own sentence says to those who may know it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from sqlmodel import Session, col

from app.matches.submissions import encode_known_event
from app.moderation.undo_requests import entry_reveals
from app.platform import tables
from app.platform.errors import Forbidden
from app.views.event_text import describe_event
from app.views.mail_log_json import list_mails
from app.views.match_json import SeenTable
from engine.core.refusal import Unknown
from engine.core.secrecy import owners, redact
from engine.core.sentence import Seat, Sentence, say
from engine.core.timeline import Entry, SeedRevealed

# The seed gives every draw and every seal before it: whoever kept it can open them for ever.
ALL_LAY_OPEN = say(
    "The match was over: all its secrets lay open to everybody, and going back hides none of them again."
)


@dataclass(frozen=True, slots=True)
class Learned:
    """How many secrets one seat learned, by the kind of event that told them; `told` as the viewer may read it."""

    seat: int
    kinds: dict[str, int]
    told: tuple[Sentence, ...]

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
class KnowledgeReport:
    """What was learned after a position: `public` counts the events that all saw, `own` are the viewer's.

    `shown` are those of the public events by which somebody let the others see something: an open card, a bid.
    """

    to: int
    head: int
    public: int
    shown: tuple[Sentence, ...]
    seats: tuple[Learned, ...]
    own: list[dict[str, Any]]
    mails: list[dict[str, Any]]


def load_knowledge_report(session: Session, at: SeenTable, to: int) -> KnowledgeReport:
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
    open_to_all = [entry for entry in later if not owners(type(entry.event))]
    return KnowledgeReport(
        to=to,
        head=match.head,
        public=len(open_to_all),
        shown=tuple(said(at, entry) for entry in open_to_all if entry_reveals(match, entry)),
        seats=tuple(
            learned(at, seat.number, [e for e in later if seat.number in found[e.pos]])
            for seat, _ in at.sitters
        ),
        own=[encode_known_event(e, at.here.seat) for e in later if at.here.seat in found[e.pos]],
        mails=mails_after(session, at, to),
    )


def learned(at: SeenTable, seat: int, entries: list[Entry]) -> Learned:
    """What these events told one seat, in words for the viewer."""
    kinds = Counter(type(entry.event).__name__ for entry in entries)
    return Learned(seat, dict(kinds), tuple(said(at, entry) for entry in entries))


def said(at: SeenTable, entry: Entry) -> Sentence:
    """An event in the words that the viewer's own seat may read."""
    if isinstance(entry.event, SeedRevealed):
        return ALL_LAY_OPEN
    return describe_event(at.match.game, redact(entry.event, at.here.seat))


def learners(event: Any) -> set[int]:
    """The seats that an event told something that others do not know; who they are is no secret."""
    named = (owner for owner in owners(type(event)).values() if owner is not None)
    return {getattr(event, owner) for owner in named}


def mails_after(session: Session, at: SeenTable, to: int) -> list[dict[str, Any]]:
    """The mails to those who play, about what came after `to`."""
    return list_mails(
        session, at, col(tables.Outbox.pos) > to, col(tables.Outbox.player_id).is_not(None)
    )
