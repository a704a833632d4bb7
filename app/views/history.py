"""Read model of the history: every position has a state, a sentence and a viewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any, NamedTuple

from sqlmodel import Session

from app.eventstore.positions import MOST_STATES
from app.eventstore.store import load_event_times, load_match
from app.matches.access import Place
from app.platform.lru_cache import LruCache
from app.views.board_pictures import event_words
from app.views.event_text import describe_event
from app.views.seat_history import Past, load_past
from engine.core import record
from engine.core.codec import encode
from engine.core.match import Match
from engine.core.secrecy import redact
from engine.core.sentence import Sentence
from engine.core.timeline import TABLE_EVENTS, Entry, Restored, Rewound, timeline

STAYS = (Rewound, Restored, *TABLE_EVENTS)  # no rewind cuts them


@dataclass(frozen=True, slots=True)
class Step:
    """One event in the history: what it says to this viewer, when it was, and whether it was cut."""

    pos: int
    act: int
    seat: int | None
    kind: str
    data: dict[str, Any]
    sentence: Sentence
    at: datetime | None
    cut: bool
    touched: str  # the words of the event, of which those that name places are where it happened
    holder: Sentence | str | None = None  # who had the seat then, if that is not who has it now


def load_steps(
    session: Session, here: Place, since: int = 0, until: int | None = None
) -> tuple[Match, list[Step]]:
    """The history as the viewer may know it; a match that is over or closed has no secrets."""
    match = load_match(session.connection(), here.match_id)
    last = match.head if until is None else until
    times = load_event_times(session.connection(), here.match_id, since, last)
    counted, past = counted_after(match, since), load_past(session, here.match_id)
    return match, [
        step(match, entry, here.seat, times.get(entry.pos), counted, past)
        for entry in match.log[since:last]
    ]


def counted_after(match: Match, since: int) -> set[int]:
    """The positions after that one which no rewind has cut."""
    latest_first = reversed(match.timeline.effective)
    return {entry.pos for entry in takewhile(lambda entry: entry.pos > since, latest_first)}


def step(
    match: Match,
    entry: Entry,
    seat: int | None,
    at: datetime | None,
    counted: set[int],
    past: Past,
) -> Step:
    told = tell_entry(match, entry, seat)
    return Step(
        pos=entry.pos,
        act=entry.act,
        seat=entry.seat,
        kind=type(entry.event).__name__,
        data=told.data,
        sentence=past.tell(entry.pos, told.sentence),
        at=at,
        cut=not isinstance(entry.event, STAYS) and entry.pos not in counted,
        touched=told.touched,
        holder=past.holder(entry.pos, entry.seat) if entry.seat is not None else None,
    )


class Told(NamedTuple):
    """What an event says to a viewer, as values, in words without anybody's name, and where it happened."""

    data: dict[str, Any]
    sentence: Sentence
    touched: str


def tell_entry(match: Match, entry: Entry, seat: int | None) -> Told:
    """What an event says to the viewer; kept, for a log never changes."""
    everything = match.revealed
    name = match.id, entry.hash, None if everything else seat, everything
    known = TOLD.get(name)
    if known is None:
        event = entry.event if everything else redact(entry.event, seat)
        data = encode(event)
        touched = " ".join(dict.fromkeys(event_words(data)))
        known = TOLD.keep(name, Told(data, describe_event(match.game, event), touched))
    return known


def turn_ends(match: Match) -> Iterator[int]:
    """The positions at which an order ends: where stepping by turn stops."""
    for entry, later in zip(match.log, [*match.log[1:], None], strict=True):
        if later is None or later.act != entry.act:
            yield entry.pos


def find_undoing(match: Match, head: int | None) -> Sentence | None:
    """What took the turn back that somebody saw at `head`: by whom and why; None if it still counts."""
    later = match.log[head:] if head is not None and head > 0 else ()
    turns_back = [entry for entry in later if isinstance(entry.event, Rewound)]
    if not turns_back:
        return None
    last = timeline(match.log[:head]).effective[-1].pos
    counted = {entry.pos for entry in match.timeline.effective}
    for turn in turns_back:
        cut = (e.pos for e in reversed(match.log[: turn.pos]) if not isinstance(e.event, STAYS))
        if turn.event.to <= last and next(cut) not in counted:  # it was not brought back since
            return describe_event(match.game, turn.event)
    return None


def verify_match(match: Match) -> record.Verdict | None:
    """What a check of a match that is over or closed finds: chain, draws and every order decided again."""
    if not match.revealed:
        return None
    known = VERDICTS.get(match.hash)
    if known is None:
        known = VERDICTS.keep(match.hash, record.verify(record.read(record.export(match))))
    return known


TOLD: LruCache[tuple[str, str, int | None, bool], Told] = LruCache(10_000)  # of some 2 kB
VERDICTS: LruCache[str, record.Verdict] = LruCache(MOST_STATES)
