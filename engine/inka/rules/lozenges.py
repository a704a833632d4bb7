"""Laying and moving lozenges (K-S3, K-S4, K-L): what may go where, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.core.refusal import IllegalMove
from engine.core.sentence import Sentence, say
from engine.inka.events import Carried
from engine.inka.printed_board import (
    COVER,
    INDEX,
    MOVES,
    NAMES,
    PAIRS,
    PLACES,
    barriers,
    bits,
    walls,
)
from engine.inka.refusals import refusal
from engine.inka.state import State, is_path
from engine.kit.masks import union


def place_of(cells: tuple[str, str], clause: str) -> int:
    """The place of two neighbouring cells."""
    place = PLACES.get((INDEX[cells[0]], INDEX[cells[1]]))
    if place is None:
        raise refusal(
            clause,
            "A lozenge covers two cells that share a side; {one} and {other} do not.",
            one=cells[0],
            other=cells[1],
        )
    return place


# Laying


def laying(state: State) -> Iterator[int]:
    """Every place for the drawn lozenge that leaves each pawn an open side."""
    if state.drawn is None:
        return
    closed = state.ground.covered | state.pawn_cells
    sides = standing_sides(state)
    if not all(open_ for _, open_ in sides):
        return
    beside = union(open_ for _, open_ in sides)
    for place, closing in enumerate(barriers(state.drawn)):
        if COVER[place] & closed:
            continue
        if not closing & beside or shut_in(state.drawn, place, sides) is None:
            yield place


def standing_sides(state: State) -> list[tuple[int, int]]:
    """Each pawn's cell with the sides of it that are open now."""
    return [(cell, state.ground.open_sides(cell)) for cell in bits(state.pawn_cells)]


def shut_in(id_: str, place: int, sides: list[tuple[int, int]]) -> int | None:
    """A pawn's cell that would have no open side left, if there is one (S4)."""
    closing = walls(id_, place)
    return next((cell for cell, open_ in sides if not open_ & ~closing), None)


def check_lay(state: State, id_: str, cells: tuple[str, str]) -> int:
    """The place, or why the lozenge may not be laid there."""
    place = place_of(cells, "S3")
    for cell in PAIRS[place]:
        if (other := state.ground.halves.get(cell)) is not None:
            raise refusal("S3", "{other} lies on {cell}.", other=other, cell=NAMES[cell])
        if state.pawn_cells >> cell & 1:
            raise refusal("S3", "A pawn stands on {cell}.", cell=NAMES[cell])
    shut = shut_in(id_, place, standing_sides(state))
    if shut is not None:
        raise refusal(
            "S4", "This would leave the pawn on {cell} 0 sides without a wall.", cell=NAMES[shut]
        )
    return place


# Moving


def carried(state: State, id_: str, place: int) -> tuple[Carried, ...]:
    """The pawns on a lozenge that goes to `place`, each with its half (L3)."""
    where = dict(zip(PAIRS[state.ground.lying[id_]], PAIRS[place], strict=True))
    return tuple(
        Carried(seat, NAMES[where[cell]]) for seat, cell in enumerate(state.pawns) if cell in where
    )


def check_path(state: State, id_: str) -> None:
    """A path lozenge in the hall without a blockade (T2, L4)."""
    if not is_path(id_):
        raise refusal(
            "L4", "{lozenge} is a destination lozenge; only a lozenge symbol moves it.", lozenge=id_
        )
    if id_ not in state.ground.lying:
        raise refusal("T2", "{lozenge} is not in the hall.", lozenge=id_)
    if id_ in state.fixed:
        raise refusal("T2", "{lozenge} bears a blockade and does not move.", lozenge=id_)


def check_symbol(state: State, seat: int, id_: str) -> None:
    """The pawn stands on an open lozenge symbol, and a destination lozenge is meant (W4)."""
    if is_path(id_):
        raise refusal(
            "W4", "{lozenge} is no destination lozenge; a symbol moves only those.", lozenge=id_
        )
    check_standing(state, seat, state.board.symbols, say("a lozenge symbol"))


def check_standing(state: State, seat: int, signs: int, called: Sentence) -> int:
    """The pawn's cell, which bears one of the signs, uncovered (W4, W5)."""
    cell = state.pawns[seat]
    assert cell is not None  # noqa: S101 - every pawn stands once the setup is over
    if not signs >> cell & 1:
        raise refusal(
            "W4", "Your pawn stands on {cell}, which is not {sign}.", cell=NAMES[cell], sign=called
        )
    if (lozenge := state.ground.halves.get(cell)) is not None:
        raise refusal(
            "W5",
            "{lozenge} covers {cell}, so what is drawn there has no effect.",
            lozenge=lozenge,
            cell=NAMES[cell],
        )
    return cell


def check_move(state: State, how: str, id_: str, cells: tuple[str, str]) -> int:
    """The place that a lozenge comes to, or what stands in its way (L1, L2)."""
    clause = CLAUSES[how]
    place, origin = place_of(cells, clause), state.ground.lying[id_]
    if place == origin:
        raise refusal(clause, "{lozenge} lies there already.", lozenge=id_)
    if place in state.ground.destinations(how, id_, state.standing):
        return place
    chains = [chain for chain in MOVES[how](origin) if any(there == place for _, there in chain)]
    if not chains:
        raise unreached(how, id_, cells)
    raise in_the_way(state, how, id_, chains[0])


CLAUSES = {"slide": "L1", "turn": "L2"}


def unreached(how: str, id_: str, cells: tuple[str, str]) -> IllegalMove:
    """Even in an empty hall no such move leads there."""
    one, other = cells
    if how == "slide":
        return refusal(
            "L1",
            "No slide takes {lozenge} to {one} {other}: it goes straight along a side, inside the hall.",
            lozenge=id_,
            one=one,
            other=other,
        )
    return refusal(
        "L2",
        "No turn takes {lozenge} to {one} {other}: it goes round a corner, inside the hall.",
        lozenge=id_,
        one=one,
        other=other,
    )


def in_the_way(state: State, how: str, id_: str, chain: Any) -> IllegalMove:
    """What is met first on that way."""
    blocked = state.ground.obstacles(id_, state.standing)
    met = next(needed & blocked for needed, _ in chain if needed & blocked)
    cell = bits(met)[0]
    return refusal(
        CLAUSES[how],
        "{lozenge} would touch {cell}, where {what} is in the way.",
        lozenge=id_,
        cell=NAMES[cell],
        what=what_is_on(state, cell),
    )


def what_is_on(state: State, cell: int) -> Sentence | str:
    if state.blockade_cells >> cell & 1:
        return say("a blockade")
    if state.pawn_cells >> cell & 1:
        return say("a pawn")
    return state.ground.halves[cell]
