"""The bench says honestly what it found: which goals are met, and how busy others were."""

from __future__ import annotations

import subprocess
import sys

from tests.bench.measure import Bystanders, Row, at_least, at_most, in_turns, told

SPIN = "import time\nend = time.monotonic() + 0.3\nwhile time.monotonic() < end: pass"


def test_a_ratio_of_times_may_be_at_most_its_goal() -> None:
    assert Row("x", "floor", 2.4, 1.0, goal=at_most(2.5)).met
    assert Row("x", "floor", 2.6, 1.0, goal=at_most(2.5)).cells()[-2] == "NOT MET"


def test_a_share_of_a_floors_speed_is_theirs_to_ours() -> None:
    row = Row("x", "floor", 4.0, 1.0, goal=at_least(0.2), swapped=True)
    assert (row.ratio, row.met) == (0.25, True)


def test_what_could_not_be_measured_is_not_met() -> None:
    row = Row("x", "a peer", goal=at_most(1), said="There is no node here.")
    assert row.met is False
    assert "There is no node here." in row.cells()


def test_what_has_no_goal_is_neither_met_nor_missed() -> None:
    assert Row("x", "floor", 1.0, 1.0).values()["met"] is None


def test_every_side_is_measured_once_a_round_and_nobody_is_always_first() -> None:
    order = list[str]()

    def side(name: str) -> float:
        order.append(name)
        return 1.0

    found = in_turns("x", {"a": lambda: side("a"), "b": lambda: side("b")}, rounds=3)
    assert found.sides == {"a": 1.0, "b": 1.0}
    assert order.count("a") == order.count("b") >= 4  # one of them warmed up
    assert order[2:6] in (["b", "a", "a", "b"], ["a", "b", "b", "a"])


def test_our_own_children_are_no_bystanders() -> None:
    with Bystanders() as others:
        subprocess.run([sys.executable, "-c", SPIN], check=True)
    assert 0 <= others.share < 1


def test_figures_are_told_in_units_that_people_read() -> None:
    assert [told(n, "s") for n in (2.0, 0.0031, 0.00002)] == ["2.00 s", "3.10 ms", "20.0 µs"]
    assert told(1394.0, "a second") == "1,394 a second"
