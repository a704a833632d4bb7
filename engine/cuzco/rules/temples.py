"""Building and expanding temples (C-T)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cuzco.actions import BuildTemple, ExpandTemple
from engine.cuzco.edition import VALUES
from engine.cuzco.hexes import bits
from engine.cuzco.scoring import leader
from engine.cuzco.state import State


def floors_for(state: State, was: int, value: int) -> tuple[int, ...]:
    """The floors that going from `was` to `value` takes (C-T5, J-T5)."""
    if not state.edition.stacked:
        return (value,)
    return tuple(v for v in VALUES if was < v <= value)


def values(state: State, was: int, size: int) -> list[int]:
    """The values that a temple may get in a city of that size (C-T4, C-T5)."""
    fitting = [v for v in VALUES if was < v <= size]
    if state.options.get("exact_temples"):
        fitting = [v for v in fitting if v == exact(size)]
    return [v for v in fitting if all(state.supply.floor(f) for f in floors_for(state, was, v))]


def exact(size: int) -> int:
    """The one value that `exact_temples` allows."""
    return min(size - size % 2, VALUES[-1])


def orders(state: State, seat: int) -> Iterator[BuildTemple | ExpandTemple]:
    """Every temple that the player may build or expand, AP apart."""
    board, names = state.board, state.edition.layout.names
    seen = 0
    for hex_ in bits(state.incas[seat] & board.villages):
        if seen >> hex_ & 1:
            continue
        group = board.village_of(hex_)
        seen |= group
        if leader(board, state.incas, group) != seat:
            continue
        temple, size = board.temple_in(group), group.bit_count()
        if temple is None:
            allowed = values(state, 0, size)
            for at in bits(group & ~state.all_incas) if allowed else ():
                yield from (BuildTemple(seat, names[at], value) for value in allowed)
        elif not state.turn.changed >> temple & 1:
            for value in values(state, board.temples[temple].value, size):
                yield ExpandTemple(seat, names[temple], value)


def check_build(state: State, action: BuildTemple) -> None:
    edition, board = state.edition, state.board
    hex_ = edition.layout.index[action.at]
    if hex_ in board.temples:
        raise edition.refusal("T3", "{hex} bears a {temple} already.", hex=action.at)
    if not board.villages >> hex_ & 1:
        raise edition.refusal(
            "T3", "A {temple} is built on a village hex; {hex} is not one.", hex=action.at
        )
    if state.all_incas >> hex_ & 1:
        raise edition.refusal(
            "T3", "{hex} is taken by {an_inca}; a {temple} needs a free hex.", hex=action.at
        )
    group = board.village_of(hex_)
    temple = board.temple_in(group)
    if temple is not None:
        raise edition.refusal(
            "T3",
            "This city has its {temple} at {hex}; a city has only 1.",
            hex=edition.layout.names[temple],
        )
    check_leader(state, action.seat, group)
    check_value(state, 0, action.value, group.bit_count())


def check_expand(state: State, action: ExpandTemple) -> int:
    """The value that the temple had, or why it may not be expanded."""
    edition, board = state.edition, state.board
    hex_ = edition.layout.index[action.at]
    if hex_ not in board.temples:
        raise edition.refusal("T1", "There is no {temple} at {hex}.", hex=action.at)
    if state.turn.changed >> hex_ & 1:
        raise edition.refusal(
            "T6",
            "The {temple} at {hex} has changed its value once this turn, which is the most.",
            hex=action.at,
        )
    group, was = board.cities[hex_], board.temples[hex_].value
    check_leader(state, action.seat, group)
    if action.value in VALUES and action.value <= was:
        raise edition.refusal(
            "T4",
            "This {temple} has the value {was}; the new value {value} must be higher.",
            was=was,
            value=action.value,
        )
    check_value(state, was, action.value, group.bit_count())
    return was


def check_leader(state: State, seat: int, group: int) -> None:
    if not state.incas[seat] & group:
        raise state.edition.refusal("T2", "You have no {inca} in this village or city.")
    if leader(state.board, state.incas, group) != seat:
        levels = " / ".join(
            levels_text(state, other) for other in (m & group for m in state.incas) if other
        )
        raise state.edition.refusal(
            "T2",
            "Only who stands highest alone may build here; the levels are {levels}.",
            levels=levels,
        )


def levels_text(state: State, incas: int) -> str:
    """The levels of these Incas from high to low, as a player would say them."""
    return ", ".join(
        str(lv) for lv in sorted((state.board.level(h) for h in bits(incas)), reverse=True)
    )


def check_value(state: State, was: int, value: int, size: int) -> None:
    edition = state.edition
    if value not in VALUES:
        raise edition.refusal(
            "T4", "A {temple} has the value 2, 4, 6, 8 or 10, not {value}.", value=str(value)[:20]
        )
    if value > size and was:
        raise edition.refusal(
            "T4",
            "This city has {n} hex; a {temple} of {value} needs {value}.",
            "This city has {n} hexes; a {temple} of {value} needs {value}.",
            n=size,
            value=value,
        )
    if value > size:
        raise edition.refusal(
            "T4",
            "This village has {n} hex; a {temple} of {value} needs {value}.",
            "This village has {n} hexes; a {temple} of {value} needs {value}.",
            n=size,
            value=value,
        )
    if state.options.get("exact_temples") and value != exact(size):
        raise edition.refusal(
            "T4",
            "At this table a city of {n} hex takes a {temple} of exactly {exact}, not {value}.",
            "At this table a city of {n} hexes takes a {temple} of exactly {exact}, not {value}.",
            n=size,
            exact=exact(size),
            value=value,
        )
    for floor in floors_for(state, was, value):
        if not state.supply.floor(floor):
            raise edition.refusal(
                "T5", "0 pieces of value {floor} are left in the supply.", floor=floor
            )
