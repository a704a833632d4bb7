"""Positions of Inka in the referee's form: defaults, chance's due, and what is refused."""

from __future__ import annotations

import re
from typing import Any

import pytest

from engine.core.match import start_at
from engine.core.refusal import Unknown
from engine.inka.events import LozengeDrawn
from tests.games.inka.table import GAME, Table, inka, read


def at(**position: Any) -> Table:
    return Table(start_at(GAME, first_hall(position), "seed"))


def first_hall(position: dict[str, Any]) -> dict[str, Any]:
    """A position for two in the first hall, whatever else is said of it."""
    given = position.get("options", {})
    return {"seats": 2, **position, "options": {"board": 1, **given}}


def test_all_but_the_seats_may_be_left_out() -> None:
    assert at().state == {
        "seats": 2,
        "options": {
            "round_limit": 60,
            "start_seat_first": False,
            "fresh_blockade": False,
            "board": 1,
        },
        "phase": "turn",
        "pawns": ["r0c0", "r0c12"],
        "taken": [[], []],
        "lozenges": {
            "D1": ["r5c10", "r5c11"],
            "D2": ["r6c11", "r6c10"],
            "D3": ["r5c12", "r6c12"],
        },
        "drawn": None,
        "blockades": [None, None],
        "turn": {"seat": 0, "ap": 3, "pawn": False, "ended": 0},
    }


def test_a_position_that_names_no_hall_is_in_the_second() -> None:
    state = start_at(GAME, {"seats": 2}, "seed").state
    assert state.options["board"] == state.board.number == 2
    with pytest.raises(Unknown, match="bare chasm"):
        GAME.load({"seats": 2, "pawns": ["r0c0", "r0c1"]})  # floor in the first hall alone


def test_a_recorded_position_that_names_no_hall_is_in_the_first() -> None:
    event = GAME.load({"seats": 2, "options": {"board": 1}, "pawns": ["r0c0", "r0c1"]})
    del event.position["options"]["board"]
    state = GAME.evolve(None, event)
    assert state.board.number == 1
    assert GAME.dump(state)["options"]["board"] == 1


def test_keys_inside_options_and_turn_may_be_left_out_too() -> None:
    state = at(options={"round_limit": 3}, turn={"ap": 1}).state
    assert state["options"]["start_seat_first"] is False
    assert state["turn"] == {"seat": 0, "ap": 1, "pawn": False, "ended": 0}


def test_path_lozenges_left_out_are_undrawn_in_the_setup_and_gone_later() -> None:
    setup = at(phase="lay", lozenges={"L01": ["r4c4", "r4c5"]}, drawn="L02")
    assert setup.view(None)["undrawn"] == [f"L{n:02}" for n in range(3, 14)]
    assert at(lozenges={"L01": ["r4c4", "r4c5"]}).view(None)["undrawn"] == []


def test_a_lozenge_left_to_chance_is_drawn_at_once() -> None:
    table = at(phase="lay")
    assert table.state["drawn"] == table.event(LozengeDrawn).lozenge
    drawn = {start_at(GAME, {"seats": 2, "phase": "lay"}, f"{n}").state.drawn for n in range(30)}
    assert len(drawn) > 6


def test_who_is_asked_follows_from_the_phase() -> None:
    assert at(phase="start").to_act == "A"
    assert at(phase="start", pawns=["r0c0"]).to_act == "B"
    laid = {f"L{n:02}": [f"r{n}c4", f"r{n}c5"] for n in (1, 2, 3)}
    assert at(phase="lay", lozenges=laid).to_act == "B"
    assert at(phase="lay", turn={"seat": 0}, lozenges=laid).to_act == "A"


def test_after_the_last_start_of_a_position_laying_goes_on_where_it_stopped() -> None:
    laid = {f"L{n:02}": [f"r{n}c4", f"r{n}c5"] for n in (1, 2, 3)}
    table = at(phase="start", pawns=["r0c0"], lozenges=laid).play("start r0c12")
    assert (table.state["phase"], table.to_act) == ("lay", "B")


