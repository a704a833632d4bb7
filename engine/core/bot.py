"""Players made of code: each sees what its seat sees, and chooses one of its legal actions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.sentence import Sentence

# The game, the view of the bot's seat, that seat's legal actions, and dice of its own -> one of the actions.
Bot = Callable[[Game, Any, Sequence[Any], Chance], Any]


def random(_game: Game, _view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    """Any legal action, each with the same chance."""
    return chance.pick(legal)


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing that orders change in a bot's own evaluation, and how much it counts in the game's points.

    What wins the match has no worth: no number measures it.
    """

    sentence: Sentence
    worth: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Insight:
    """How the bots of a game see it. Both ask a view alone, so nobody learns more from them than that view shows.

    `explain` says what orders would change, the weightiest first; `estimate` what every seat has and may hope for, in `unit`.
    """

    explain: Callable[[Game, Any, Sequence[Any]], list[Reason]]
    estimate: Callable[[Game, Any], tuple[float, ...]]
    unit: Sentence


LITTLE = 0.25  # what counts less is not worth a word
MOST_REASONS = 4


def weightiest(reasons: Iterable[Reason]) -> list[Reason]:
    """The few reasons that count most."""
    known = [reason for reason in reasons if abs(reason.worth or 0) >= LITTLE]
    return sorted(known, key=lambda reason: -abs(reason.worth or 0))[:MOST_REASONS]
