"""Positions in and out, in the referee's form. Reading refuses what could not stand in the hall."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.match import check_option
from engine.core.sentence import brief
from engine.inka.board import (
    COVER,
    DESTINATIONS,
    INDEX,
    LOZENGES,
    NAMES,
    PAIR_NAMES,
    PATHS,
    PLACES,
    STARTS,
)
from engine.inka.events import PositionSet
from engine.inka.ground import Ground
from engine.inka.options import OPTIONS
from engine.inka.state import AP, Lifted, State, Turn
from engine.kit.forms import impossible, keyed, listed

SEATS = range(2, 5)
PHASES = ("start", "lay", "turn")
SETUP = ("start", "lay")
KEYS = ("seats", "options", "phase", "pawns", "taken", "lozenges", "drawn", "blockades", "turn")
TURN_KEYS = ("seat", "ap", "pawn", "ended", "lifted")


def load(position: Any) -> PositionSet:
    """The event that sets up a position: its complete form, defaults filled in."""
    return PositionSet(write(read(position)))


def read(position: Any) -> State:
    """The state of a position; Unknown with a sentence where the position is impossible."""
    form = keyed("position", position, KEYS)
    seats, options, phase = read_seats(form), read_options(form), read_phase(form)
    lying = read_lozenges(form)
    drawn = read_drawn(form, phase, lying)
    left = (id_ for id_ in PATHS if id_ not in lying and id_ != drawn)
    state = State(
        options=options,
        phase=phase,
        pawns=read_pawns(form, phase, seats),
        taken=read_taken(form, seats),
        ground=Ground(lying),
        undrawn=tuple(left) if phase in SETUP else (),
        drawn=drawn,
        blockades=tuple(maybe_cell(name) for name in row(form, "blockades", seats, None)),
    )
    state = read_turn(form, state)
    check(state)
    return state


# Values


def row(form: dict[str, Any], key: str, seats: int, default: Any) -> list[Any]:
    """One value for each seat; those left out have the default."""
    given = listed(form.get(key, []), key)
    if len(given) > seats:
        raise impossible(
            "{key} names {count} seats; there are {seats}.", key=key, count=len(given), seats=seats
        )
    return given + [default] * (seats - len(given))


def whole(value: Any, key: str, most: int) -> int:
    if type(value) is not int or not 0 <= value <= most:
        raise impossible(
            "{key} takes whole numbers from 0 to {most}, not {value}.",
            key=key,
            most=most,
            value=brief(value),
        )
    return value


def flag(value: Any, key: str) -> bool:
    if type(value) is not bool:
        raise impossible("{key} is true or false, not {value}.", key=key, value=brief(value))
    return value


def cell(name: Any) -> int:
    if not isinstance(name, str) or name not in INDEX:
        raise impossible("There is no cell {cell}.", cell=brief(name))
    return INDEX[name]


def maybe_cell(name: Any) -> int | None:
    return None if name is None else cell(name)


def known(id_: Any, among: Any) -> str:
    if not isinstance(id_, str) or id_ not in among:
        raise impossible("There is no such lozenge here: {lozenge}.", lozenge=brief(id_))
    return id_


# The parts of a position


def read_seats(form: dict[str, Any]) -> int:
    seats = form.get("seats")
    if type(seats) is not int or seats not in SEATS:
        raise impossible("A position has 2 to 4 seats, not {seats}.", seats=brief(seats))
    return seats


def read_options(form: dict[str, Any]) -> dict[str, Any]:
    given = keyed("options", form.get("options", {}), tuple(OPTIONS))
    for name, value in given.items():
        check_option(name, OPTIONS[name], value)
    return {name: given.get(name, option.default) for name, option in OPTIONS.items()}


def read_phase(form: dict[str, Any]) -> str:
    phase = form.get("phase", "turn")
    if not isinstance(phase, str) or phase not in PHASES:
        raise impossible("The phase is start, lay or turn, not {phase}.", phase=brief(phase))
    return phase


def read_lozenges(form: dict[str, Any]) -> dict[str, int]:
    """Where the lozenges lie; the destination lozenges as in the data where nothing is said."""
    given = keyed("lozenges", form.get("lozenges", {}), tuple(LOZENGES))
    placed = {id_: read_place(id_, cells) for id_, cells in given.items()}
    lying = {**DESTINATIONS, **placed}
    covered = 0
    for id_, place in sorted(lying.items()):
        if COVER[place] & covered:
            raise impossible("{lozenge} lies on another lozenge.", lozenge=id_)
        covered |= COVER[place]
    return {id_: lying[id_] for id_ in LOZENGES if id_ in lying}


def read_place(id_: str, cells: Any) -> int:
    pair = tuple(cell(name) for name in listed(cells, id_))
    place = PLACES.get(pair) if len(pair) == 2 else None
    if place is None:
        raise impossible(
            "{lozenge} covers two cells that share a side, not {cells}.",
            lozenge=id_,
            cells=brief(cells),
        )
    return place


def read_drawn(form: dict[str, Any], phase: str, lying: dict[str, int]) -> str | None:
    drawn = form.get("drawn")
    if phase == "lay" and all(id_ in lying for id_ in PATHS):
        raise impossible("All {n} path lozenges lie; nothing is left to lay.", n=len(PATHS))
    if drawn is None:
        return None
    if phase != "lay":
        raise impossible("A lozenge is in hand only in the phase lay.")
    if known(drawn, PATHS) in lying:
        raise impossible("{lozenge} lies in the hall and cannot be in hand.", lozenge=drawn)
    return str(drawn)


def read_pawns(form: dict[str, Any], phase: str, seats: int) -> tuple[int | None, ...]:
    if "pawns" not in form:
        return (None,) * seats if phase == "start" else STARTS[:seats]
    pawns = tuple(maybe_cell(name) for name in row(form, "pawns", seats, None))
    if phase != "start" and None in pawns:
        raise impossible("Seat {seat} has no pawn in the hall.", seat=pawns.index(None))
    return pawns


def read_taken(form: dict[str, Any], seats: int) -> tuple[tuple[str, ...], ...]:
    rows = [listed(given, "taken") for given in row(form, "taken", seats, [])]
    taken = tuple(tuple(sorted(known(id_, DESTINATIONS) for id_ in given)) for given in rows)
    if any(len(set(mine)) < len(mine) for mine in taken):
        raise impossible("Each seat has one statue on each destination lozenge.")
    return taken


def read_turn(form: dict[str, Any], state: State) -> State:
    turn = keyed("turn", form.get("turn", {}), TURN_KEYS)
    read = Turn(
        seat=whole(turn.get("seat", default_seat(state)), "turn.seat", state.seats - 1),
        ap=whole(turn.get("ap", AP), "turn.ap", AP),
        pawn=flag(turn.get("pawn", False), "turn.pawn"),
        ended=whole(turn.get("ended", 0), "turn.ended", state.last_turn),
        lifted=read_lifted(turn.get("lifted"), state),
    )
    return replace(state, turn=read)


def default_seat(state: State) -> int:
    """Who is asked where the position does not say."""
    if state.phase == "start":
        return next((seat for seat, cell in enumerate(state.pawns) if cell is None), 0)
    if state.phase == "lay":
        return sum(id_ in state.ground.lying for id_ in PATHS) % state.seats
    return 0


def read_lifted(value: Any, state: State) -> Lifted | None:
    if value is None:
        return None
    if not state.options["fresh_blockade"]:
        raise impossible("turn.lifted is for tables with the option fresh_blockade.")
    match listed(value, "turn.lifted"):
        case [name]:
            return Lifted(cell(name), None)
        case [name, id_]:
            return Lifted(cell(name), known(id_, state.ground.lying.keys() - DESTINATIONS.keys()))
    raise impossible("turn.lifted is a cell, and the lozenge that was there if any.")


# What could not be


def check(state: State) -> None:
    check_pawns(state)
    check_blockades(state)
    if state.phase in SETUP:
        check_setup(state)


def check_pawns(state: State) -> None:
    standing = [cell for cell in state.pawns if cell is not None]
    for cell_ in standing:
        if standing.count(cell_) > 1:
            raise impossible("Two pawns stand on {cell}.", cell=NAMES[cell_])
        if not state.ground.walkable >> cell_ & 1:
            raise impossible("A pawn on {cell} would stand on bare chasm.", cell=NAMES[cell_])


def check_blockades(state: State) -> None:
    lying: set[str] = set()
    standing = [cell for cell in state.blockades if cell is not None]
    for cell_ in standing:
        name, id_ = NAMES[cell_], state.ground.halves.get(cell_)
        if standing.count(cell_) > 1 or state.pawn_cells >> cell_ & 1:
            raise impossible("The blockade on {cell} does not stand alone.", cell=name)
        if id_ in DESTINATIONS:
            raise impossible("No blockade stands on a destination lozenge ({cell}).", cell=name)
        if id_ in lying:
            raise impossible("{lozenge} bears two blockades.", lozenge=id_)
        lying |= {id_} if id_ else set()
    if not state.over and state.blockades[state.turn.seat] is not None:
        raise impossible("The seat to act has its blockade in hand, not on the board.")


def check_setup(state: State) -> None:
    for cell_ in state.pawns:
        if cell_ is not None and (cell_ not in STARTS or cell_ in state.ground.halves):
            raise impossible(
                "In the setup a pawn stands on an uncovered start cell, not on {cell}.",
                cell=NAMES[cell_],
            )
    if any(cell_ is not None for cell_ in state.blockades):
        raise impossible("No blockade stands on the board in the setup.")
    if state.phase == "start" and not state.over and state.pawns[state.turn.seat] is not None:
        raise impossible("Seat {seat} has chosen its start already.", seat=state.turn.seat)


# Writing


def write(state: State) -> dict[str, Any]:
    """The whole state in the referee's form; reading it gives an equal state."""
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


def names(cells: tuple[int | None, ...]) -> list[str | None]:
    return [None if cell_ is None else NAMES[cell_] for cell_ in cells]


def write_lifted(lifted: Lifted) -> list[str]:
    return [NAMES[lifted.cell], *([lifted.lozenge] if lifted.lozenge else [])]
