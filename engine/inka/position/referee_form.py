"""Positions from outside, in the referee's form: completed, and refused where they could not stand in the hall."""

from __future__ import annotations

from types import NoneType
from typing import Any

from engine.core.match import check_option
from engine.core.sentence import brief
from engine.inka.events import PositionSet
from engine.inka.options import OPTIONS
from engine.inka.position.complete_form import SETUP, build, names, write
from engine.inka.printed_board import (
    DESTINATIONS,
    INDEX,
    LOZENGES,
    NAMES,
    PAIR_NAMES,
    PATHS,
    PLACES,
    printed_board,
)
from engine.inka.state import AP, State
from engine.kit.forms import flag, impossible, keyed, listed, rows, whole

SEATS = range(2, 5)
PHASES = ("start", "lay", "turn")
KEYS = ("seats", "options", "phase", "pawns", "taken", "lozenges", "drawn", "blockades", "turn")
TURN_KEYS = ("seat", "ap", "pawn", "ended", "lifted")


def load(position: Any) -> PositionSet:
    """The event that sets up a position: its complete form; Unknown with a sentence where it is impossible."""
    state = build(completed(keyed("position", position, KEYS)))
    check(state)
    return PositionSet(write(state))


def completed(form: dict[str, Any]) -> dict[str, Any]:
    """A position with its defaults filled in, every value of it possible by itself."""
    seats, options, phase = read_seats(form), read_options(form), read_phase(form)
    lozenges = read_lozenges(form, options["board"])
    filled = {
        "seats": seats,
        "options": options,
        "phase": phase,
        "pawns": read_pawns(form, phase, seats, options["board"]),
        "taken": read_taken(form, seats),
        "lozenges": lozenges,
        "drawn": read_drawn(form, phase, lozenges),
        "blockades": [
            maybe_cell(name)
            for name in rows(form.get("blockades", []), "blockades", seats, NoneType)
        ],
    }
    return {**filled, "turn": read_turn(form, filled)}


# Values


def cell(name: Any) -> str:
    if not isinstance(name, str) or name not in INDEX:
        raise impossible("There is no cell {cell}.", cell=brief(name))
    return name


def maybe_cell(name: Any) -> str | None:
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


def read_lozenges(form: dict[str, Any], board: int) -> dict[str, list[str]]:
    """Where the lozenges lie; the destination lozenges as in the data where nothing is said."""
    given = keyed("lozenges", form.get("lozenges", {}), tuple(LOZENGES))
    homes = {id_: list(PAIR_NAMES[place]) for id_, place in printed_board(board).homes.items()}
    lying = {**homes, **{id_: read_pair(id_, cells) for id_, cells in given.items()}}
    covered = set[str]()
    for id_, pair in sorted(lying.items()):
        if covered.intersection(pair):
            raise impossible("{lozenge} lies on another lozenge.", lozenge=id_)
        covered.update(pair)
    return lying


def read_pair(id_: str, cells: Any) -> list[str]:
    pair = [cell(name) for name in listed(cells, id_)]
    if tuple(INDEX[name] for name in pair) not in PLACES:
        raise impossible(
            "{lozenge} covers two cells that share a side, not {cells}.",
            lozenge=id_,
            cells=brief(cells),
        )
    return pair


def read_drawn(form: dict[str, Any], phase: str, lying: dict[str, list[str]]) -> str | None:
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


def read_pawns(form: dict[str, Any], phase: str, seats: int, board: int) -> list[str | None]:
    if "pawns" not in form:
        starts: tuple[int | None, ...] = printed_board(board).starts
        return names((None,) * seats if phase == "start" else starts[:seats])
    pawns = [maybe_cell(name) for name in rows(form["pawns"], "pawns", seats, NoneType)]
    if phase != "start" and None in pawns:
        raise impossible("Seat {seat} has no pawn in the hall.", seat=pawns.index(None))
    return pawns


def read_taken(form: dict[str, Any], seats: int) -> list[list[str]]:
    given = rows(form.get("taken", []), "taken", seats, list)
    taken = [sorted(known(id_, DESTINATIONS) for id_ in listed(some, "taken")) for some in given]
    if any(len(set(mine)) < len(mine) for mine in taken):
        raise impossible("Each seat has one statue on each destination lozenge.")
    return taken


def read_turn(form: dict[str, Any], filled: dict[str, Any]) -> dict[str, Any]:
    turn, seats = keyed("turn", form.get("turn", {}), TURN_KEYS), filled["seats"]
    last_turn = filled["options"]["round_limit"] * seats
    return {
        "seat": whole(turn.get("seat", default_seat(filled)), "turn.seat", seats - 1),
        "ap": whole(turn.get("ap", AP), "turn.ap", AP),
        "pawn": flag(turn.get("pawn", False), "turn.pawn"),
        "ended": whole(turn.get("ended", 0), "turn.ended", last_turn),
        **read_lifted(turn.get("lifted"), filled),
    }


def default_seat(filled: dict[str, Any]) -> int:
    """Who is asked where the position does not say."""
    if filled["phase"] == "start":
        return next((seat for seat, cell in enumerate(filled["pawns"]) if cell is None), 0)
    if filled["phase"] == "lay":
        return int(sum(id_ in filled["lozenges"] for id_ in PATHS) % filled["seats"])
    return 0


def read_lifted(value: Any, filled: dict[str, Any]) -> dict[str, Any]:
    if value is None:
        return {}
    if not filled["options"]["fresh_blockade"]:
        raise impossible("turn.lifted is for tables with the option fresh_blockade.")
    match listed(value, "turn.lifted"):
        case [name]:
            return {"lifted": [cell(name)]}
        case [name, id_]:
            return {"lifted": [cell(name), known(id_, filled["lozenges"].keys() & set(PATHS))]}
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
        if cell_ is not None and (cell_ not in state.board.starts or cell_ in state.ground.halves):
            raise impossible(
                "In the setup a pawn stands on an uncovered start cell, not on {cell}.",
                cell=NAMES[cell_],
            )
    if any(cell_ is not None for cell_ in state.blockades):
        raise impossible("No blockade stands on the board in the setup.")
    if state.phase == "start" and not state.over and state.pawns[state.turn.seat] is not None:
        raise impossible("Seat {seat} has chosen its start already.", seat=state.turn.seat)
