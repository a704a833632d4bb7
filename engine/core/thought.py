"""Orders tried in thought. Whatever looks ahead thinks: nothing here knows a seed, a log or an event of the core."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import Match, advance, check_asked


@dataclass(frozen=True, slots=True)
class Thought:
    """A position that nobody has played to. `acts` are the game's own events, order by order.

    `hash` names the position: that of the match, or of what was thought after it.
    """

    game: Game
    state: Any
    hash: str
    acts: tuple[tuple[Any, ...], ...] = ()


def begin_thought(match: Match) -> Thought:
    """The match as it stands, to think on from."""
    return Thought(match.game, match.state, match.hash)


def think_ahead(thought: Thought, action: Any) -> Thought | None:
    """The position after one more action; None if it draws, reveals or ends the match: nobody may look behind that.

    The end opens every secret, so an order after which nobody is asked reveals, whatever the game says of it.
    Refuses what the rules refuse.
    """
    game = thought.game
    check_asked(game, thought.state, action)
    chance = Chance("", "thought", 0)  # not the match's: what it will draw is nobody's to know
    events = tuple(game.decide(thought.state, action, chance))
    if chance.used or game.commits(thought.state, action):
        return None
    state = advance(game, thought.state, events)
    if not game.to_act(state):
        return None
    name = sha256(f"{thought.hash} {action.seat} {game.format(action)}".encode()).hexdigest()
    return Thought(game, state, name, (*thought.acts, events))


def is_revealing(game: Game, state: Any, action: Any) -> bool:
    """Whether a legal action draws, reveals or ends the match."""
    return game.commits(state, action) or think_ahead(Thought(game, state, ""), action) is None
