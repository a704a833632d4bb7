"""The duty to lay a tile (C-A2 to C-A4, J-A2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from engine.core.refusal import IllegalMove
from engine.cuzco import actions as a
from engine.cuzco.board import Board, Temple
from engine.cuzco.hexes import bit, spread
from engine.cuzco.printed_board import Placement
from engine.cuzco.rules import tiles
from engine.cuzco.state import State


@dataclass(frozen=True, slots=True)
class Effect:
    """What an order other than a tile does to the chance of laying one: AP spent, hexes closed and freed.

    `board` is the board after it where the order makes a city; a village laid on `beside` would belong to that.
    """

    cost: int
    taken: int = 0
    freed: int = 0
    beside: int = 0
    board: Board | None = None


def effect(state: State, action: Any, cost: int) -> Effect:
    """What an action does to the chance of laying a tile after it."""
    hexes = state.edition.layout.index
    match action:
        case a.EnterInca(_, at) | a.LayBasin(_, at):
            return Effect(cost, taken=bit(hexes[at]))
        case a.LeaveInca(_, at):
            return Effect(cost, freed=bit(hexes[at]))
        case a.MoveInca(_, origin, to):
            return Effect(cost, taken=bit(hexes[to]), freed=bit(hexes[origin]))
        case a.BuildTemple(_, at, value):
            city = state.board.village_of(hexes[at])
            board = state.board.with_temple(hexes[at], Temple(value))
            return Effect(cost, taken=bit(hexes[at]), beside=city | spread(city), board=board)
    return Effect(cost)


def owed(state: State) -> bool:
    """Whether this turn still asks for a tile, if one can be laid at all (C-A3)."""
    return not state.turn.laid and state.opened_by is None


def due(state: State) -> bool:
    """A tile is owed, and one could be laid now."""
    return owed(state) and possible(tiles.placements(state, state.turn.ap))


def possible(ways: Iterator[Placement]) -> bool:
    return next(ways, None) is not None


def allows(state: State, ways: Iterable[Placement], effect: Effect) -> bool:
    """Whether the order may come before the due tile, which could now be laid in these `ways`."""
    ap = state.turn.ap - effect.cost
    if ap < 1 or forestalls(state, effect):
        return False
    board = state.board
    if any(
        not way.mask & effect.taken
        and not way.village & effect.beside
        and tiles.cost(board, way) <= ap
        for way in ways
    ):
        return True
    closed = (state.closed & ~effect.freed) | effect.taken
    return possible(tiles.placements(state, ap, closed, effect.board))


def forestalls(state: State, effect: Effect) -> bool:
    """Whether the order comes too early, for a turn begins with the tile (C-A2)."""
    return begins_with_it(state) or (state.edition.tile_first and effect.cost > 0)


def begins_with_it(state: State) -> bool:
    """Whether nothing but a token may come before the due tile; the first rules let free moves come too."""
    return state.edition.tile_first and not state.edition.free_before


def room(state: State, ways: Sequence[Placement], cost: int) -> bool:
    """Whether two tiles could be laid apart after paying `cost`: then no one piece can forestall both.

    A shortcut for many orders at once; a new temple may forestall more than its hex (C-P6).
    """
    ap = state.turn.ap - cost
    payable = (way for way in ways if tiles.cost(state.board, way) <= ap)
    first = next(payable, None)
    return first is not None and any(not way.mask & first.mask for way in payable)


def check(state: State, action: Any, cost: int) -> None:
    """Refuses an order that may not come before the due tile."""
    if not owed(state):
        return
    ways, brings = tiles.placements(state, state.turn.ap), effect(state, action, cost)
    if not allows(state, ways, brings) and due(state):
        raise refusal(state, brings)


def refusal(state: State, effect: Effect) -> IllegalMove:
    if begins_with_it(state):
        return state.edition.refusal(
            "A2", "A turn begins with a tile: lay one first; only a token may be used before it."
        )
    if state.edition.tile_first and effect.cost:
        return state.edition.refusal(
            "A2",
            "The first action that costs AP must be laying a tile; this one costs {cost}.",
            cost=effect.cost,
        )
    return state.edition.refusal(
        "A3",
        "A tile is due, and after this none could be laid with the {ap} AP then left.",
        ap=state.turn.ap - effect.cost,
    )


def check_done(state: State) -> None:
    """The turn may not end while a tile is due (C-A4)."""
    if due(state):
        raise state.edition.refusal(
            "A4",
            "You have laid 0 tiles this turn; at least 1 is due before the turn can end.",
        )
