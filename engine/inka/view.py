"""What each seat may know. Names what is shown; here that is everything but the draws to come."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.core.codec import encode
from engine.inka.board import Ground
from engine.inka.position.complete_form import lying_in_order, names
from engine.inka.printed_board import INDEX, PAIR_NAMES, PLACES, PrintedBoard, printed_board
from engine.inka.rules.decide import scores, to_act, winners
from engine.inka.scoring import steps
from engine.inka.state import State


@dataclass(frozen=True, slots=True)
class TurnView:
    """`lifted`: the cell, and the lozenge on it if any, that the own blockade has just left."""

    seat: int
    ap: int
    pawn: bool
    ended: int
    lifted: tuple[str | None, ...]


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it, or as anybody may (`seat` None)."""

    seat: int | None
    seats: int
    options: dict[str, Any]
    phase: str
    pawns: tuple[str | None, ...]
    taken: tuple[tuple[str, ...], ...]
    lozenges: dict[str, tuple[str, str]]  # the cells of h0 and h1
    drawn: str | None
    undrawn: tuple[str, ...]  # those that chance may still give: all that neither lie nor are drawn
    blockades: tuple[str | None, ...]
    steps: tuple[int | None, ...]  # from each pawn to the nearest exit, if a way leads there
    turn: TurnView
    last_turn: int
    scores: tuple[int, ...]
    to_act: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]

    @property
    def board(self) -> PrintedBoard:
        return printed_board(self.options["board"])


def view(state: State, seat: int | None) -> View:
    turn, lifted = state.turn, state.turn.lifted
    left = (names((lifted.cell,))[0], lifted.lozenge) if lifted else ()
    return View(
        seat=seat,
        seats=state.seats,
        options=state.options,
        phase=state.phase,
        pawns=tuple(names(state.pawns)),
        taken=state.taken,
        lozenges={id_: PAIR_NAMES[place] for id_, place in lying_in_order(state)},
        drawn=state.drawn,
        undrawn=state.undrawn,
        blockades=tuple(names(state.blockades)),
        steps=steps(state),
        turn=TurnView(turn.seat, turn.ap, turn.pawn, turn.ended, left),
        last_turn=state.last_turn,
        scores=scores(state),
        to_act=to_act(state),
        over=state.over,
        winners=winners(state),
    )


def show(seen: View) -> dict[str, Any]:
    """A view as JSON."""
    shown: dict[str, Any] = encode(seen)
    return shown


def ground(seen: View) -> Ground:
    """The hall of a view, to walk in."""
    lying = {id_: PLACES[INDEX[a], INDEX[b]] for id_, (a, b) in seen.lozenges.items()}
    return Ground(lying, seen.board)
