"""What a walk costs, how far the exits are, and who has won (K-W2, K-E)."""

from __future__ import annotations

from engine.inka.events import MatchEnded
from engine.inka.printed_board import LOZENGES
from engine.inka.state import State

DEAREST = sum(len(lozenge.snakes) for lozenge in LOZENGES.values())  # no way meets more snakes


def price(state: State, origin: int, to: int) -> int | None:
    """The AP of the cheapest walk, or None where no way leads."""
    areas = state.ground.reach(origin, DEAREST)
    return next((cost for cost, area in enumerate(areas) if area >> to & 1), None)


def steps(state: State) -> tuple[int | None, ...]:
    """How far every pawn is from the nearest exit (E2)."""
    ways = state.ground.steps_to_exit
    return tuple(None if cell is None else ways(cell) for cell in state.pawns)


def winners(state: State) -> tuple[int, ...]:
    """Who escaped; after the last turn those with the most statues, the nearest to an exit among them."""
    if not state.over or state.escaped:
        return state.escaped
    far = steps(state)
    standing = [
        (-len(taken), way is None, way or 0) for taken, way in zip(state.taken, far, strict=True)
    ]
    return tuple(seat for seat, row in enumerate(standing) if row == min(standing))


def ended(state: State) -> MatchEnded:
    return MatchEnded(
        winners=winners(state),
        scores=tuple(map(len, state.taken)),
        escaped=bool(state.escaped),
        steps=steps(state),
    )
