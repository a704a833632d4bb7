"""What is worth what: the points that the Sapa Inca gives, and where a figure stands after it scored (N-Z)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.options import RULES, STANDING_TOLD
from engine.tahuantinsuyu.state import State, moved


def tracked(state: State, event: Any) -> Any:
    """An event that scores, with the standing after it."""
    if state.options[RULES] < STANDING_TOLD or not event.points:
        return event
    return replace(event, standing=moved(state, event.seat, event.points))


def scored(state: State, seat: int) -> e.EmpireScored:
    joined, prices = state.joined(seat), state.board.prices
    terraces = (state.owned[seat] & state.terraces).bit_count()
    garrisons = (state.garrisons & joined).bit_count()
    cities = (state.cities & joined).bit_count()
    temples = (state.temples & joined).bit_count()
    points = (
        terraces * prices["terrace"].sapa
        + garrisons * prices["garrison"].sapa
        + cities * prices["city"].sapa
        + temples * prices["temple"].sapa
    )
    return e.EmpireScored(seat, terraces, garrisons, cities, temples, points)
