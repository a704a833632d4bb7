"""All that may be done: every action that the rules accept, generated and never searched for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, compress
from typing import Any

from engine.inka import actions as a
from engine.inka.printed_board import (
    ALL,
    COVER,
    DESTINATIONS,
    INDEX,
    NAMES,
    PAIR_NAMES,
    PLACES,
    bits,
    flags,
)
from engine.inka.rules.decide import pawn, to_act
from engine.inka.rules.lozenges import laying
from engine.inka.state import State, free_starts

Batch = tuple[int, Iterable[Any]]  # actions of one cost


def legal(state: State, seat: int) -> Iterator[Any]:
    """Every action that `decide` would accept from `seat`, and nothing else."""
    return chain.from_iterable(actions for _, actions in batches(state, seat))


def priced(state: State, seat: int) -> Iterator[tuple[Any, int]]:
    """Every legal action with the AP that it costs."""
    return ((action, cost) for cost, actions in batches(state, seat) for action in actions)


def batches(state: State, seat: int) -> Iterator[Batch]:
    if seat in to_act(state):
        yield from PHASES[state.phase](state, seat)


def starting(state: State, seat: int) -> Iterator[Batch]:
    yield 0, [a.ChooseStart(seat, NAMES[cell]) for cell in free_starts(state)]


def laid(state: State, seat: int) -> Iterator[Batch]:
    actions = lay_actions(seat)
    yield 0, [actions[place] for place in laying(state)]


def turn(state: State, seat: int) -> Iterator[Batch]:
    """The four phases of a turn, as far as they are open (K-T)."""
    ap = state.turn.ap
    if ap and not state.turn.pawn:
        yield 1, moves(state, seat, movable(state), symbol=False)
    yield from walks(state, seat, ap)
    if ap:
        yield 1, pawn_acts(state, seat)
    yield 0, pick(a.SetBlockade, seat, blockade_room(state))
    yield 0, (a.EndTurn(seat),)


PHASES: dict[str, Callable[[State, int], Iterator[Batch]]] = {
    "start": starting,
    "lay": laid,
    "turn": turn,
}


# Lozenges


def movable(state: State) -> list[str]:
    """The path lozenges without a blockade (K-T2)."""
    resting = {*DESTINATIONS, *state.fixed}
    return [id_ for id_ in state.ground.lying if id_ not in resting]


def moves(state: State, seat: int, ids: Iterable[str], *, symbol: bool) -> Iterator[Any]:
    for id_ in ids:
        for how in ("slide", "turn"):
            actions = move_actions(seat, how, id_, symbol)
            places = state.ground.destinations(how, id_, state.standing)
            yield from [actions[place] for place in places]


@cache
def move_actions(seat: int, how: str, id_: str, symbol: bool) -> list[a.MoveLozenge]:
    """The action that takes a lozenge to each place: made once, for there are thousands."""
    return [a.MoveLozenge(seat, how, id_, names, symbol) for names in PAIR_NAMES]


@cache
def lay_actions(seat: int) -> list[a.LayLozenge]:
    return [a.LayLozenge(seat, names) for names in PAIR_NAMES]


def touched(state: State, action: Any) -> list[str]:
    """The cells that a moving lozenge sweeps over (K-L1, K-L2); other actions sweep nothing."""
    if not isinstance(action, a.MoveLozenge):
        return []
    place = PLACES[INDEX[action.to[0]], INDEX[action.to[1]]]
    swept = state.ground.sweep(action.how, action.lozenge, place, state.standing)
    return [NAMES[cell] for cell in bits(swept & ~COVER[place])]


# The pawn


def walks(state: State, seat: int, ap: int) -> Iterator[Batch]:
    """Where the pawn can walk and stop, by cost (K-W2)."""
    room = ALL & ~state.standing
    for cost, area in enumerate(state.ground.reach(pawn(state, seat), ap)):
        yield cost, pick(a.Walk, seat, area & room)


def pawn_acts(state: State, seat: int) -> Iterator[Any]:
    """A statue, a passage or a lozenge symbol under the pawn (K-W3, K-W4)."""
    cell, ground, board = pawn(state, seat), state.ground, state.board
    lozenge = ground.halves.get(cell)
    if lozenge is not None:
        if lozenge in DESTINATIONS and lozenge not in state.taken[seat]:
            yield a.TakeStatue(seat)
    elif board.passages >> cell & 1:
        closed = ground.covered | state.standing
        yield from pick(a.UsePassage, seat, board.passages & ~closed)
    elif board.symbols >> cell & 1:
        yield from moves(state, seat, DESTINATIONS, symbol=True)


# The blockade


def blockade_room(state: State) -> int:
    """The cells on which the blockade may be set (K-B1)."""
    lying, closed = state.ground.lying, state.standing
    barred = {*DESTINATIONS, *state.fixed}
    lifted = state.turn.lifted
    if lifted:
        closed |= 1 << lifted.cell
        barred |= {lifted.lozenge} if lifted.lozenge else set()
    for id_ in barred:
        closed |= COVER[lying[id_]]
    return ALL & ~closed


def pick(kind: type, seat: int, cells: int) -> list[Any]:
    """The actions of one kind on these cells."""
    return list(compress(cell_actions(kind, seat), flags(cells)))


@cache
def cell_actions(kind: type, seat: int) -> list[Any]:
    return [kind(seat, name) for name in NAMES]
