"""All that may be done: every action that the rules accept, generated and never searched for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain
from typing import Any

from engine.kit.masks import bits
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.printed_board import PILGRIMAGES, Board
from engine.tahuantinsuyu.progress import FRESH, OVER, RUNNING, Progress, progress
from engine.tahuantinsuyu.rules import building, roads
from engine.tahuantinsuyu.rules.decide import to_act
from engine.tahuantinsuyu.rules.turns import may_give_up, shrines
from engine.tahuantinsuyu.state import State

Batch = tuple[int, Iterable[Any]]  # actions of one cost


def legal(state: State, seat: int) -> Iterator[Any]:
    """Every action that `decide` would accept from `seat`, and nothing else."""
    return chain.from_iterable(actions for _, actions in batches(state, seat))


def priced(state: State, seat: int) -> Iterator[tuple[Any, int]]:
    """Every legal action with the labour that it costs."""
    return ((action, cost) for cost, actions in batches(state, seat) for action in actions)


def batches(state: State, seat: int) -> Iterator[Batch]:
    if seat not in to_act(state):
        return
    if state.phase == "sun":
        yield 0, laying(state, seat)
        return
    now = progress(state.turn.done)
    yield from road_action(state, seat, now)
    if now.development != OVER:
        yield from development(state, seat, now)
    yield 0, pilgrimages(state, seat, now)
    yield 0, (a.EndTurn(seat),)


def laying(state: State, seat: int) -> Iterator[a.LayCard]:
    free = [s for s, laid in zip(state.board.sectors, state.laid, strict=True) if not laid]
    for card in dict.fromkeys(state.hands[seat]):
        for sector in free:
            yield a.LayCard(seat, sector, card)


# Roads


def road_action(state: State, seat: int, now: Progress) -> Iterator[Batch]:
    if now.roads == OVER or roads.eclipsed(state, seat, now):
        return
    if now.laid < roads.allowance(state, seat):
        yield 0, road_orders(state, seat, now, bought=False)


def road_orders(state: State, seat: int, now: Progress, *, bought: bool) -> tuple[a.BuildRoad, ...]:
    plain = picked(state.board, seat, roads.plain(state, seat), False, bought)
    if roads.wild_left(state, seat, now) <= 0:
        return plain
    return plain + picked(state.board, seat, roads.wild(state, seat), True, bought)


@lru_cache(maxsize=4096)
def picked(
    board: Board, seat: int, edges: int, wild: bool, bought: bool
) -> tuple[a.BuildRoad, ...]:
    orders = every_road(board, seat, wild, bought)
    return tuple([orders[number] for number in bits(edges)])


@cache
def every_road(board: Board, seat: int, wild: bool, bought: bool) -> tuple[a.BuildRoad, ...]:
    """The order for each edge, made once."""
    return tuple(a.BuildRoad(seat, edge.pair, wild, bought) for edge in board.edges)


# Development


def development(state: State, seat: int, now: Progress) -> Iterator[Batch]:
    """What the development action may begin with, or how it may go on."""
    labour = state.labour[seat]
    begins = now.development == FRESH
    for what in building.SITES:
        if begins or building.follows(state, seat, now, what):
            cost = building.labour(state, seat, what)
            if cost <= labour and not (what == "temple" and building.blotted(state, seat, now)):
                yield cost, sites(state, seat, what)
    if begins or building.follows(state, seat, now, "terrace"):
        cost = state.board.prices["terrace"].labour
        if cost <= labour:
            found = building.terraces(state, seat)
            yield cost, (a.BuildTerrace(seat, n) for n in state.board.named_regions(found))
    if begins or building.follows(state, seat, now, "buy"):
        cost = state.board.prices["extraRoad"].labour if begins else 0
        if cost <= labour:
            yield cost, road_orders(state, seat, now, bought=True)
    if begins or building.follows(state, seat, now, "conquer"):
        yield from conquests(state, seat, extra=now.development == RUNNING)


def sites(state: State, seat: int, what: str) -> Iterator[a.Build]:
    found = building.SITES[what](state, seat)
    return (a.Build(seat, what, state.board.sites[n].id) for n in bits(found))


def conquests(state: State, seat: int, *, extra: bool) -> Iterator[Batch]:
    orders = every_conquest(state.board, seat)
    for number in bits(building.conquests(state, seat)):
        cost = building.conquest_cost(state, seat, number, extra)
        if cost <= state.labour[seat]:
            yield cost, (orders[number],)


@cache
def every_conquest(board: Board, seat: int) -> tuple[a.Conquer, ...]:
    return tuple(a.Conquer(seat, region.id) for region in board.regions)


def pilgrimages(state: State, seat: int, now: Progress) -> Iterator[a.GoOnPilgrimage]:
    if now.given_up:
        return
    cards = state.cards(seat)
    for kind in PILGRIMAGES:
        if cards[f"{kind}_pilgrimage"] and shrines(state, seat, kind):
            for instead in ("roads", "development"):
                if may_give_up(state, seat, now, instead):
                    yield a.GoOnPilgrimage(seat, kind, instead)
