"""Whole matches of bots, each boiled down to what a table of balance asks of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import ceil
from multiprocessing import get_context
from typing import Any

from engine.core import arena
from engine.core.registry import find, find_bot
from engine.inka.bots.reckoning import hall, standings
from engine.inka.state import State


@dataclass(frozen=True, slots=True)
class Course:
    """What one match was like. `lead_changes`: how often another seat than the last one came to lead alone."""

    winners: tuple[int, ...]
    colours: tuple[str, ...]  # by seat
    rounds: int
    lead_changes: int
    ending: str
    bots: tuple[str, ...] = ()  # by seat, where they are not all the same


@dataclass(frozen=True, slots=True)
class Series:
    """Matches of one bot against itself; plain words, so that another process can play some of them too.

    With a `rival` it has one seat and the rival all others; they change seats from match to match, and every
    deal is played once from each seat.
    """

    game: str
    bot: str
    seats: int
    seed: str
    options: tuple[tuple[str, Any], ...] = ()
    rival: str | None = None

    @property
    def strengths(self) -> tuple[str, ...]:
        """The bots that play."""
        return (self.bot, self.rival) if self.rival else (self.bot,)

    def seated(self, match: int) -> tuple[str, ...]:
        """The bot at each seat of a match."""
        if self.rival is None:
            return (self.bot,) * self.seats
        return tuple(
            self.rival if place else self.bot for place in arena.seating(match, self.seats)
        )

    def play(self, match: int) -> Course:
        """One match, the same for the same number."""
        game, watch = find(self.game), Watch(LEADS.get(self.game))
        names = self.seated(match)
        seed = f"{self.seed} {self.seats} {arena.deal(match, self.seats) if self.rival else match}"
        bots = [find_bot(game, name) for name in names]
        result = arena.play(game, bots, seed, options=dict(self.options), watch=watch)
        if result.loser is not None:
            raise RuntimeError(
                f"{self.game}, match {match}: {names[result.loser]} gave up. {result.why}"
            )
        return Course(
            winners=result.winners,
            colours=game.colours(watch.state)[: self.seats],
            rounds=ceil(watch.turns / self.seats),
            lead_changes=max(0, len(watch.leaders) - 1),
            ending=ENDINGS.get(self.game, alone_or_shared)(result, watch),
            bots=names if self.rival else (),
        )

    def play_some(self, matches: range, jobs: int) -> Iterator[Course]:
        """The matches of these numbers in order, some at the same time."""
        if jobs == 1:
            yield from map(self.play, matches)
            return
        # Spawned, because the progress bar has a thread and a fork would not copy it whole.
        with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
            yield from pool.map(self.play, matches)


@dataclass
class Watch:
    """Looks on while a match is played; `lead` says how well each seat stands, by its score if nothing better is known."""

    lead: Callable[[Any], Sequence[float]] | None = None
    state: Any = None
    turns: int = 0
    leaders: list[int] = field(default_factory=list)
    last: Any = None  # the last event

    def __call__(self, scores: Sequence[int], state: Any, events: Sequence[Any]) -> None:
        self.state, self.last = state, events[-1]
        begun = sum(type(event).__name__ == "TurnBegan" for event in events)
        self.turns += begun
        if begun or type(self.last).__name__ == "MatchEnded":
            self.note_leader(self.lead(state) if self.lead else scores)

    def note_leader(self, scores: Sequence[float]) -> None:
        """Leads are looked at between turns; two who are equal lead nobody."""
        ahead = [seat for seat, score in enumerate(scores) if score == max(scores)]
        if len(ahead) == 1 and ahead != self.leaders[-1:]:
            self.leaders += ahead


def near_to_winning(state: State) -> list[float]:
    """Inka is a race: whoever has the shortest way before them leads, with or without a statue."""
    return [-one.far for one in standings(hall(state), state.pawns, state.taken)]


# Who leads, where scores do not tell.
LEADS: Mapping[str, Callable[[Any], Sequence[float]]] = {"inka": near_to_winning}


def alone_or_shared(result: arena.Result, _: Watch) -> str:
    return "won alone" if len(result.winners) == 1 else "shared"


def out_or_late(result: arena.Result, watch: Watch) -> str:
    """Inka: somebody escaped, or the last round was over."""
    if watch.last.escaped:
        return "escaped"
    return "round limit" if len(result.winners) == 1 else "round limit, shared"


# How a match of a game may end, where there is more to tell than who won.
ENDINGS: Mapping[str, Callable[[arena.Result, Watch], str]] = {"inka": out_or_late}
