"""What each seat may know. Names what is shown; whatever is not named stays hidden."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.apacheta.rules import colours, to_act, winners
from engine.apacheta.state import State
from engine.core.codec import encode


@dataclass(frozen=True, slots=True)
class View:
    """The table as one seat sees it, or as anybody may (`seat` None)."""

    seat: int | None
    seats: int
    options: dict[str, Any]
    colours: tuple[str, ...]
    hand: tuple[int, ...] | None
    hand_sizes: tuple[int, ...]
    laid: tuple[bool, ...]
    mine: int | None  # the stone that the seat itself has laid
    seen: tuple[bool, ...]
    buried: int | None
    scores: tuple[int, ...]
    turned: tuple[int, ...]
    bag_size: int
    cairn: int
    passed: int
    to_act: tuple[int, ...]
    over: bool
    winners: tuple[int, ...]


def view(state: State, seat: int | None) -> View:
    knows = state.over or (seat is not None and state.seen[seat])
    return View(
        seat=seat,
        seats=state.seats,
        options=state.options,
        colours=colours(state),
        hand=None if seat is None else state.hands[seat],
        hand_sizes=tuple(map(len, state.hands)),
        laid=tuple(stone is not None for stone in state.laid),
        mine=None if seat is None else state.laid[seat],
        seen=state.seen,
        buried=state.buried if knows else None,
        scores=state.scores,
        turned=state.turned,
        bag_size=len(state.bag),
        cairn=state.cairn,
        passed=state.passed,
        to_act=to_act(state),
        over=state.over,
        winners=winners(state),
    )


def show(seen: View) -> dict[str, Any]:
    """A view as JSON."""
    shown: dict[str, Any] = encode(seen)
    return shown
