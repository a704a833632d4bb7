"""A bot that searches: many plans for the turn, and what the next player would make of the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.cuzco import actions as a
from engine.cuzco.bots import bidding
from engine.cuzco.bots.imagine import imagine
from engine.cuzco.bots.keen import CARD_PRICE, TASTE, whims
from engine.cuzco.bots.plan import Care, Planner, may_end
from engine.cuzco.bots.worth import Judge
from engine.cuzco.state import State
from engine.cuzco.view import View

# What it may weigh is counted in states, not in seconds: 5000 of them take less than a second.
CARE = Care(width=6, tiles=16, ideas=800, length=14, most=4000)
REPLY = Care(width=1, tiles=6, ideas=60, length=9, most=150)
FINALISTS = 6


@dataclass(frozen=True, slots=True)
class Turn:
    """A whole turn: its orders with the last one, where it leads and what that seems worth."""

    orders: tuple[Any, ...]
    state: State
    worth: float


def master(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """The first order of the turn that is best when the next player has answered it."""
    if len(legal) == 1:
        return legal[0]
    return thought_out(game, view, legal, chance)[0]


def thought_out(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> tuple[Any, ...]:
    """The orders of the best turn, or the answer in a festival."""
    seat, state = legal[0].seat, imagine(game, view, chance)
    reach = bidding.rivals_reach(state, view, chance)
    if state.festival is not None:
        return (bidding.answer(state, seat, reach, CARD_PRICE),)
    planner = Planner(game, Judge(seat, TASTE, whims(chance)), chance)
    plans = planner.plans(state, CARE)
    turns = []
    for plan in plans:
        if may_end(plan.state):
            gain, festival = bidding.proposal(plan.state, seat, reach, CARD_PRICE)
            last = festival or a.EndTurn(seat)
            turns.append(Turn((*plan.orders, last), plan.state, plan.worth + gain))
    if not turns:
        return plans[-1].orders or (legal[0],)
    best = nlargest(FINALISTS, turns, key=lambda turn: turn.worth)
    if len(best) == 1:
        return best[0].orders
    return max(best, key=lambda turn: turn.worth + answered(game, turn, seat, chance)).orders


def answered(game: Game, turn: Turn, seat: int, chance: Chance) -> float:
    """By how much the reply of the next player changes what a turn is worth."""
    ended: State = advance(game, turn.state, game.decide(turn.state, a.EndTurn(seat), chance))
    if ended.over:
        return 0.0
    judge = Judge(seat, TASTE)
    return judge.worth(replied(game, ended, chance)) - judge.worth(ended)


def replied(game: Game, state: State, chance: Chance) -> State:
    """The table after the turn that the next player would probably make."""
    planner = Planner(game, Judge(state.turn.seat, TASTE), chance)
    plans = [plan for plan in planner.plans(state, REPLY) if may_end(plan.state)]
    return max(plans, key=lambda plan: plan.worth).state if plans else state
