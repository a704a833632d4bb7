"""Whole matches as they were played once, one at least for every way of ending.

Each line of a record carries the hash of all before it, so any change in any event shows at its position.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.core import record
from engine.core.match import Match
from engine.cuzco.events import FinalScored, LastRoundOpened
from engine.tahuantinsuyu.events import EmpireScored, PhaseBegan, PizarroCame

RECORDS = {path.stem: path for path in sorted(Path(__file__).with_name("records").glob("*.jsonl"))}
SCORES = {
    "cuzco-2-last-triple": (25, 18),
    "cuzco-2-shared-throne": (10, 10),
    "cuzco-3-nobody-can-lay": (12, 15, 0),
    "cuzco-4-last-triple": (6, 13, 0, 16),
    "cuzco-2-rules-2-last-triple": (13, 14),
    "cuzco-3-rules-2-shared-throne": (14, 12, 14),
    "cuzco-4-rules-2-nobody-can-lay": (7, 8, 26, 7),
    "java-2-rules-2-last-triple": (4, 18),
    "java-3-rules-2-shared-throne": (15, 15, 8),
    "java-4-rules-2-nobody-can-lay": (26, 16, 4, 8),
    "java-2-last-triple": (13, 17),
    "java-3-shared-throne": (15, 15, 8),
    "java-4-nobody-can-lay": (14, 18, 11, 6),
    "tahuantinsuyu-3-last-sapa-inca": (164, 155, 195),
    "tahuantinsuyu-4-early-decline": (85, 78, 81, 89),
    "tahuantinsuyu-4-pizarro-1": (74, 66, 83, 30),
    "tahuantinsuyu-4-pizarro-2": (171, 149, 106, 56),
    "tahuantinsuyu-3-pizarro-3": (198, 142, 151),
    "tahuantinsuyu-4-pizarro-4": (111, 74, 63, 11),
    # Of the second rules and boards.
    "tahuantinsuyu-3-last-sapa-inca-2": (158, 154, 161),
    "tahuantinsuyu-4-last-sapa-inca-2": (130, 174, 186, 177),
    "tahuantinsuyu-4-early-decline-2": (86, 81, 91, 80),
    "tahuantinsuyu-4-pizarro-1-2": (68, 60, 68, 83),
    "tahuantinsuyu-4-pizarro-2-2": (161, 105, 151, 168),
    "tahuantinsuyu-3-pizarro-3-2": (164, 174, 174),
    "tahuantinsuyu-4-pizarro-4-2": (94, 84, 65, 67),
}
LAST_SCORINGS = {"cuzco": FinalScored, "java": FinalScored, "tahuantinsuyu": EmpireScored}


def load(name: str) -> Match:
    return record.load(record.parse(RECORDS[name].read_text(encoding="ascii")))


def opening_of_the_last_round(match: Match) -> LastRoundOpened:
    (event,) = (e.event for e in match.log if isinstance(e.event, LastRoundOpened))
    return event


def test_every_record_has_its_score() -> None:
    assert set(RECORDS) == set(SCORES)


@pytest.mark.parametrize("name", SCORES)
def test_a_recorded_match_is_decided_today_as_it_was_then(name: str) -> None:
    match = load(name)
    assert match.over
    assert match.state.scores == SCORES[name]
    last = LAST_SCORINGS[match.game.key]
    scored = [e.event.seat for e in match.log if isinstance(e.event, last)]
    assert set(scored) == set(range(len(match.state.scores)))
    if last is FinalScored:
        assert len(scored) == len(match.state.scores)
    assert match.log[-1].event.seed


@pytest.mark.parametrize("name", [name for name in SCORES if name.startswith(("cuzco", "java"))])
def test_a_match_is_decided_by_the_rules_that_its_first_event_names(name: str) -> None:
    match = load(name)
    named = match.log[0].event.options
    assert named.get("rules", 1) == match.state.options["rules"] == (2 if "rules-2" in name else 1)
    assert ("rules" in named) == ("rules-2" in name)  # the first rules had no name


@pytest.mark.parametrize("name", [name for name in SCORES if "last-triple" in name])
def test_a_match_ends_with_the_last_triple(name: str) -> None:  # C-E1
    match = load(name)
    assert match.state.supply.triples == 0
    assert not opening_of_the_last_round(match).idle


@pytest.mark.parametrize("name", [name for name in SCORES if "nobody-can-lay" in name])
def test_a_match_ends_when_nobody_can_lay_a_tile(name: str) -> None:  # C-E5
    match = load(name)
    assert match.state.supply.triples > 0
    assert opening_of_the_last_round(match).idle


@pytest.mark.parametrize("name", [name for name in SCORES if "shared-throne" in name])
def test_equals_share_the_throne(name: str) -> None:  # C-E4
    match = load(name)
    assert len(match.game.winners(match.state)) > 1


@pytest.mark.parametrize(
    "name",
    [
        "tahuantinsuyu-3-last-sapa-inca",
        "tahuantinsuyu-4-early-decline",
        "tahuantinsuyu-3-last-sapa-inca-2",
        "tahuantinsuyu-4-last-sapa-inca-2",
        "tahuantinsuyu-4-early-decline-2",
    ],
)
def test_a_match_ends_with_the_last_sapa_inca(name: str) -> None:  # N-P
    match = load(name)
    assert not any(isinstance(e.event, PizarroCame) for e in match.log)
    phases = [e.event for e in match.log if isinstance(e.event, PhaseBegan)]
    assert [event.step for event in phases if event.era == "late"] == list(range(10))


@pytest.mark.parametrize("edition", ["", "-2"])
@pytest.mark.parametrize(
    ("day", "seats", "options"),
    [
        (1, 4, {"pizarro", "early_decline"}),
        (2, 4, {"pizarro", "gift_of_the_gods"}),
        (3, 3, {"pizarro"}),
        (4, 4, {"pizarro", "early_decline", "gift_of_the_gods"}),
    ],
)
def test_pizarro_ends_a_match_after_any_of_four_phases(
    day: int, seats: int, options: set[str], edition: str
) -> None:  # N-V
    match = load(f"tahuantinsuyu-{seats}-pizarro-{day}{edition}")
    assert {n for n, chosen in match.log[0].event.options.items() if chosen is True} == options
    (came,) = (e.event for e in match.log if isinstance(e.event, PizarroCame))
    assert came.phase == match.state.pizarro == day
    phases = [e.event for e in match.log if isinstance(e.event, PhaseBegan)]
    assert {event.era for event in phases} == {"pre", "early", "middle", "late"}
    assert [e.step for e in phases if e.era == "late"] == [*range(2 * day + 1), 9]
