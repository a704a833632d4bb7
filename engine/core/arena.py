"""Bots against each other: whole matches with seats rotated, and what their results tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any

from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance, settle_options

LONGEST = 2000  # orders that a seat gives in a row: free moves could go to and fro for ever
NORMAL = 1.96  # standard deviations that hold 95 of 100


class Forfeit(Exception):
    """A bot cannot go on; it loses the match, and the sentence says why."""


@dataclass(frozen=True, slots=True)
class Result:
    """How one match went, by seat. `loser` gave up its match, and `why` says what it did."""

    scores: tuple[int, ...]
    winners: tuple[int, ...]
    orders: tuple[int, ...]
    loser: int | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """What one bot did in all its matches; a shared win counts as its part."""

    matches: int
    wins: float
    score: float  # the mean
    orders: float  # the mean of a match

    @property
    def interval(self) -> tuple[float, float]:
        """Between which parts of all matches its true part of wins lies, 95 times in 100."""
        return wilson(self.wins, self.matches)


def seating(match: int, bots: int) -> tuple[int, ...]:
    """Which bot sits at each seat of a match: all turn by one seat from match to match."""
    return tuple((seat + match) % bots for seat in range(bots))


def deal(match: int, bots: int) -> int:
    """Which deal a match is played with: the same for every seating in turn, so that luck is shared."""
    return match // bots


Watch = Callable[[tuple[int, ...], Any, Sequence[Any]], None]  # scores, state, what just happened


def unwatched(_scores: tuple[int, ...], _state: Any, _events: Sequence[Any]) -> None:
    """Most matches have no onlooker."""


def play(
    game: Game,
    bots: Sequence[Bot],
    seed: str,
    *,
    options: Mapping[str, Any] | None = None,
    watch: Watch = unwatched,
) -> Result:
    """One match, a bot at each seat; the same seed gives the same match to bots without a clock."""
    seats = len(bots)
    settled = settle_options(game, options or {})
    state = advance(game, None, game.setup(seats, settled, Chance(seed, "arena", 1)))
    given, last, streak = [0] * seats, -1, 0
    while asked := game.to_act(state):
        seat, pos = asked[0], sum(given) + 2
        last, streak = seat, streak + 1 if seat == last else 1
        try:
            if streak > LONGEST:
                raise Forfeit(f"It gave {LONGEST} orders in a row.")
            action = chosen(game, state, seat, bots[seat], Chance(f"{seed} {seat}", "bot", pos))
        except Forfeit as forfeit:
            return forfeited(game, state, seat, tuple(given), forfeit)
        events = game.decide(state, action, Chance(seed, "arena", pos))
        state = advance(game, state, events)
        watch(game.scores(state), state, events)
        given[seat] += 1
    return Result(game.scores(state), game.winners(state), tuple(given))


def chosen(game: Game, state: Any, seat: int, bot: Bot, chance: Chance) -> Any:
    """What the bot does, which must be one of the legal actions."""
    legal = list(game.legal(state, seat))
    action = bot(game, game.view(state, seat), legal, chance)
    if action not in legal:
        raise Forfeit(f"It chose {written(game, action)}, which is not legal.")
    return action


def written(game: Game, action: Any) -> str:
    """An action as an order, if it is an action at all."""
    return game.format(action) if isinstance(action, game.actions) else repr(action)[:60]


def forfeited(
    game: Game, state: Any, seat: int, orders: tuple[int, ...], forfeit: Forfeit
) -> Result:
    """The match ends at once; the best of the others wins."""
    scores = game.scores(state)
    others = [s for s in range(len(scores)) if s != seat]
    best = max(scores[s] for s in others)
    winners = tuple(s for s in others if scores[s] == best)
    return Result(scores, winners, orders, seat, str(forfeit))


def tallies(results: Sequence[Result]) -> list[Tally]:
    """The tally of each bot, from the results of matches 0, 1, 2 … in this order."""
    bots = len(results[0].scores)
    return [tally(list(part_of(bot, results))) for bot in range(bots)]


def part_of(bot: int, results: Sequence[Result]) -> Iterator[tuple[float, int, int]]:
    """A bot's part of each match: its wins, its score, its orders."""
    for match, result in enumerate(results):
        seat = seating(match, len(result.scores)).index(bot)
        won = 1 / len(result.winners) if seat in result.winners else 0.0
        yield won, result.scores[seat], result.orders[seat]


def tally(parts: list[tuple[float, int, int]]) -> Tally:
    matches = len(parts)
    wins, scores, orders = (sum(column) for column in zip(*parts, strict=True))
    return Tally(matches, wins, scores / matches, orders / matches)


def wilson(wins: float, matches: int) -> tuple[float, float]:
    """Wilson's interval for a part of wins, which stays between 0 and 1 even for few matches."""
    part, z2 = wins / matches, NORMAL**2
    middle = (part + z2 / (2 * matches)) / (1 + z2 / matches)
    half = NORMAL / (1 + z2 / matches)
    half *= sqrt(part * (1 - part) / matches + z2 / (4 * matches**2))
    return max(0.0, middle - half), min(1.0, middle + half)
