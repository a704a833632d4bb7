"""Incas entering, leaving and moving (C-M)."""

from __future__ import annotations

from functools import lru_cache

from engine.cuzco.edition import INCAS
from engine.cuzco.hexes import SIZE, bit, bits, flood, spread
from engine.cuzco.state import State


def standing_room(state: State) -> int:
    """The free terrain hexes, where an Inca may enter if the border is near (C-M1)."""
    board = state.board
    return board.terrain & ~board.temple_hexes & ~state.all_incas


FURTHEST = SIZE  # no walk costs more AP than there are hexes


def reach(state: State, seat: int, origin: int, ap: int = FURTHEST) -> tuple[int, ...]:
    """The hexes that an Inca can walk to from `origin`, own ones included: for 0 AP, for 1, and so on (C-M3)."""
    return stages(origin, *lands(state, seat), ap)


def lands(state: State, seat: int) -> tuple[int, int]:
    """The villages and the crops on which no other seat stands in the way, nor a temple."""
    board = state.board
    others = state.all_incas & ~state.incas[seat]
    closed = others | board.temple_hexes
    return board.villages & ~closed, board.crops & ~closed


@lru_cache(maxsize=1024)  # Incas of one seat move about while all the others stand
def stages(origin: int, villages: int, crops: int, ap: int) -> tuple[int, ...]:
    """Stage by stage what a walk comes to that goes from villages to crops, or back, for 1 AP each time."""
    here, there = (crops, villages) if crops >> origin & 1 else (villages, crops)
    seen, frontier = 0, bit(origin)
    found: list[int] = []
    while frontier and len(found) <= ap:
        area = flood(frontier, here & ~seen)
        found.append(area)
        seen |= area
        here, there = there, here
        frontier = spread(area) & here & ~seen
    return tuple(found)


def walks(state: State, seat: int, ap: int) -> list[tuple[int, tuple[int, ...]]]:
    """Every Inca of `seat` with its reach; those that start in one piece of land share the work."""
    found: list[tuple[int, tuple[int, ...]]] = []
    known: list[tuple[int, ...]] = []
    villages, crops = lands(state, seat)
    for origin in bits(state.incas[seat]):
        for areas in known:
            if areas[0] >> origin & 1:
                break
        else:
            areas = stages(origin, villages, crops, ap)
            known.append(areas)
        found.append((origin, areas))
    return found


def check_enter(state: State, seat: int, at: str) -> int:
    """The cost of entering at `at`, or why not."""
    edition, hex_ = state.edition, state.edition.layout.index[at]
    if state.incas[seat].bit_count() >= INCAS:
        raise edition.refusal(
            "S2", "You have no {inca} left to bring in: all {count} are on the board.", count=INCAS
        )
    check_free(state, hex_, "M1")
    return check_gate(state, hex_)


def check_leave(state: State, seat: int, at: str) -> int:
    """The cost of leaving from `at`, or why not."""
    hex_ = state.edition.layout.index[at]
    check_own(state, seat, hex_, "M2")
    return check_gate(state, hex_)


def check_move(state: State, seat: int, origin: str, to: str) -> int:
    """The cost of the cheapest way, or why there is none."""
    edition, layout = state.edition, state.edition.layout
    check_own(state, seat, layout.index[origin], "M4")
    if origin == to:
        raise edition.refusal("M4", "The {inca} stands on {hex} already.", hex=to)
    target = layout.index[to]
    check_free(state, target, "M4")
    price = price_of_way(state, seat, layout.index[origin], target)
    if price is None:
        raise edition.refusal(
            "M4",
            "No way leads from {origin} to {to} over terrain free of others.",
            origin=origin,
            to=to,
        )
    return price


def price_of_way(state: State, seat: int, origin: int, target: int) -> int | None:
    """The cost of the cheapest way, also if it is too dear."""
    for ap in (state.turn.ap, FURTHEST):
        for cost, area in enumerate(reach(state, seat, origin, ap)):
            if area >> target & 1:
                return cost
    return None


def check_free(state: State, hex_: int, clause: str) -> None:
    """A hex to stand on: terrain, no temple, nobody there."""
    edition, board, name = state.edition, state.board, state.edition.layout.names[hex_]
    if board.temple_hexes >> hex_ & 1:
        raise edition.refusal("T8", "{hex} bears a {temple}; nobody may stand there.", hex=name)
    if not board.terrain >> hex_ & 1:
        raise edition.refusal(
            clause, "{hex} has level 0; {an_inca} stands on tiles only.", hex=name
        )
    if state.all_incas >> hex_ & 1:
        raise edition.refusal("M4", "{hex} is taken: 1 {inca} a hex.", hex=name)


def check_own(state: State, seat: int, hex_: int, clause: str) -> None:
    if not state.incas[seat] >> hex_ & 1:
        name = state.edition.layout.names[hex_]
        raise state.edition.refusal(clause, "You have no {inca} on {hex}.", hex=name)


def check_gate(state: State, hex_: int) -> int:
    layout = state.edition.layout
    price = next((cost for cost, gates in layout.doors.items() if gates >> hex_ & 1), None)
    if price is None:
        raise state.edition.refusal(
            "M1",
            "{hex} lies inside; {an_inca} comes and goes at the border only.",
            hex=layout.names[hex_],
        )
    return price
