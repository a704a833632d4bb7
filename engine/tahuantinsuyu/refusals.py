"""Refusals of Tahuantinsuyu, each under the clause that forbids."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.core.refusal import IllegalMove
from engine.core.sentence import Sentence, say

LETTER = "N"  # the rules of Tahuantinsuyu number their clauses N-R1 …


def refusal(clause: str, one: str, many: str | None = None, /, **values: Any) -> IllegalMove:
    """Why a clause forbids something."""
    return refused(clause, say(one, many, **values))


def refused(clause: str, said: Sentence, **values: Any) -> IllegalMove:
    """The same with a sentence that stands ready in a table."""
    return IllegalMove(f"{LETTER}-{clause}", replace(said, values={**said.values, **values}))
