"""Perft: how many sequences of orders there are, from the start, in the setup and from full tables."""

from __future__ import annotations

import pytest

from engine.core.match import start
from engine.core.playout import perft
from tests.games.inka.table import GAME, inka

# The layout of the picture that comes with the rules: all thirteen lie.
FULL = (
    "L01 r2c11 r1c10; L02 r2c13 r1c12; L03 r9c14 r9c15; L04 r5c2 r6c2; L05 r4c17 r3c16; L06 r2c8 r2c7;"
    "L07 r7c2 r7c1; L08 r7c4 r6c5; L09 r5c4 r5c3; L10 r11c5 r11c6; L11 r5c18 r5c19; L12 r9c8 r8c9; L13 r6c19 r6c20"
)
TABLES = {
    "seats 2": (431, 183870),
    "seats 3; A r1c7; B r5c10 with D1; C r3c2; block B r8c8": (413, 170490),
    "seats 4; turn D ap 1 pawn; D r10c7": (216, 86907),
    "option board 2; seats 2": (428, 181531),
    "option board 2; seats 3; A r1c7; B r5c10 with D1; C r3c2; block B r8c8": (413, 170483),
}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_start_two_orders_deep(seats: int) -> None:
    match = start(GAME, seats, {}, "perft")
    assert (perft(match, 1), perft(match, 2)) == (4, 12)


def test_the_first_layings_two_orders_deep() -> None:
    table = inka("phase lay; hand L10; seats 2")
    assert (perft(table.match, 1), perft(table.match, 2)) == (580, 330928)


@pytest.mark.parametrize("position", TABLES)
def test_a_full_table_two_orders_deep(position: str) -> None:
    match = inka(f"{FULL}; {position}", "perft").match
    assert (perft(match, 1), perft(match, 2)) == TABLES[position]
