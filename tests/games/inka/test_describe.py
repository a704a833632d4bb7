"""Every event of Inka as a sentence."""

from __future__ import annotations

import pytest

from engine.inka import events as e
from engine.inka.events import Carried
from tests.games.inka.table import GAME

R, S = ("r2c4", "r2c5"), ("r2c6", "r2c7")


def moved(how: str, *, symbol: bool, carried: tuple[Carried, ...] = ()) -> e.LozengeMoved:
    return e.LozengeMoved(0, how, "D1" if symbol else "L01", R, S, carried, symbol, 1)


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (e.SetUp(3, {"round_limit": 60}), "The table was laid for 3 players."),
        (
            e.SetUp(2, {"round_limit": 5, "fresh_blockade": True, "start_seat_first": False}),
            "The table was laid for 2 players, with the options fresh_blockade, round_limit 5.",
        ),
        (e.PositionSet({}), "The match began in a given position."),
        (e.StartAsked(1), "B was asked to choose a start."),
        (e.StartChosen(1, "r0c0"), "B chose the start r0c0."),
        (e.LozengeDrawn(0, "L05"), "A drew the lozenge L05 to lay."),
        (e.LozengeLaid(0, "L05", R), "A laid L05 on r2c4 r2c5."),
        (e.TurnBegan(2, 3), "C began a turn with 3 AP."),
        (e.BlockadeLifted(0, "r3c4", None), "The blockade of A came off r3c4."),
        (e.BlockadeLifted(0, "r3c4", "L02"), "The blockade of A came off r3c4; L02 can move."),
        (moved("slide", symbol=False), "A slid L01 from r2c4 r2c5 to r2c6 r2c7 for 1 AP."),
        (
            moved("turn", symbol=True),
            "By the symbol A turned D1 from r2c4 r2c5 to r2c6 r2c7 for 1 AP.",
        ),
        (
            moved("turn", symbol=False, carried=(Carried(1, "r2c6"), Carried(0, "r2c7"))),
            "A turned L01 from r2c4 r2c5 to r2c6 r2c7 for 1 AP and carried pawns: B to r2c6, A to r2c7.",
        ),
        (e.PawnWalked(0, "r0c0", "r0c2", 0), "The pawn of A walked from r0c0 to r0c2."),
        (
            e.PawnWalked(0, "r0c0", "r1c2", 2),
            "The pawn of A walked from r0c0 to r1c2, past snakes for 2 AP.",
        ),
        (e.StatueTaken(3, "D2", 1), "D took the statue from D2 for 1 AP."),
        (
            e.PassageUsed(0, "r1c7", "r5c0", 1),
            "The pawn of A went through the secret passage from r1c7 to r5c0 for 1 AP.",
        ),
        (e.BlockadeSet(0, "r3c4", None), "A set the blockade on r3c4."),
        (e.BlockadeSet(0, "r3c4", "L02"), "A set the blockade on r3c4; L02 cannot move."),
        (e.TurnEnded(0, 0, 4), "A ended the turn."),
        (e.TurnEnded(0, 2, 4), "A ended the turn with 2 AP unused."),
        (
            e.MatchEnded((1,), (1, 3), escaped=True, steps=(4, 0)),
            "B escaped with all statues and won. A 1 statue, B 3 statues.",
        ),
        (
            e.MatchEnded((0,), (1, 0), escaped=False, steps=(4, None)),
            "The last turn was over: A won. A 1 statue, B 0 statues; to an exit: 4 steps, no way.",
        ),
        (
            e.MatchEnded((0, 1), (0, 0), escaped=False, steps=(1, 1)),
            "The last turn was over: A, B shared the win. A 0 statues, B 0 statues; to an exit: 1 step, 1 step.",
        ),
    ],
)
def test_an_event_is_told(event: object, sentence: str) -> None:
    assert str(GAME.describe(event)) == sentence


def test_every_kind_of_event_is_among_the_examples_above() -> None:
    marks = test_an_event_is_told.pytestmark[0].args[1]  # type: ignore[attr-defined]
    assert {type(event) for event, _ in marks} == set(GAME.events)
