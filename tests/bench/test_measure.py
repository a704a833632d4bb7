"""The bench says honestly what it found: which goals are met, and how busy others were."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from time import process_time, sleep

from tests.bench.__main__ import as_markdown, attempt
from tests.bench.measure import (
    Bystanders,
    Measured,
    Row,
    Spent,
    answered,
    at_least,
    at_most,
    in_turns,
    told,
    working_of,
)

SPIN = "import time\nend = time.monotonic() + 0.3\nwhile time.monotonic() < end: pass"


def test_a_ratio_of_times_may_be_at_most_its_goal() -> None:
    assert Row("x", "floor", 2.4, 1.0, goal=at_most(2.5)).met
    assert Row("x", "floor", 2.6, 1.0, goal=at_most(2.5)).cells()[-2] == "NOT MET"


def test_a_part_that_breaks_off_keeps_what_it_had_found() -> None:
    def rows() -> Iterator[Row]:
        yield Row("x", "floor", 2.0, 1.0)
        raise OSError("no such server")

    kept = attempt("acts", rows)
    assert [(row.what, row.failed) for row in kept] == [("x", False), ("acts", True)]
    assert as_markdown({"acts": kept}).splitlines()[2:] == [
        "| x | 2.00 s | floor | 1.00 s | 2.00 |  |  |  |  |",
        "| acts | broke off: OSError |  |  |  |  |  |  |  |",
    ]


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
    assert found.sides == {"a": Spent(1.0), "b": Spent(1.0)}
    assert order.count("a") == order.count("b") >= 4  # one of them warmed up
    assert order[2:6] in (["b", "a", "a", "b"], ["a", "b", "b", "a"])


def test_our_own_children_are_no_bystanders() -> None:
    with Bystanders() as others:
        subprocess.run([sys.executable, "-c", SPIN], check=True)
    assert 0 <= others.share < 1


def test_what_a_server_answers_is_compared_by_the_clock_and_by_its_own_work() -> None:
    found = Measured({"ours": Spent(0.009, 0.002), "floor": Spent(0.001, 0.001)}, foreign=0.9)
    row = found.share("x", "ours", "floor", at_least(0.2))
    assert (round(row.ratio or 0, 2), row.worked_ratio) == (0.11, 0.5)
    assert row.met is False  # people wait by the clock


def test_who_sleeps_works_nothing() -> None:
    spent = answered(lambda: sleep(0.1), 3, process_time)()
    assert spent.clock >= 0.1 > (spent.server or 0)


def test_the_work_of_another_process_is_known() -> None:
    works = "import time\nwhile time.process_time() < 0.3: pass\nprint(flush=True)\ninput()"
    command = [sys.executable, "-c", works]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout
        other.stdout.readline()
        assert 0.3 <= working_of(other.pid)() < 3
        other.communicate(b"\n")


def test_figures_are_told_in_units_that_people_read() -> None:
    assert [told(n, "s") for n in (2.0, 0.0031, 0.00002)] == ["2.00 s", "3.10 ms", "20.0 µs"]
    assert told(1394.0, "a second") == "1,394 a second"
