"""Refusals of Inka, each under the clause that forbids."""

from __future__ import annotations

from typing import Any

from engine.core.refusal import IllegalMove
from engine.core.sentence import say

LETTER = "K"  # the rules of Inka number their clauses K-S1 …


def refusal(clause: str, one: str, many: str | None = None, /, **values: Any) -> IllegalMove:
    """Why the rules forbid something."""
    return IllegalMove(f"{LETTER}-{clause}", say(one, many, **values))
