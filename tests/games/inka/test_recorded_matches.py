"""Whole matches of Inka as they were played once, at least one for every way of ending."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import record
from engine.core.match import Match
from engine.inka.events import LozengeMoved, MatchEnded, PawnWalked, TurnEnded

RECORDS = {path.stem: path for path in sorted(Path(__file__).with_name("records").glob("*.jsonl"))}
ENDS: dict[str, tuple[tuple[int, ...], tuple[int, ...], type]] = {  # scores, winners, the last act
    "hall-2-carried-out": ((3, 1), (0,), LozengeMoved),
    "hall-2-carried-out-4": ((0, 3, 0, 3), (1,), LozengeMoved),
    "hall-2-most-statues": ((1, 0), (0,), TurnEnded),
    "hall-2-nearest-exit": ((0, 0), (1,), TurnEnded),
    "hall-2-shared-after-the-last-turn": ((0, 0, 0), (0, 2), TurnEnded),
    "hall-2-walked-out-2": ((2, 3), (1,), PawnWalked),
    "inka-2-carried-out": ((3, 1), (0,), LozengeMoved),
    "inka-2-most-statues": ((1, 0), (0,), TurnEnded),
    "inka-2-nearest-exit": ((0, 0), (0,), TurnEnded),
    "inka-2-walked-out": ((3, 0), (0,), PawnWalked),
    "inka-3-shared-after-the-last-turn": ((0, 0, 0), (0, 1, 2), TurnEnded),
    "inka-4-walked-out": ((3, 0, 0, 1), (0,), PawnWalked),
}


def load(name: str) -> Match:
    return record.load(record.parse(RECORDS[name].read_text(encoding="ascii")))


def test_every_record_has_its_end() -> None:
    assert set(RECORDS) == set(ENDS)


@pytest.mark.parametrize("name", ENDS)
def test_a_recorded_match_is_decided_today_as_it_was_then(name: str) -> None:  # K-E1, K-E2
    match = load(name)
    scores, winners, last_act = ENDS[name]
    *_, before, ended, _ = (entry.event for entry in match.log)
    assert match.over
    assert isinstance(ended, MatchEnded)
    assert (ended.scores, ended.winners) == (scores, winners)
    assert isinstance(before, last_act)
    assert ended.escaped == ("out" in name)
    verdict = record.verify(record.read(record.export(match)))
    assert verdict.sound
    assert not verdict.drift


@pytest.mark.parametrize("name", ENDS)
def test_a_match_that_names_no_hall_was_played_in_the_first(name: str) -> None:
    match = load(name)
    named = match.log[0].event.options.get("board")
    assert named == (2 if name.startswith("hall-2") else None)
    assert match.game.dump(match.state)["options"]["board"] == match.state.board.number
    assert match.state.board.number == (named or 1)