def test_over_positions_are_over() -> None:
    assert at(taken=[["D1", "D2", "D3"], []]).match.over
    assert at(options={"round_limit": 2}, turn={"ended": 4}).match.over
    assert not at(taken=[["D1", "D2", "D3"], []], pawns=["r1c7", "r0c12"]).match.over


def test_who_stands_on_an_exit_with_all_statues_wins_though_the_rounds_are_over() -> None:
    table = at(
        taken=[[], ["D1", "D2", "D3"]], options={"round_limit": 2}, turn={"ended": 4, "seat": 1}
    )
    assert table.match.game.winners(table.match.state) == (1,)


def test_after_the_end_the_seat_of_the_last_turn_may_have_its_blockade_out() -> None:
    over = at(options={"round_limit": 1}, turn={"ended": 2, "seat": 1}, blockades=[None, "r4c4"])
    assert over.match.over


@pytest.mark.parametrize(
    "position",
    [
        "L01 r2c4 r2c5; block B r2c5; turn A ap 1 pawn ended 7; A r2c4 with D1 D3",
        "phase lay; hand L07; L01 r4c4 r4c5",
        "phase start; seats 4",
        "seats 3; option round_limit 7; option start_seat_first; turn C ap 0",
    ],
)
def test_a_position_fed_back_gives_an_equal_state(position: str) -> None:
    table = inka(position)
    again = GAME.load(table.state)
    assert GAME.evolve(None, again) == table.match.state
    assert again.position == table.state


L = {"L01": ["r2c4", "r2c5"]}


