"""The position of a game of Inka."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from engine.inka.board import Ground
from engine.inka.options import OPTIONS
from engine.inka.printed_board import DESTINATIONS, LOZENGES, PATHS, PrintedBoard, printed_board
from engine.kit.editions import played_by

AP = 3
STATUES = len(DESTINATIONS)


@dataclass(frozen=True)
class Lifted:
    """Where the own blockade stood until this turn began: only `fresh_blockade` asks for it (B1)."""

    cell: int
    lozenge: str | None


@dataclass(frozen=True)
class Turn:
    """The running turn. `pawn`: the pawn has acted, so the path lozenges rest (T3); `ended`: turns before it."""

    seat: int = 0
    ap: int = AP
    pawn: bool = False
    ended: int = 0
    lifted: Lifted | None = None


@dataclass(frozen=True)
class State:
    """Everything there is to know; only the draws to come are open, and nobody knows those."""

    options: dict[str, Any]
    phase: str  # start, lay or turn
    pawns: tuple[int | None, ...]
    taken: tuple[tuple[str, ...], ...]
    ground: Ground
    undrawn: tuple[str, ...]
    drawn: str | None
    blockades: tuple[int | None, ...]
    turn: Turn = field(default_factory=Turn)

    @property
    def seats(self) -> int:
        return len(self.pawns)

    @property
    def board(self) -> PrintedBoard:
        return self.ground.board

    @property
    def last_turn(self) -> int:
        """How many turns a match has at the most (E2)."""
        return int(self.options["round_limit"]) * self.seats

    @cached_property
    def escaped(self) -> tuple[int, ...]:
        """The seats that have all statues and stand on an exit (E1)."""
        exits = self.board.exits
        return tuple(
            seat
            for seat, (cell, taken) in enumerate(zip(self.pawns, self.taken, strict=True))
            if len(taken) == STATUES and cell is not None and exits >> cell & 1
        )

    @property
    def over(self) -> bool:
        return bool(self.escaped) or self.turn.ended >= self.last_turn

    @cached_property
    def pawn_cells(self) -> int:
        return sum(1 << cell for cell in self.pawns if cell is not None)

    @cached_property
    def blockade_cells(self) -> int:
        return sum(1 << cell for cell in self.blockades if cell is not None)

    @cached_property
    def standing(self) -> int:
        """The cells with a pawn or a blockade."""
        return self.pawn_cells | self.blockade_cells

    @cached_property
    def fixed(self) -> frozenset[str]:
        """The lozenges that bear a blockade."""
        cells = self.ground.halves
        return frozenset(
            cells[cell] for cell in self.blockades if cell is not None and cell in cells
        )


def fresh(seats: int, options: dict[str, Any]) -> State:
    """The hall before anybody has chosen a start."""
    complete = played_by(OPTIONS, options)
    board = printed_board(complete["board"])
    return State(
        options=complete,
        phase="start",
        pawns=(None,) * seats,
        taken=((),) * seats,
        ground=Ground(board.homes, board),
        undrawn=PATHS,
        drawn=None,
        blockades=(None,) * seats,
    )


def is_path(id_: str) -> bool:
    return not LOZENGES[id_].destination


def free_starts(state: State) -> list[int]:
    """The start cells on which nothing stands or lies (S1)."""
    closed = state.pawn_cells | state.ground.covered
    return [cell for cell in state.board.starts if not closed >> cell & 1]
