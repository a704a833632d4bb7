"""How each event changes the position. Nothing here refuses and nothing knows a rule."""

from __future__ import annotations

from typing import Any

from engine.core.game import amend
from engine.inka import events as e
from engine.inka.board import Ground
from engine.inka.position.complete_form import build
from engine.inka.printed_board import INDEX, PLACES
from engine.inka.state import Lifted, State, Turn, fresh
from engine.kit.rows import put


def evolve(state: State, event: Any) -> State:
    """The state after one event. Checks nothing: events are facts."""
    match event:
        case e.LozengeMoved():
            return moved(state, event)
        case e.PawnWalked(seat, _, to, cost) | e.PassageUsed(seat, _, to, cost):
            pawns = put(state.pawns, seat, INDEX[to])
            return amend(state, pawns=pawns, turn=pawn_acted(state, cost))
        case e.StatueTaken(seat, lozenge, cost):
            mine = tuple(sorted((*state.taken[seat], lozenge)))
            taken = put(state.taken, seat, mine)
            return amend(state, taken=taken, turn=pawn_acted(state, cost))
        case e.BlockadeSet(seat, at):
            return amend(state, blockades=put(state.blockades, seat, INDEX[at]))
        case e.TurnEnded(_, _, ended):
            return amend(state, turn=amend(state.turn, ended=ended))
        case e.TurnBegan(seat, ap):
            turn = Turn(seat=seat, ap=ap, ended=state.turn.ended)
            return amend(state, phase="turn", turn=turn)
        case e.BlockadeLifted(seat, at, lozenge):
            turn = amend(state.turn, lifted=lifted(state, at, lozenge))
            return amend(state, blockades=put(state.blockades, seat, None), turn=turn)
        case e.MatchEnded():
            return state
    return evolve_setup(state, event)


def evolve_setup(state: State, event: Any) -> State:
    """The events before the first turn."""
    match event:
        case e.SetUp(seats, options):
            return fresh(seats, options)
        case e.PositionSet(position):
            return build(position)
        case e.StartAsked(seat):
            return amend(state, turn=amend(state.turn, seat=seat))
        case e.StartChosen(seat, at):
            return amend(state, pawns=put(state.pawns, seat, INDEX[at]))
        case e.LozengeDrawn(seat, lozenge):
            undrawn = tuple(other for other in state.undrawn if other != lozenge)
            turn = amend(state.turn, seat=seat)
            return amend(state, phase="lay", drawn=lozenge, undrawn=undrawn, turn=turn)
        case e.LozengeLaid(_, lozenge, at):
            return amend(state, ground=lying(state, lozenge, at), drawn=None)
    raise TypeError(f"not an event of Inka: {event!r}")


def moved(state: State, event: e.LozengeMoved) -> State:
    pawns = state.pawns
    for pawn in event.carried:
        pawns = put(pawns, pawn.seat, INDEX[pawn.to])
    turn = pawn_acted(state, event.cost) if event.symbol else spent(state, event.cost)
    return amend(state, ground=lying(state, event.lozenge, event.to), pawns=pawns, turn=turn)


def lying(state: State, lozenge: str, at: tuple[str, str]) -> Ground:
    """The hall with a lozenge laid or moved there."""
    h0, h1 = at
    lying = {**state.ground.lying, lozenge: PLACES[INDEX[h0], INDEX[h1]]}
    return Ground(lying, state.board)


def lifted(state: State, at: str, lozenge: str | None) -> Lifted | None:
    """What a table with the option `fresh_blockade` has to remember."""
    return Lifted(INDEX[at], lozenge) if state.options["fresh_blockade"] else None


def spent(state: State, cost: int) -> Turn:
    return amend(state.turn, ap=state.turn.ap - cost)


def pawn_acted(state: State, cost: int) -> Turn:
    return amend(state.turn, ap=state.turn.ap - cost, pawn=True)
