"""Planning a turn: chains of orders, the best few of each length, until nothing more can be done."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

from engine.core.chance import Chance
from engine.core.game import Game
from engine.core.match import advance
from engine.cuzco import actions as a
from engine.cuzco.bots.ideas import ideas
from engine.cuzco.bots.worth import Judge, Taste
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


class Child(NamedTuple):
    """What is remembered of a state that one order leads to; the state itself is made anew if it is wanted."""

    mark: Any
    worth: float
    free: bool  # whether the order was a move that costs nothing


@lru_cache(maxsize=256)  # a turn of `master` and the replies to it; some ten megabytes
def remembered(_seat: int, _taste: Taste, _state: Any) -> dict[Any, Child]:
    """What was thought of the orders in a state, by order.

    A bot is asked for one order at a time and plans the whole turn again: most of what it weighs then it has
    weighed before. What it remembers follows from what it is asked, so it answers as if it remembered nothing.
    """
    return {}


@dataclass(frozen=True, slots=True)
class Grown:
    """A plan that is one order longer; `after` where it was made."""

    plan: Plan
    action: Any
    worth: float
    after: State | None


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
        grown: list[Grown] = []
        for plan in front:
            children = remembered(self.judge.seat, self.judge.taste, exact(plan.state))
            for action in islice(ideas(plan.state, self.judge, care.tiles), care.ideas):
                child, after = children.get(action), None
                if child is None:
                    after = self.after(plan.state, action)
                    mark = key(after)
                    if mark in seen:
                        continue
                    child = Child(mark, self.weigh(after), is_free(action, plan.state, after))
                    if not isinstance(action, DRAWS):
                        children[action] = child
                elif child.mark in seen:
                    continue
                else:
                    self.weighed += 1
                seen.add(child.mark)
                if child.free and child.worth < plan.worth + FREE_GAIN:
                    continue
                grown.append(Grown(plan, action, child.worth, after))
        grown.sort(key=lambda one: -one.worth)
        return [self.made(one) for one in grown[: care.width]]

    def made(self, grown: Grown) -> Plan:
        """The longer plan with the state that it leads to."""
        plan, action = grown.plan, grown.action
        after = grown.after or self.after(plan.state, action)
        return Plan((*plan.orders, action), after, grown.worth)

    def after(self, state: State, action: Any) -> State:
        """The state after an order; what it draws is imagined."""
        after: State = advance(self.game, state, self.game.decide(state, action, self.chance))
        return after

    def weigh(self, state: State) -> float:
        self.weighed += 1
        return self.judge.worth(state)


DRAWS = (a.DrawOpen, a.DrawPile)  # they ask the dice, and what falls is another each time


def is_free(action: Any, before: State, after: State) -> bool:
    """Whether an order is a move that costs nothing."""
    return isinstance(action, a.MoveInca) and before.turn.ap == after.turn.ap


def key(state: State) -> Any:
    """What tells states apart; which card was drawn does not, for that is only imagined.

    Plain numbers: a hundred thousand of these are compared in a match.
    """
    board, turn, own = state.board, state.turn, state.stocks[state.turn.seat]
    return (
        board.villages,
        board.planes,
        board.basins,
        tuple([(at, temple.value) for at, temple in board.temples.items()]),
        state.incas,
        own.tokens,
        own.doubles,
        own.crops,
        own.villages,
        turn.ap,
        turn.drawn,
    )


def exact(state: State) -> Any:
    """All of a state that has a say in where an order other than a draw leads and what that is worth."""
    board = state.board
    return (
        state.edition,
        tuple(state.options.values()),
        board.tiles,
        board.basins,
        tuple((at, temple.value, temple.disc) for at, temple in board.temples.items()),
        state.incas,
        tuple(map(len, state.hands)),
        state.scores,
        state.stocks,
        state.supply,
        state.turn,
        state.opened_by,
        state.scored,
    )


def may_end(state: State) -> bool:
    """Whether the turn may end here."""
    return state.turn.laid or not duty.due(state)
