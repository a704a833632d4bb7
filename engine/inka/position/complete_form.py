"""Positions in their complete form, as events hold them: states out of it and into it, without a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.inka.board import Ground
from engine.inka.options import OPTIONS
from engine.inka.printed_board import (
    INDEX,
    LOZENGES,
    NAMES,
    PAIR_NAMES,
    PATHS,
    PLACES,
    printed_board,
)
from engine.inka.state import Lifted, State, Turn
from engine.kit.editions import played_by

SETUP = ("start", "lay")


def build(form: Mapping[str, Any]) -> State:
    """The state of a complete form, which was checked when it was written."""
    options = played_by(OPTIONS, form["options"])
    lying = {id_: PLACES[INDEX[a], INDEX[b]] for id_, (a, b) in form["lozenges"].items()}
    drawn, turn = form["drawn"], form["turn"]
    left = (id_ for id_ in PATHS if id_ not in lying and id_ != drawn)
    return State(
        options=options,
        phase=form["phase"],
        pawns=cells(form["pawns"]),
        taken=tuple(map(tuple, form["taken"])),
        ground=Ground(lying, printed_board(options["board"])),
        undrawn=tuple(left) if form["phase"] in SETUP else (),
        drawn=drawn,
        blockades=cells(form["blockades"]),
        turn=Turn(
            seat=turn["seat"],
            ap=turn["ap"],
            pawn=turn["pawn"],
            ended=turn["ended"],
            lifted=build_lifted(*turn["lifted"]) if "lifted" in turn else None,
        ),
    )


def cells(called: Iterable[str | None]) -> tuple[int | None, ...]:
    return tuple(None if name is None else INDEX[name] for name in called)


def build_lifted(cell: str, lozenge: str | None = None) -> Lifted:
    return Lifted(INDEX[cell], lozenge)


def write(state: State) -> dict[str, Any]:
    """The whole state in the referee's form; building it gives an equal state."""
    turn = state.turn
    lifted = {"lifted": write_lifted(turn.lifted)} if turn.lifted else {}
    return {
        "seats": state.seats,
        "options": dict(state.options),
        "phase": state.phase,
        "pawns": names(state.pawns),
        "taken": [list(taken) for taken in state.taken],
        "lozenges": {id_: list(PAIR_NAMES[place]) for id_, place in lying_in_order(state)},
        "drawn": state.drawn,
        "blockades": names(state.blockades),
        "turn": {
            "seat": turn.seat,
            "ap": turn.ap,
            "pawn": turn.pawn,
            "ended": turn.ended,
            **lifted,
        },
    }


def lying_in_order(state: State) -> list[tuple[str, int]]:
    lying = state.ground.lying
    return [(id_, lying[id_]) for id_ in LOZENGES if id_ in lying]


def names(some: Iterable[int | None]) -> list[str | None]:
    return [None if cell is None else NAMES[cell] for cell in some]


def write_lifted(lifted: Lifted) -> list[str]:
    return [NAMES[lifted.cell], *([lifted.lozenge] if lifted.lozenge else [])]
