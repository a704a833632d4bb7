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
    """Bury a stone and take the one that lay there, for one point; which two, the seat alone knows."""

    seat: int
    stone: int = private("seat")


ACTIONS: tuple[type, ...] = (LayStone, Dig)
