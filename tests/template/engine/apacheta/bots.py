"""Players made of code for Apacheta: they see what their seat sees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.apacheta.actions import LayStone
from engine.apacheta.view import View
from engine.core.bot import Bot
from engine.core.chance import Chance
from engine.core.game import Game


def steady(_game: Game, view: View, legal: Sequence[Any], _chance: Chance) -> Any:
    """The heaviest stone where much lies on the cairn, else the lightest; never digs."""
    stones = [action for action in legal if isinstance(action, LayStone)]
    choose = max if view.cairn >= view.seats else min
    return choose(stones, key=lambda action: action.stone)


BOTS: dict[str, Bot] = {"steady": steady}
