"""Editions of rules and board: what is played stands in the first event, and what was begun goes on as it was begun."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.core import record
from engine.core.codec import encode
from engine.core.match import append, start, start_at
from engine.core.refusal import Unknown
from engine.tahuantinsuyu import GAME
from engine.tahuantinsuyu import events as e
from engine.tahuantinsuyu.printed_board import SEATS, board
from engine.tahuantinsuyu.state import State
from tests.games.tahuantinsuyu.tables import people

RECORDS = Path(__file__).parents[1] / "records"
OLD = RECORDS / "tahuantinsuyu-3-last-sapa-inca.jsonl"  # from before there were editions
EDITIONS = {"rules": 2, "board": 2}


def editions(options: dict[str, Any]) -> dict[str, int]:
    return {name: options[name] for name in EDITIONS if name in options}


def test_a_new_match_names_its_editions_in_its_first_event() -> None:
    match = start(GAME, 4, {"rules": 1}, "seed")
    assert editions(match.log[0].event.options) == {"rules": 1, "board": 2}
    assert editions(match.log[1].event.options) == {"rules": 1, "board": 2}


@pytest.mark.parametrize("seats", SEATS)
@pytest.mark.parametrize("edition", [1, 2])
def test_a_match_is_played_on_the_board_of_its_edition(seats: int, edition: int) -> None:
    match = start(GAME, seats, {"board": edition}, "seed")
    assert match.state.board is board(seats, edition)
    assert GAME.view(match.state, 0).board is board(seats, edition)


def test_a_record_without_editions_is_decided_by_the_first_and_keeps_its_bytes() -> None:
    text = OLD.read_text(encoding="ascii")
    match = record.load(record.parse(text))
    assert editions(match.log[0].event.options) == {}
    assert editions(match.state.options) == {"rules": 1, "board": 1}
    assert record.verify(record.read(record.parse(text))).sound
    lines = [json.loads(line) for line in text.splitlines()]
    assert record.export(match) == lines


def test_a_position_from_before_the_editions_is_decided_by_the_first_and_keeps_its_bytes() -> None:
    match = start_at(GAME, {"seats": 4, "options": {"rules": 1, "board": 1}}, "seed")
    first, second, *_ = match.log
    options = {n: v for n, v in first.event.options.items() if n not in EDITIONS}
    form = {**second.event.position, "options": options}
    old = [replace(first.event, options=options), replace(second.event, position=form)]
    bare = replace(match, log=(), timeline=type(match.timeline)(), state=None)
    begun = append(bare, old)
    assert editions(begun.state.options) == {"rules": 1, "board": 1}
    again = record.load(record.export(begun))
    assert again.log == begun.log
    assert again.state == begun.state


def test_a_position_that_names_no_edition_is_of_the_newest() -> None:
    state: State = start_at(GAME, {"seats": 3}, "seed").state
    assert editions(state.options) == EDITIONS
    assert editions(GAME.dump(state)["options"]) == EDITIONS


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize("value", [0, 3, True, "2", None])
def test_there_are_two_editions(name: str, value: object) -> None:
    with pytest.raises(Unknown, match=f"Option {name} is a whole number from 1 to 2"):
        start(GAME, 4, {name: value}, "seed")
    with pytest.raises(Unknown, match=f"Option {name} is a whole number from 1 to 2"):
        start_at(GAME, {"seats": 4, "options": {name: value}}, "seed")


def test_only_an_old_edition_that_was_chosen_is_told() -> None:
    def told(**options: Any) -> str:
        return str(GAME.describe(start(GAME, 4, options, "seed").log[1].event))

    assert "options" not in told()
    assert "with the options board 1, pizarro:" in told(board=1, pizarro=True)


def test_what_scores_tells_the_standing_after_it_since_the_second_rules() -> None:
    def conquered(rules: int) -> e.RegionConquered:
        parts = {"scores": [0, 3, 3, 0], "standing": [2, 1, 0, 3], "options": {"rules": rules}}
        match = people(markers={"huanca": {"type": "herders"}}, **parts).play("conquer huanca")
        assert match.state["standing"] == [2, 1, 0, 3]  # it arrives where others stand
        (event,) = (x for x in match.events if isinstance(x, e.RegionConquered))
        return event

    assert conquered(2).standing == (2, 1, 0, 3)
    assert encode(conquered(2))["standing"] == [2, 1, 0, 3]
    assert conquered(1).standing is None
    assert "standing" not in encode(conquered(1))  # as it was written before
