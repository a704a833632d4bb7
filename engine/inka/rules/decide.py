"""The rules of Inka: what an action leads to, and why it may not be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from engine.core.chance import Chance
from engine.core.refusal import IllegalMove
from engine.core.sentence import say
from engine.inka import actions as a
from engine.inka import events as e
from engine.inka import scoring
from engine.inka.evolve import evolve
from engine.inka.printed_board import DESTINATIONS, INDEX, NAMES, PAIR_NAMES
from engine.inka.refusals import refusal
from engine.inka.rules.lozenges import (
    carried,
    check_lay,
    check_move,
    check_path,
    check_standing,
    check_symbol,
)
from engine.inka.state import AP, State, free_starts
from engine.kit.rows import folded


def setup(seats: int, options: Mapping[str, Any], _: Chance) -> list[Any]:
    """The hall lies ready and the first seat chooses its start (K-S1, K-S2)."""
    return [e.SetUp(seats, dict(options)), e.StartAsked(0)]


def owed(state: State, chance: Chance) -> list[Any]:
    """A position in the setup may leave the lozenge in hand to chance."""
    if state.phase == "lay" and state.drawn is None and not state.over:
        return [e.LozengeDrawn(state.turn.seat, chance.pick(state.undrawn))]
    return []


def to_act(state: State) -> tuple[int, ...]:
    return () if state.over else (state.turn.seat,)


def imagine(state: State, seat: int) -> State | None:
    """The hall as it lies, at the beginning of that seat's turn; the setup cannot be foreseen."""
    if state.phase != "turn":
        return None
    return folded(evolve, state, turn_start(state, seat))


def awaited(_: State) -> str:
    """A turn is asked for, also when it is one of the setup."""
    return "turn"


def commits(_state: State, action: Any) -> bool:
    """Whether the next lozenge may be drawn after the action."""
    return isinstance(action, a.ChooseStart | a.LayLozenge)


def scores(state: State) -> tuple[int, ...]:
    return tuple(map(len, state.taken))


def winners(state: State) -> tuple[int, ...]:
    return scoring.winners(state)


# What an action leads to


def decide(state: State, action: Any, chance: Chance) -> list[Any]:
    """The events that `action` causes, or a refusal."""
    phase = PHASES.get(type(action), "turn")
    if phase != state.phase:
        raise IllegalMove(*NOT_NOW[state.phase])
    events = DECIDE[type(action)](state, action, chance)
    after = folded(evolve, state, events)
    return [*events, scoring.ended(after)] if after.over else events


PHASES: dict[type, str] = {a.ChooseStart: "start", a.LayLozenge: "lay"}
NOT_NOW = {
    "start": ("K-S1", say("First everybody chooses a start cell: start and the cell.")),
    "lay": ("K-S3", say("First all path lozenges are laid: lay and the two cells.")),
    "turn": ("K-S3", say("The setup is over; nothing more is chosen or laid.")),
}


def choose_start(state: State, action: a.ChooseStart, chance: Chance) -> list[Any]:
    if INDEX[action.at] not in state.board.starts:
        raise refusal("S1", "{cell} is no start cell.", cell=action.at)
    if INDEX[action.at] not in free_starts(state):
        raise refusal("S1", "The start cell {cell} is not free.", cell=action.at)
    chosen = e.StartChosen(action.seat, action.at)
    after = folded(evolve, state, [chosen])
    waiting = [seat for seat in order_after(after, action.seat) if after.pawns[seat] is None]
    if waiting:
        return [chosen, e.StartAsked(waiting[0])]
    laid = sum(id_ not in DESTINATIONS for id_ in after.ground.lying)
    return [chosen, *next_lozenge(after, laid % after.seats, chance)]


def lay_lozenge(state: State, action: a.LayLozenge, chance: Chance) -> list[Any]:
    drawn = str(state.drawn)
    check_lay(state, drawn, action.to)
    laid = e.LozengeLaid(action.seat, drawn, action.to)
    return [
        laid,
        *next_lozenge(folded(evolve, state, [laid]), after_seat(state, action.seat), chance),
    ]


def next_lozenge(state: State, seat: int, chance: Chance) -> list[Any]:
    """The next seat is given a lozenge, or once all lie, the first turn begins (K-S3, K-S5)."""
    if state.undrawn:
        return [e.LozengeDrawn(seat, chance.pick(state.undrawn))]
    return turn_start(state, 0 if state.options["start_seat_first"] else seat)


def move_lozenge(state: State, action: a.MoveLozenge, _: Chance) -> list[Any]:
    if action.symbol:
        check_symbol(state, action.seat, action.lozenge)
    else:
        check_second_phase(state)
        check_path(state, action.lozenge)
    pay(state, 1, "W4" if action.symbol else "T2")
    place = check_move(state, action.how, action.lozenge, action.to)
    return [
        e.LozengeMoved(
            seat=action.seat,
            how=action.how,
            lozenge=action.lozenge,
            origin=PAIR_NAMES[state.ground.lying[action.lozenge]],
            to=action.to,
            carried=carried(state, action.lozenge, place),
            symbol=action.symbol,
            cost=1,
        )
    ]


def check_second_phase(state: State) -> None:
    if state.turn.pawn:
        raise refusal("T3", "Your pawn has acted; path lozenges rest until your next turn.")


