"""A bot that plans whole turns: the chain of orders, festival included, that leaves it best off."""

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
from engine.cuzco.hexes import SIZE
from engine.cuzco.view import View

TASTE = Taste(
    early=0.35,
    late=0.7,
    growth=0.2,
    threat=0.4,
    water=1.0,
    inca=1.2,
    level=0.1,
    card=1.0,
    token=0.6,
    tile=0.9,
    rival=3.0,
    turn=7.0,
    last=1.8,
)
CARE = Care(width=2, tiles=8, ideas=800, length=14, most=800)
CARD_PRICE = 0.4
WHIM = 1.6  # how much a place may be liked for no reason
STEPS = 257  # a prime number, so that every place has another liking than its neighbours


def whims(chance: Chance) -> list[float]:
    """A liking for each place, so that no two matches begin alike; two draws are cheaper than one for each place."""
    first, step = chance.pick(range(STEPS)), chance.pick(range(1, STEPS))
    return [WHIM * ((first + step * place) % STEPS) / STEPS for place in range(SIZE)]


def keen(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """The first order of the best plan for the rest of the turn."""
    if len(legal) == 1:
        return legal[0]
    return thought_out(game, view, legal, chance)[0]


def thought_out(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> tuple[Any, ...]:
    """The orders of the best plan for the rest of the turn, or the answer in a festival."""
    seat = legal[0].seat
    state = imagine(game, view, chance)
    reach = bidding.rivals_reach(state, view, chance)
    if state.festival is not None:
        return (bidding.answer(state, seat, reach, CARD_PRICE),)
    best, value, ending = None, float("-inf"), None
    judge = Judge(seat, TASTE, whims(chance))
    plans = Planner(game, judge, chance).plans(state, CARE)
    for plan in plans:
        if may_end(plan.state):
            gain, festival = bidding.proposal(plan.state, seat, reach, CARD_PRICE)
            if plan.worth + gain > value:
                best, value, ending = plan, plan.worth + gain, festival
    if best is None:
        return plans[-1].orders or (legal[0],)
    return (*best.orders, ending or a.EndTurn(seat))
