"""Players made of code: each sees what its seat sees, and chooses one of its legal actions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game

# The game, the view of the bot's seat, that seat's legal actions, and dice of its own -> one of the actions.
Bot = Callable[[Game, Any, Sequence[Any], Chance], Any]


def random(_game: Game, _view: Any, legal: Sequence[Any], chance: Chance) -> Any:
    """Any legal action, each with the same chance."""
    return chance.pick(legal)
