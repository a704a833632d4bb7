"""State at a position: an earlier one of a match, folded from the nearest known one."""

from __future__ import annotations

from typing import Any

from app.platform.lru_cache import LruCache
from engine.core.match import Match, advance
from engine.core.refusal import Unknown
from engine.core.sentence import say
from engine.core.timeline import Restored, Rewound, timeline


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
    """The state after one position, from the one before it if that is known, for people walk step by step; else from snapshots."""
    before = STATES.get(match.log[pos - 2].hash) if pos > 1 else None
    if before is not None:
        return carried(match, before, pos - 1, pos)
    state, done = None, 0
    for stop in range(EVERY, pos, EVERY):
        link = match.log[stop - 1].hash
        state = STATES.get(link) or STATES.keep(link, carried(match, state, done, stop))
        done = stop
    return carried(match, state, done, pos)


def carried(match: Match, state: Any, done: int, pos: int) -> Any:
    """The state after one position, from that of an earlier one; only a turn back needs all before it to be folded anew."""
    added = match.log[done:pos]
    if any(isinstance(entry.event, Rewound | Restored) for entry in added):
        state, added = None, timeline(match.log[:pos]).effective
    return advance(match.game, state, (entry.event for entry in added))


EVERY = 50  # positions from one snapshot to the next: made when somebody looks so far back, and thrown away at leisure
MOST_STATES = 2000  # what two neighbours hold is mostly the same
STATES: LruCache[str, Any] = LruCache(MOST_STATES)
