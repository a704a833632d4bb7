"""The orders that a position says were given in its People turn: whether they can have been (N-R1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine.core.refusal import Refusal
from engine.core.sentence import brief
from engine.kit.forms import impossible
from engine.kit.masks import union
from engine.tahuantinsuyu import actions as a
from engine.tahuantinsuyu.rules import turns
from engine.tahuantinsuyu.state import State, Turn, border_sites, touched
from engine.tahuantinsuyu.text import orders


def check_done(state: State) -> None:
    """Each order of the turn could follow those before it and has left its trace on the table."""
    seat, done = state.turn.seat, state.turn.done
    for number, order in enumerate(done):
        before = replace(state, turn=Turn(seat, done[:number]))
        if (
            order in done[:number]
            or not left_trace(before, order)
            or not turns.allows(before, order)
        ):
            raise impossible(
                "The order {order} cannot have been given in this turn.",
                order=brief(orders.write(order)),
            )


def parsed(seat: int | None, order: Any) -> Any:
    """The action of an order in its canonical form."""
    try:
        action = orders.parse(seat or 0, order if isinstance(order, str) else "")
    except Refusal as refusal:
        raise impossible("{order} is no order of a People turn.", order=brief(order)) from refusal
    if orders.write(action) != order or isinstance(action, a.LayCard | a.EndTurn):
        raise impossible("{order} is no order of a People turn.", order=brief(order))
    return action


def left_trace(state: State, action: Any) -> bool:
    """Whether what an order did can be seen on the table, where it could be done."""
    layout, seat = state.board, action.seat
    match action:
        case a.BuildRoad(_, pair, wild):
            number, found = layout.edge_index.get(pair), roads_of_turn(state, seat, wild)
        case a.Build(_, what, at):
            number, found = layout.site_index.get(at), TRACES[what](state, seat)
        case a.BuildTerrace(_, region):
            number, found = layout.region_index.get(region), state.owned[seat] & state.terraces
        case a.Conquer(_, region):
            reach = touched(layout, state.joined(seat))
            number, found = layout.region_index.get(region), state.owned[seat] & reach
        case _:
            return bool(turns.shrines(state, seat, action.kind))
    return number is not None and bool(found >> number & 1)


def roads_of_turn(state: State, seat: int, wild: bool) -> int:
    """The seat's roads that can be of this turn: a plain one in a slot, a wild one not alone in a slot."""
    slots, own = state.board.slots, state.roads[seat]
    others = [roads for other, roads in enumerate(state.roads) if other != seat]
    return own & (~slots | union(others)) if wild else own & slots


def sites_of_turn(state: State, seat: int, built: int) -> int:
    """Of the sites built on those that can be of this turn: joined, at a conquered region.

    Nobody loses a road or a region during a turn, so what was joined and conquered then still is.
    """
    return built & state.joined(seat) & border_sites(state.board, state.conquered)


def temples_of_turn(state: State, seat: int) -> int:
    fervent = state.cards(seat)["religious_fervour"]
    return state.temples & state.joined(seat) & (state.cities | (state.garrisons if fervent else 0))


def upgrades_of_turn(state: State, seat: int) -> int:
    if not state.cards(seat)["strategic_point"]:
        return 0
    return state.cities & state.board.kinds["garrison"] & state.joined(seat)


TRACES: dict[str, Callable[[State, int], int]] = {
    "city": lambda state, seat: sites_of_turn(
        state, seat, state.cities & state.board.kinds["city"]
    ),
    "garrison": lambda state, seat: sites_of_turn(state, seat, state.garrisons),
    "temple": temples_of_turn,
    "upgrade": upgrades_of_turn,
}
