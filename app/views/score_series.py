"""How the scores went: after every event that counts, who led, and what the points came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from app.platform.lru_cache import LruCache
from engine.core.game import Game
from engine.core.match import Match
from engine.core.sentence import Sentence, say

KEPT = 300  # matches
OTHER = say("other points")
Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """`points` are the positions at which scores changed, with the scores from there on."""

    points: tuple[tuple[int, Scores], ...]
    gains: tuple[tuple[type, int, int], ...]  # the kind of event, the seat, and what it gained

    @property
    def turning(self) -> tuple[tuple[int, int], ...]:
        """Where somebody took the lead from somebody else: the position and the seat."""
        leaders = [(pos, leader(scores)) for pos, scores in self.points]
        alone = [(pos, seat) for pos, seat in leaders if seat is not None]
        return tuple(now for before, now in pairwise(alone) if before[1] != now[1])

    def at(self, pos: int) -> Scores:
        """The scores at a position."""
        return next((scores for at, scores in reversed(self.points) if at <= pos), ())


def leader(scores: Scores) -> int | None:
    """Who leads alone."""
    best = max(scores, default=0)
    return scores.index(best) if scores.count(best) == 1 else None


def load_series(match: Match) -> Series:
    """The scores of a match along what counts of its log."""
    known = SERIES.get(match.hash)
    return known or SERIES.keep(match.hash, make_series(match))


SERIES: LruCache[str, Series] = LruCache(KEPT)


def make_series(match: Match) -> Series:
    game, points, gains = match.game, list[tuple[int, Scores]](), list[tuple[type, int, int]]()
    for pos, event, scores in folded_scores(match):
        before = points[-1][1] if points else (0,) * len(scores)
        if scores == before and points:
            continue
        points.append((pos, scores))
        if type(event) in game.sources or len(points) > 1:
            changed = enumerate(zip(before, scores, strict=True))
            gains += [(type(event), seat, new - old) for seat, (old, new) in changed if new != old]
    return Series(tuple(points), tuple(gains))


def folded_scores(match: Match) -> Iterator[tuple[int, Any, Scores]]:
    """The scores after every event that counts, from the first on that has some."""
    state = None
    for entry in match.timeline.effective:
        if type(entry.event) not in match.game.events:
            continue
        state = match.game.evolve(state, entry.event)
        yield entry.pos, entry.event, match.game.scores(state)


def list_sources(game: Game, series: Series, seats: int) -> list[tuple[Sentence, Scores]]:
    """What every seat's points came from, under the names that the game gives."""
    found: dict[str, tuple[Sentence, list[int]]] = {}
    for kind, seat, gain in series.gains:
        label = game.sources.get(kind, OTHER)
        row = found.setdefault(repr(label), (label, [0] * seats))[1]
        row[seat] += gain
    return [(label, tuple(row)) for label, row in found.values()]
