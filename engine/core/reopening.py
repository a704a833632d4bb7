"""Opening what a redacted record seals, as far as its own log has told the seeds.

An end tells them, and a match that is played on from before its end keeps that end in its log. By the seed everybody
can draw again what was dealt, and try each secret order: only the one that was given has the hash that is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter

from engine.core.game import Game
from engine.core.match import Match, act, advance, play, recorded_options, start_by
from engine.core.refusal import Refusal
from engine.core.review import is_sealed_position
from engine.core.secrecy import owners
from engine.core.timeline import NOT_PLAYED, TURNS, Entry, MatchStarted, SeatsDrawn, SeedRevealed

FAULTS = (Refusal, LookupError, ValueError, TypeError, AttributeError)


@dataclass(frozen=True, slots=True)
class Reopened:
    """The acts that were opened and found right, and the one that nothing explains."""

    right: frozenset[int] = frozenset()
    wrong: tuple[int, ...] = ()


def reopen(game: Game, entries: Sequence[Entry], seeds: Mapping[int, str]) -> Reopened:
    """Decides again every act before the last end that told its seeds; stops where one is not told.

    A position in which a match was begun is sealed as a whole and too much to be guessed, so there nothing is opened.
    """
    if any(is_sealed_position(entry.event) for entry in entries):
        return Reopened()
    last = max((e.pos for e in entries if isinstance(e.event, SeedRevealed)), default=0)
    match, right = Match(game, "", ()), set[int]()
    for act_pos, group in groupby(entries[:last], key=attrgetter("act")):
        stored = tuple(group)
        if type(stored[0].event) in NOT_PLAYED:
            match = noted(match, stored, seeds)
            continue
        known = seeds.get(1) if not match.log else match.seed
        if not known:
            break
        again = repeated(match, stored, known)
        if again is None:
            return Reopened(frozenset(right), (act_pos,))
        match = again
        right.add(act_pos)
    return Reopened(frozenset(right))


def repeated(match: Match, stored: tuple[Entry, ...], seed: str) -> Match | None:
    """The match after the act that was told; None if none has its hash."""
    ways = begun(match.game, stored, seed) if not match.log else ordered(match, stored[0])
    try:
        return next((after for after in ways if after.hash == stored[-1].hash), None)
    except FAULTS:
        return None


def begun(game: Game, stored: tuple[Entry, ...], seed: str) -> Iterator[Match]:
    """The match as it was set up."""
    opening: MatchStarted = stored[0].event
    nonces = [entry.event.nonces for entry in stored if isinstance(entry.event, SeatsDrawn)]
    options = recorded_options(game, opening.options)
    yield start_by(game, opening.seats, options, seed, opening.match, *nonces)


def ordered(match: Match, first: Entry) -> Iterator[Match]:
    """The match after the order or, if it is sealed, after each that it may have been."""
    if first.order is not None:
        yield play(match, first.seat or 0, first.order)
        return
    for action in match.game.legal(match.state, first.seat or 0):
        if owners(type(action)):
            yield act(match, action)


def noted(match: Match, stored: tuple[Entry, ...], seeds: Mapping[int, str]) -> Match:
    """The match after facts as they are told; a seed that they commit to draws from here on, known or not."""
    first = stored[0]
    committed = getattr(first.event, "commitment", None)
    timeline = match.timeline.extended(stored)
    turned = type(first.event) in TURNS
    events = (entry.event for entry in timeline.effective)
    return replace(
        match,
        seeds=(*match.seeds, (first.pos, seeds.get(first.pos, ""))) if committed else match.seeds,
        log=(*match.log, *stored),
        timeline=timeline,
        state=advance(match.game, None, events) if turned else match.state,
    )