def walk(state: State, action: a.Walk, _: Chance) -> list[Any]:
    origin, to = pawn(state, action.seat), INDEX[action.to]
    if to == origin:
        raise refusal("W2", "Your pawn stands on {cell} already.", cell=action.to)
    if not state.ground.walkable >> to & 1:
        raise refusal("W1", "{cell} is bare chasm; no pawn walks there.", cell=action.to)
    check_room(state, to, "W2")
    cost = scoring.price(state, origin, to)
    if cost is None:
        raise refusal(
            "W1",
            "No way leads from {origin} to {cell}: chasm or walls lie between.",
            origin=NAMES[origin],
            cell=action.to,
        )
    pay(state, cost, "W2")
    return [e.PawnWalked(action.seat, NAMES[origin], action.to, cost)]


def take_statue(state: State, action: a.TakeStatue, _: Chance) -> list[Any]:
    cell = pawn(state, action.seat)
    lozenge = state.ground.halves.get(cell)
    if lozenge not in DESTINATIONS:
        raise refusal(
            "W3", "Your pawn stands on {cell}, not on a destination lozenge.", cell=NAMES[cell]
        )
    if lozenge in state.taken[action.seat]:
        raise refusal("W3", "You have taken your statue from {lozenge} already.", lozenge=lozenge)
    pay(state, 1, "W3")
    return [e.StatueTaken(action.seat, lozenge, 1)]


def use_passage(state: State, action: a.UsePassage, _: Chance) -> list[Any]:
    passages = state.board.passages
    origin = check_standing(state, action.seat, passages, say("a secret passage"))
    to = INDEX[action.to]
    if to == origin or not passages >> to & 1:
        raise refusal("W4", "{cell} is no other secret passage.", cell=action.to)
    if (lozenge := state.ground.halves.get(to)) is not None:
        raise refusal(
            "W5", "{lozenge} covers the passage on {cell}.", lozenge=lozenge, cell=action.to
        )
    check_room(state, to, "W4")
    pay(state, 1, "W4")
    return [e.PassageUsed(action.seat, NAMES[origin], action.to, 1)]


def check_room(state: State, cell: int, clause: str) -> None:
    """Nobody stops where a pawn or a blockade stands."""
    if state.pawn_cells >> cell & 1:
        raise refusal(clause, "A pawn stands on {cell}.", cell=NAMES[cell])
    if state.blockade_cells >> cell & 1:
        raise refusal(clause, "A blockade stands on {cell}.", cell=NAMES[cell])


def set_blockade(state: State, action: a.SetBlockade, _: Chance) -> list[Any]:
    cell = INDEX[action.at]
    check_room(state, cell, "B1")
    lozenge = state.ground.halves.get(cell)
    if lozenge in DESTINATIONS:
        raise refusal(
            "B1",
            "{cell} lies on the destination lozenge {lozenge}.",
            cell=action.at,
            lozenge=lozenge,
        )
    if lozenge in state.fixed:
        raise refusal("B1", "{lozenge} bears a blockade already.", lozenge=lozenge)
    lifted = state.turn.lifted
    if lifted and (cell == lifted.cell or (lozenge and lozenge == lifted.lozenge)):
        raise refusal(
            "B1", "Your blockade has just left {cell}; it needs a fresh place.", cell=action.at
        )
    placed = e.BlockadeSet(action.seat, action.at, lozenge)
    return [placed, *turn_end(folded(evolve, state, [placed]))]


def end_turn(state: State, _: a.EndTurn, __: Chance) -> list[Any]:
    return turn_end(state)


DECIDE: dict[type, Callable[[State, Any, Chance], list[Any]]] = {
    a.ChooseStart: choose_start,
    a.LayLozenge: lay_lozenge,
    a.MoveLozenge: move_lozenge,
    a.Walk: walk,
    a.TakeStatue: take_statue,
    a.UsePassage: use_passage,
    a.SetBlockade: set_blockade,
    a.EndTurn: end_turn,
}


def pay(state: State, cost: int, clause: str) -> None:
    """The AP are there."""
    if cost > state.turn.ap:
        raise refusal(clause, "This costs {cost} AP; you have {ap}.", cost=cost, ap=state.turn.ap)


def pawn(state: State, seat: int) -> int:
    """Where the pawn of a seat stands; they all do once the setup is over."""
    cell = state.pawns[seat]
    if cell is None:
        raise TypeError(f"seat {seat} has no pawn yet")
    return cell


# Turns


def turn_start(state: State, seat: int) -> list[Any]:
    """A turn begins, and the seat's own blockade comes off (K-T1)."""
    events: list[Any] = [e.TurnBegan(seat, AP)]
    cell = state.blockades[seat]
    if cell is not None:
        events.append(e.BlockadeLifted(seat, NAMES[cell], state.ground.halves.get(cell)))
    return events


def turn_end(state: State) -> list[Any]:
    """The turn is over, and perhaps the match (K-T4, K-E2)."""
    turn = state.turn
    ended = e.TurnEnded(turn.seat, turn.ap, turn.ended + 1)
    if ended.ended == state.last_turn:
        return [ended]
    return [ended, *turn_start(state, after_seat(state, turn.seat))]


def order_after(state: State, seat: int) -> list[int]:
    """The seats in turn order, from the one after `seat` to `seat` itself."""
    return [(seat + step) % state.seats for step in range(1, state.seats + 1)]


def after_seat(state: State, seat: int) -> int:
    return order_after(state, seat)[0]
