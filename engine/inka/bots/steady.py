"""`steady`: the one step that helps most, now and here; it stops a rival who is about to win, if one step can."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.core.chance import Chance
from engine.core.game import Game
from engine.inka.bots.reckoning import Standing, hall, standings
from engine.inka.bots.thinking import (
    LITTLE,
    Move,
    aside,
    bridging,
    errands,
    lay,
    loss_after,
    moved,
    path_moves,
    position_loss,
    race,
    spread,
    supporting,
    table,
    way_of,
    whim,
)
from engine.inka.state import State
from engine.inka.view import View

LOOKED = 24  # how many places for lozenges it weighs besides those that bridge something
HINDER = 0.25  # what half a point of the nearest rival is worth
SCOUTED = 8  # how many of them it tries to follow by a second


def loss_of(far: Sequence[Standing], seat: int) -> float:
    """How far it is from winning; a little it minds how far the others are."""
    return race(far, seat, HINDER)


def steady(_game: Game, view: View, legal: Sequence[Any], chance: Chance) -> Any:
    """The order that shortens its own way most."""
    state, seat = table(view), view.turn.seat
    if view.phase == "start":
        return chance.pick(legal)
    if view.phase == "lay":
        return lay(state, seat, legal, chance)
    map_ = hall(state)
    far = standings(map_, state.pawns, state.taken)
    loss, errand = min(errands(state, seat, map_), key=lambda end: end[0])
    bar = loss + loss_of(far, seat) - far[seat].far
    gains = loss < far[seat].far - LITTLE
    move = lozenge_move(state, seat, bar, chance)
    if move is None and errand and (gains or not state.turn.pawn):
        return errand[0]
    return move or aside(state, seat, chance)


def lozenge_move(state: State, seat: int, bar: float, chance: Chance) -> Any:
    """A move that brings it nearer than the pawn can come by itself, or is the first of two that do.

    Where even that is missing and the pawn would gain nothing, some lozenge is stirred.
    """
    moves, map_ = path_moves(state), hall(state)
    if not moves:
        return None
    gaps = way_of(state, seat, map_) & map_.chasm
    rival = way_of(state, (seat + 1) % state.seats, map_)
    pillars = spread(supporting(state, moves, rival), LOOKED)
    looked = {*bridging(moves, gaps), *pillars, *spread(moves, LOOKED)}
    losses = {move: loss_after(state, move, seat, loss_of) for move in sorted(looked)}
    least = min(losses.values())
    if least < bar - LITTLE:
        bar = min(bar - LITTLE, least + whim(state))
        return chance.pick([m for m, loss in losses.items() if loss <= bar]).action(seat)
    now = position_loss(state, seat, loss_of)
    idle = [move for move, loss in losses.items() if loss < now + LITTLE]
    if bar < now - LITTLE or not idle:
        return None
    chosen = first_of_two(state, seat, idle, gaps, now) or chance.pick(idle)
    return chosen.action(seat)


def first_of_two(state: State, seat: int, moves: list[Move], gaps: int, now: float) -> Move | None:
    """The first of two moves of lozenges that together shorten the way, if some of those tried do."""
    if state.turn.ap < 2:
        return None
    for first in spread(moves, SCOUTED):
        begun = moved(state, first)
        for second in bridging(path_moves(begun), gaps):
            if loss_after(begun, second, seat, loss_of) < now - LITTLE:
                return first
    return None
