"""A bot of simple habits: the order that makes its position better at once, or the end of the turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.cuzco import actions as a
from engine.cuzco.bots import bidding
from engine.cuzco.bots.imagine import imagine
from engine.cuzco.bots.plan import Care, Planner, may_end
from engine.cuzco.bots.worth import Judge, Taste
from engine.cuzco.view import View

TASTE = Taste(
    early=0.5,
    late=0.5,
    growth=0.5,
    threat=0.0,
    water=0.0,
    inca=0.5,
    level=0.0,
    card=0.8,
    token=0.0,
    tile=0.2,
)
CARE = Care(width=1, tiles=3, ideas=40, length=1, most=60)
CARD_PRICE = 0.3


def steady(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """One order at a time, without a plan."""
    if len(legal) == 1:
        return legal[0]
    seat = legal[0].seat
    state = imagine(game, view, chance)
    if state.festival is not None:
        reach = bidding.rivals_reach(state, view, chance)
        return bidding.answer(state, seat, reach, CARD_PRICE)
    now, *better = Planner(game, Judge(seat, TASTE), chance).plans(state, CARE)
    if not may_end(state):
        return better[0].first if better else legal[0]
    if better and better[0].worth > now.worth:
        return better[0].first
    _, festival = bidding.proposal(
        state, seat, bidding.rivals_reach(state, view, chance), CARD_PRICE
    )
    return festival or a.EndTurn(seat)