@pytest.mark.parametrize(
    ("position", "sentence"),
    [
        ({"seats": 5}, "2 to 4 seats"),
        ({"seats": True}, "2 to 4 seats"),
        ({"tiles": []}, 'position has no key "tiles".'),
        ({"options": {"x": 1}}, 'options has no key "x".'),
        ({"options": {"round_limit": 0}}, "a whole number from 1 to 999, not 0"),
        ({"options": {"round_limit": 1000}}, "from 1 to 999"),
        ({"options": {"round_limit": True}}, "from 1 to 999, not true"),
        ({"options": {"start_seat_first": 1}}, "true or false"),
        ({"phase": "end"}, "The phase is start, lay or turn"),
        ({"phase": ["turn"]}, "The phase is"),
        ({"pawns": ["r0c0", "r0c99"]}, "There is no cell"),
        ({"pawns": "r0c0"}, "pawns must be a list"),
        ({"pawns": ["r0c0", "r0c1", "r0c2"]}, "pawns names 3 seats"),
        ({"pawns": ["r0c0", None]}, "Seat 1 has no pawn"),
        ({"pawns": ["r0c0"]}, "Seat 1 has no pawn"),
        ({"pawns": ["r0c0", "r0c0"]}, "Two pawns stand on r0c0."),
        ({"pawns": ["r0c0", "r4c4"]}, "bare chasm"),
        ({"taken": [["D4"], []]}, "no such lozenge"),
        ({"taken": [["L01"], []]}, "no such lozenge"),
        ({"taken": [["D1", "D1"], []]}, "one statue on each destination lozenge"),
        ({"taken": ["D1"]}, "taken must be a list"),
        ({"lozenges": {"L14": ["r2c4", "r2c5"]}}, 'lozenges has no key "L14".'),
        ({"lozenges": {"L01": ["r2c4", "r2c6"]}}, "two cells that share a side"),
        ({"lozenges": {"L01": ["r2c4"]}}, "two cells that share a side"),
        ({"lozenges": {"L01": ["r2c4", "r2c5", "r2c6"]}}, "two cells that share a side"),
        ({"lozenges": {"L01": "r2c4"}}, "L01 must be a list"),
        ({"lozenges": {"L01": ["r5c10", "r5c9"]}}, "lies on another lozenge"),
        ({"lozenges": {**L, "L02": ["r2c5", "r2c6"]}}, "L02 lies on another lozenge"),
        ({"drawn": "L02"}, "in hand only in the phase lay"),
        ({"phase": "lay", "lozenges": L, "drawn": "L01"}, "L01 lies in the hall"),
        ({"phase": "lay", "drawn": "D1"}, "no such lozenge"),
        ({"phase": "lay", "drawn": 1}, "no such lozenge"),
        ({"blockades": [None, "x"]}, "There is no cell"),
        ({"blockades": ["r4c4"]}, "The seat to act has its blockade in hand"),
        ({"blockades": [None, "r0c0"]}, "does not stand alone"),
        ({"seats": 3, "blockades": [None, "r4c4", "r4c4"]}, "does not stand alone"),
        ({"blockades": [None, "r5c10"]}, "No blockade stands on a destination lozenge"),
        ({"seats": 3, "lozenges": L, "blockades": [None, "r2c4", "r2c5"]}, "two blockades"),
        ({"phase": "lay", "blockades": [None, "r4c4"]}, "No blockade stands on the board"),
        ({"phase": "lay", "pawns": ["r0c1", "r0c12"]}, "uncovered start cell, not on r0c1"),
        ({"phase": "lay", "lozenges": {"L01": ["r0c0", "r0c1"]}}, "not on r0c0"),
        ({"phase": "start", "pawns": ["r0c0", "r0c12"]}, "Seat 0 has chosen its start already."),
        ({"turn": {"seat": 2}}, "turn.seat takes whole numbers from 0 to 1"),
        ({"turn": {"ap": 4}}, "turn.ap takes whole numbers from 0 to 3"),
        ({"turn": {"ap": -1}}, "turn.ap"),
        ({"turn": {"pawn": 1}}, "turn.pawn is true or false"),
        ({"turn": {"ended": 121}}, "turn.ended takes whole numbers from 0 to 120"),
        ({"turn": {"x": 1}}, 'turn has no key "x".'),
        ({"turn": []}, "The turn must be an object."),
        ({"turn": {"lifted": ["r4c4"]}}, "for tables with the option fresh_blockade"),
    ],
)
def test_an_impossible_position_is_refused(position: dict[str, Any], sentence: str) -> None:
    with pytest.raises(Unknown, match=re.escape(sentence)):
        GAME.load(first_hall(position))


def test_a_position_that_is_no_object_is_refused() -> None:
    for position in (None, [], "seats", 3):
        with pytest.raises(Unknown):
            GAME.load(position)


def test_nothing_is_left_to_lay_when_all_lie() -> None:
    every = read("; ".join(f"L{n:02} r{n - 2}c4 r{n - 2}c5" for n in range(2, 6)))["lozenges"]
    rest = {"L01": ["r2c8", "r2c9"], "L06": ["r3c8", "r3c9"], "L07": ["r1c8", "r1c9"]}
    rest |= {"L08": ["r0c8", "r0c9"], "L09": ["r2c12", "r2c13"], "L10": ["r3c12", "r3c13"]}
    rest |= {"L11": ["r1c10", "r1c11"], "L12": ["r4c12", "r4c13"], "L13": ["r4c14", "r4c15"]}
    with pytest.raises(Unknown, match="All 13 path lozenges lie"):
        GAME.load({"seats": 2, "phase": "lay", "lozenges": {**every, **rest}})


def test_a_pawn_walled_in_by_the_position_is_accepted_but_nothing_can_be_laid() -> None:
    lozenges = {"L06": ["r0c1", "r0c2"], "L10": ["r1c1", "r1c0"]}
    table = at(phase="lay", lozenges=lozenges, drawn="L01")
    assert table.legal() == []
    table.refuses("lay r4c4 r4c5", "K-S4", "the pawn on r0c0 0 sides")
