"""The orders of Inka: spelling, what is no order, and what is illegal rather than unheard of."""

from __future__ import annotations

import re

import pytest

from engine.core.match import play
from engine.core.refusal import IllegalMove, NotUnderstood, Refusal
from tests.games.inka.table import GAME, inka

ORDERS = [
    "start r0c0",
    "lay r4c4 r4c5",
    "slide L05 r4c4 r4c5",
    "turn L05 r4c4 r4c5",
    "walk r1c7",
    "take",
    "passage r5c0",
    "symbol D2 slide r4c4 r4c5",
    "symbol D2 turn r4c4 r4c5",
    "block r3c4",
    "end",
]


@pytest.mark.parametrize("order", ORDERS)
def test_every_order_of_the_table_is_understood_in_any_spelling(order: str) -> None:
    action = GAME.parse(1, order)
    assert action.seat == 1
    assert GAME.format(action) == order
    assert GAME.parse(1, f"  {order.upper().replace(' ', '   ')} ") == action


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("", "The order is empty."),
        ("walk r0c13", "There is no cell 'r0c13'."),
        ("walk r01c1", "There is no cell"),
        ("slide L14 r4c4 r4c5", "There is no lozenge 'l14'."),
        ("slide L5 r4c4 r4c5", "There is no lozenge"),
        ("slide L05 r4c4", "This is no whole order: slide means slide a path lozenge"),
        ("symbol D2 r4c4 r4c5", "This is no whole order: symbol means"),
        ("symbol D2 push r4c4 r4c5", "This is no whole order"),
        ("take D1", "This is no whole order: take means"),
        ("end now", "This is no whole order"),
        ("jump r0c0", "'jump r0c0' is no order; orders begin with start, lay,"),
        ("walk\tr0c0", "is no order"),
        ("walk r0cé", "An order is written in plain letters"),
    ],
)
def test_what_fits_no_order_is_not_understood(order: str, sentence: str) -> None:
    with pytest.raises(NotUnderstood, match=re.escape(sentence)):
        GAME.parse(0, order)


@pytest.mark.parametrize(
    "order",
    ["slide D1 r5c8 r5c9", "symbol L01 slide r2c6 r2c7", "slide L01 r2c4 r2c6", "lay r2c6 r2c6"],
)
def test_the_wrong_kind_or_place_is_illegal_not_unheard_of(order: str) -> None:
    table = inka("A r3c2; L01 r2c4 r2c5")
    with pytest.raises(IllegalMove):
        play(table.match, 0, order)


def test_legal_lists_each_order_once_and_refuses_all_others_nearby() -> None:
    table = inka("A r3c2; L01 r2c4 r2c5; L05 r2c8 r2c9; turn A ap 1")
    told = table.legal()
    assert len(set(told)) == len(told)
    for how in ("slide", "turn"):
        for one in ("r2c2", "r2c3", "r1c2", "r2c6", "r3c4"):
            for other in ("r2c1", "r2c2", "r2c3", "r2c7", "r1c2", "r3c5"):
                order = f"{how} L01 {one} {other}"
                if order not in told:
                    with pytest.raises(Refusal):
                        play(table.match, 0, order)
