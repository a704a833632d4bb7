"""`master`: plays the most hopeful of its turns on in thought, through the answers of all others to its own next turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.inka.bots.keen import blockade, idle_step, keen, plans
from engine.inka.bots.thinking import WON, Plan, table
from engine.inka.evolve import evolve
from engine.inka.rules.decide import decide
from engine.inka.state import State
from engine.inka.view import View

TURNS = 24  # whole turns that it thinks through for an order: a few seconds in all
SAME_LOZENGES = 2  # so many of its plans may differ in the pawn's way alone


def master(game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """The turn after which its own next one promises most, whatever the others answer."""
    if view.phase != "turn":
        return keen(game, view, legal, chance)
    state, seat = table(view), view.turn.seat
    thought = hopeful(plans(state, seat), TURNS // state.seats)
    loss, plan = thought[0]
    if loss > -WON / 2 and len(thought) > 1:
        plan = min(thought, key=lambda end: (outcome(state, seat, end[1]), end[0]))[1]
    return plan[0] if plan else idle_step(state, seat, chance)


def hopeful(known: Sequence[tuple[float, Plan]], most: int) -> list[tuple[float, Plan]]:
    """The best plans, few of them with the same moves of lozenges."""
    found, seen = list[tuple[float, Plan]](), list[Plan]()
    for loss, plan in known:
        moves = tuple(action for action in plan if hasattr(action, "lozenge"))
        if seen.count(moves) < SAME_LOZENGES:
            seen.append(moves)
            found.append((loss, plan))
    return found[:most]


def outcome(state: State, seat: int, plan: Plan) -> float:
    """What the seat's next turn promises, once it has played a plan and all others have answered."""
    dice = Chance("", "thought", 0)  # nothing is drawn in a turn; equals are taken as they come
    state = finished(state, seat, plan, dice)
    while not state.over and state.turn.seat != seat:
        other = state.turn.seat
        state = finished(state, other, plans(state, other)[0][1], dice)
    if state.over:
        return -WON if seat in state.escaped else WON
    return plans(state, seat)[0][0]


def finished(state: State, seat: int, plan: Plan, dice: Chance) -> State:
    """The position after a plan and the blockade that follows it."""
    for action in plan:
        state = after(state, action, dice)
    return state if state.over else after(state, blockade(state, seat, dice), dice)


def after(state: State, action: Any, dice: Chance) -> State:
    for event in decide(state, action, dice):
        state = evolve(state, event)
    return state
