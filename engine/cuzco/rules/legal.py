"""All that may be done: every action that the rules accept, generated and never searched for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain, groupby
from typing import Any

from engine.cuzco import actions as a
from engine.cuzco.edition import INCAS
from engine.cuzco.printed_board import Placement
from engine.cuzco.rules import duty, festivals, incas, temples, tiles
from engine.cuzco.rules.decide import MOST_DRAWN, to_act
from engine.cuzco.state import State
from engine.kit.masks import union


def legal(state: State, seat: int) -> Iterator[Any]:
    """Every action that `decide` would accept from `seat`, and nothing else."""
    if seat not in to_act(state):
        return iter(())
    if state.festival is not None:
        return festivals.answers(state, seat)
    return chain.from_iterable(actions for _, actions in batches(state, seat, priced=False))


def priced(state: State, seat: int) -> Iterator[tuple[Any, int]]:
    """Every legal action with the AP that it costs."""
    if state.festival is not None or seat not in to_act(state):
        return ((action, 0) for action in legal(state, seat))
    found = batches(state, seat, priced=True)
    return ((action, cost) for cost, actions in found for action in actions)


def batches(state: State, seat: int, *, priced: bool) -> Iterator[Batch]:
    """The actions of a turn, family by family; apart by cost only where it is asked for."""
    ways = list(tiles.placements(state, state.turn.ap))
    if priced:
        for cost, group in groupby(ways, key=partial(tiles.cost, state.board)):
            yield cost, [way.actions[seat] for way in group]
    else:
        yield 1, [way.actions[seat] for way in ways]
    if duty.owed(state) and ways:
        yield from before_the_tile(state, seat, ways)
        return
    yield from others(state, seat, state.turn.ap, priced=priced)
    yield 0, festivals.proposals(state, seat)
    yield 0, (a.EndTurn(seat),)


def before_the_tile(state: State, seat: int, ways: list[Placement]) -> Iterator[Batch]:
    """The actions besides tiles that leave room for the due tile."""
    if duty.begins_with_it(state):
        yield 0, token(state, seat)
        return
    ap = 0 if state.edition.tile_first else state.turn.ap - 1  # the tile costs 1 at least
    always = duty.room(state, ways, ap)
    room = [always or duty.room(state, ways, cost) for cost in range(ap + 1)]
    for cost, actions in others(state, seat, ap, priced=True):
        roomy = room[cost]
        yield (
            cost,
            [
                action
                for action in actions
                if (roomy and not isinstance(action, a.BuildTemple))
                or duty.allows(state, ways, duty.effect(state, action, cost))
            ],
        )


Batch = tuple[int, Iterable[Any]]  # actions of one cost


def others(state: State, seat: int, ap: int, *, priced: bool) -> Iterator[Batch]:
    """All actions of a turn that `ap` allow, besides tiles, festivals and its end."""
    yield from coming_and_going(state, seat, ap)
    yield from moving(state, seat, ap, priced=priced)
    if ap:
        yield 1, temples.orders(state, seat)
        yield 1, basins(state, seat)
        yield 1, drawing(state, seat)
    yield 0, token(state, seat)


def token(state: State, seat: int) -> Iterator[a.UseToken]:
    if state.stocks[seat].tokens and not state.turn.token:
        yield a.UseToken(seat)


def coming_and_going(state: State, seat: int, ap: int) -> Iterator[Batch]:
    layout = state.edition.layout
    free = incas.standing_room(state) if state.incas[seat].bit_count() < INCAS else 0
    for cost, gates in layout.doors.items():
        if cost <= ap:
            yield cost, layout.pick(a.EnterInca, seat, free & gates)
            yield cost, layout.pick(a.LeaveInca, seat, state.incas[seat] & gates)


def moving(state: State, seat: int, ap: int, *, priced: bool) -> Iterator[Batch]:
    """Every move; `priced` apart by cost, which only a due tile asks for, otherwise all at once."""
    layout, own = state.edition.layout, state.incas[seat]
    for origin, areas in incas.walks(state, seat, ap):
        for cost, area in enumerate(areas if priced else [union(areas)]):
            yield cost, layout.pick_moves(seat, origin, area & ~own)


def basins(state: State, seat: int) -> Iterable[Any]:
    free = state.board.basin_room if state.supply.basins else 0
    return state.edition.layout.pick(a.LayBasin, seat, free)


def drawing(state: State, seat: int) -> Iterator[Any]:
    if state.turn.drawn < MOST_DRAWN and (state.pile or state.discard):
        yield a.DrawPile(seat)
        if state.open is not None:
            yield a.DrawOpen(seat)
