"""Planning a turn: chains of orders, the best few of each length, until nothing more can be done."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.cuzco import actions as a
from engine.cuzco.bots.ideas import ideas
from engine.cuzco.bots.worth import Judge
from engine.cuzco.rules import duty
from engine.cuzco.state import State

FREE_GAIN = 0.01  # what an order without cost must bring at least, so that nothing goes to and fro


@dataclass(frozen=True, slots=True)
class Plan:
    """A beginning of a turn: its orders, the state they lead to and what that is worth."""

    orders: tuple[Any, ...]
    state: State
    worth: float

    @property
    def first(self) -> Any:
        return self.orders[0] if self.orders else None


@dataclass(frozen=True, slots=True)
class Care:
    """How widely a bot looks: the plans kept of each length, the tiles and all ideas weighed for each, and a bound
    on the states that it weighs in all, which keeps the time bounded without a clock."""

    width: int
    tiles: int
    ideas: int
    length: int
    most: int


class Planner:
    """Plans the rest of one turn of one seat."""

    def __init__(self, game: Game, judge: Judge, chance: Chance) -> None:
        self.game, self.judge, self.chance = game, judge, chance
        self.weighed = 0

    def plans(self, state: State, care: Care) -> list[Plan]:
        """Plans of all lengths, the empty one first."""
        root = Plan((), state, self.weigh(state))
        found, front, seen = [root], [root], {key(state)}
        for _ in range(care.length):
            front = self.longer(front, care, seen)
            found += front
            if not front or self.weighed > care.most:
                break
        return found

    def longer(self, front: list[Plan], care: Care, seen: set[Any]) -> list[Plan]:
        """The best plans that are one order longer."""
        grown = []
        for plan in front:
            for action in islice(ideas(plan.state, self.judge, care.tiles), care.ideas):
                after = self.after(plan.state, action)
                if (mark := key(after)) in seen:
                    continue
                seen.add(mark)
                value = self.weigh(after)
                if is_free(action, plan.state, after) and value < plan.worth + FREE_GAIN:
                    continue
                grown.append(Plan((*plan.orders, action), after, value))
        grown.sort(key=lambda plan: -plan.worth)
        return grown[: care.width]

    def after(self, state: State, action: Any) -> State:
        """The state after an order; what it draws is imagined."""
        after: State = advance(self.game, state, self.game.decide(state, action, self.chance))
        return after

    def weigh(self, state: State) -> float:
        self.weighed += 1
        return self.judge.worth(state)


def is_free(action: Any, before: State, after: State) -> bool:
    """Whether an order is a move that costs nothing."""
    return isinstance(action, a.MoveInca) and before.turn.ap == after.turn.ap


def key(state: State) -> Any:
    """What tells states apart; which card was drawn does not, for that is only imagined."""
    board, turn = state.board, state.turn
    return (
        board.villages,
        board.planes,
        board.basins,
        tuple(board.temples.items()),
        state.incas,
        state.stocks,
        turn.ap,
        turn.drawn,
    )


def may_end(state: State) -> bool:
    """Whether the turn may end here."""
    return state.turn.laid or not duty.due(state)
