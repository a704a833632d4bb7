"""What a player may ask for in Apacheta."""

from __future__ import annotations

from dataclasses import dataclass

from engine.core.game import private


@dataclass(frozen=True, slots=True)
class LayStone:
    """Lay a stone face down; which one is the seat's own secret until all have laid."""

    seat: int
    stone: int = private("seat")


@dataclass(frozen=True, slots=True)
class Dig:
    """Look at the buried stone, for one point."""

    seat: int


ACTIONS: tuple[type, ...] = (LayStone, Dig)
