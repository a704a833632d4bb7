"""What may follow what in a People turn, whatever lies on the map (N-R1, N-R2, N-D6, N-D8, N-D9)."""

from __future__ import annotations

from typing import Any

from engine.core.refusal import Refusal
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.progress import FRESH, Progress, progress
from engine.tahuantinsuyu.refusals import refusal
from engine.tahuantinsuyu.rules import building, roads
from engine.tahuantinsuyu.state import State
from engine.tahuantinsuyu.text.names import ACTIONS, PILGRIMAGES


def check(state: State, action: Any, now: Progress) -> None:
    """Refuses an order for which there is no room left in this turn."""
    seat = action.seat
    match action:
        case a.BuildRoad(bought=bought, wild=wild):
            if bought:
                building.check_order(state, seat, now, "buy")
            else:
                roads.check_allowance(state, seat, now)
            if wild:
                roads.check_wild(state, seat, now)
        case a.Build(_, what):
            building.check_order(state, seat, now, what)
            if what == "temple":
                building.check_eclipse(state, seat, now)
        case a.BuildTerrace():
            building.check_order(state, seat, now, "terrace")
        case a.Conquer():
            building.check_order(state, seat, now, "conquer")
        case a.GoOnPilgrimage():
            check_pilgrim(state, action, now)


def allows(state: State, action: Any) -> bool:
    try:
        check(state, action, progress(state.turn.done))
    except Refusal:
        return False
    return True


# Pilgrimages


def check_pilgrim(state: State, action: a.GoOnPilgrimage, now: Progress) -> None:
    card = PILGRIMAGES[action.kind]
    if not state.cards(action.seat)[f"{action.kind}_pilgrimage"]:
        raise refusal("D9", "{card} does not lie beside your colour.", card=card)
    if now.given_up:
        raise refusal("D9", "You have made 1 pilgrimage in this phase; that is the most.")
    if may_give_up(state, action.seat, now, action.instead):
        return
    if action.instead == "roads" and now.roads == FRESH:
        raise refusal("D2", "Solar Eclipse: after a temple the road action cannot be given up.")
    raise refusal(
        "D9", "You have begun {action}; it cannot be given up.", action=ACTIONS[action.instead]
    )


def may_give_up(state: State, seat: int, now: Progress, instead: str) -> bool:
    """Whether an action has not begun, so that a pilgrimage may take its place."""
    if instead == "roads":
        return now.roads == FRESH and not roads.eclipsed(state, seat, now)
    return now.development == FRESH


def shrines(state: State, seat: int, kind: str) -> int:
    """The temples that a pilgrimage could lead to."""
    return state.board.shrines[kind] & state.temples & state.joined(seat)
