"""Looking back: every position has a state, a sentence and a viewer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from sqlmodel import Session

from app import facts, store
from app.lru_cache import LruCache
from app.play import Place
from engine.core import record
from engine.core.codec import encode
from engine.core.match import Match, advance
from engine.core.refusal import Unknown
from engine.core.secrecy import redact
from engine.core.sentence import Sentence, say
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


def steps(
    session: Session, here: Place, since: int = 0, until: int | None = None
) -> tuple[Match, list[Step]]:
    """The history as the viewer may know it; a match that is over or closed has no secrets."""
    match = store.load(session.connection(), here.match_id)
    last = match.head if until is None else until
    times = store.times(session.connection(), here.match_id, since, last)
    counted = counted_after(match, since)
    return match, [
        step(match, entry, here.seat, times.get(entry.pos), counted)
        for entry in match.log[since:last]
    ]


def counted_after(match: Match, since: int) -> set[int]:
    """The positions after that one which no rewind has cut."""
    latest_first = reversed(match.timeline.effective)
    return {entry.pos for entry in takewhile(lambda entry: entry.pos > since, latest_first)}


def step(
    match: Match, entry: Entry, seat: int | None, at: datetime | None, counted: set[int]
) -> Step:
    event = entry.event if match.revealed else redact(entry.event, seat)
    stays = isinstance(event, STAYS)
    return Step(
        pos=entry.pos,
        act=entry.act,
        seat=entry.seat,
        kind=type(event).__name__,
        data=encode(event),
        sentence=facts.sentence(match.game, event),
        at=at,
        cut=not stays and entry.pos not in counted,
    )


def state_at(match: Match, pos: int) -> Any:
    """The state of the match after one position, as it stood then."""
    if pos == match.head:
        return match.state
    if not 1 <= pos <= match.head:
        raise Unknown(
            say("There is no position {pos}; the match has 1 to {head}.", pos=pos, head=match.head)
        )
    link = match.log[pos - 1].hash  # names all that went before it, so what it leads to can be kept
    state = STATES.get(link)
    if state is None:
        state = STATES.keep(link, folded(match, pos))
    if state is None:
        raise Unknown(say("The board is not set up yet at position {pos}.", pos=pos))
    return state


def folded(match: Match, pos: int) -> Any:
    """The state after one position: from the one before it if that is known, for people walk step by step."""
    entry = match.log[pos - 1]
    before = STATES.get(match.log[pos - 2].hash) if pos > 1 else None
    if before is not None and not isinstance(entry.event, Rewound | Restored):
        return advance(match.game, before, (entry.event,))
    line = timeline(match.log[:pos])
    return advance(match.game, None, (entry.event for entry in line.effective))


MOST_STATES = 2000  # what two neighbours hold is mostly the same
STATES: LruCache[str, Any] = LruCache(MOST_STATES)


def turns(match: Match) -> Iterator[int]:
    """The positions at which an order ends: where stepping by turn stops."""
    for entry, later in zip(match.log, [*match.log[1:], None], strict=True):
        if later is None or later.act != entry.act:
            yield entry.pos


def undone(match: Match, head: int | None) -> Sentence | None:
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
            return facts.sentence(match.game, turn.event)
    return None


def verified(match: Match) -> record.Verdict | None:
    """What a check of a match that is over or closed finds: chain, draws and every order decided again."""
    if not match.revealed:
        return None
    known = VERDICTS.get(match.hash)
    if known is None:
        known = VERDICTS.keep(match.hash, record.verify(record.read(record.export(match))))
    return known


VERDICTS: LruCache[str, record.Verdict] = LruCache(MOST_STATES)
