"""The list of docs/ASVS.md is whole."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "docs" / "ASVS.md"
ROW = re.compile(r"^\| (\d+\.\d+\.\d+) \| ([123]) \| (.+) \| ([a-z ]+) \| (.+) \|$", re.MULTILINE)
TEST = re.compile(r"`(tests/[\w/]+\.py)::(test_\w+)`")
TBD = re.compile(r"TBD\((\w+)\)")
SECTION = re.compile(r"Below, “([^”]+)”(?: and “([^”]+)”)?")
STATUSES = {"holds", "does not apply", "deviation", "see"}
LEVELS = {"1": 70, "2": 183}

# ---------------------------------------------------------------------------------------------------------------------
# PARTS THAT ARE STILL BEING BUILT: their lines say TBD(part). Put the test into the line, then take the part out of here;
# when this is empty, no line may say TBD or "see" any more.
PENDING: frozenset[str] = frozenset()
# ---------------------------------------------------------------------------------------------------------------------

# The clauses of levels 1 and 2 of version 5.0.0, by section; those of level 3 are left out.
CLAUSES = """
1.1 1-2; 1.2 1-9; 1.3 1-11; 1.4 1-3; 1.5 1-2
2.1 1-3; 2.2 1-3; 2.3 1-4; 2.4 1
3.2 1-2; 3.3 1-4; 3.4 1-6; 3.5 1-5; 3.7 1-2
4.1 1-3; 4.2 1; 4.3 1-2; 4.4 1-4
5.1 1; 5.2 1-3; 5.3 1-2; 5.4 1-3
6.1 1-3; 6.2 1-12; 6.3 1-4; 6.4 1-4; 6.5 1-5; 6.6 1-3; 6.8 1-4
7.1 1-3; 7.2 1-4; 7.3 1-2; 7.4 1-5; 7.5 1-2; 7.6 1-2
8.1 1-2; 8.2 1-3; 8.3 1; 8.4 1
9.1 1-3; 9.2 1-4
10.1 1-2; 10.2 1-2; 10.3 1-4; 10.4 1-11; 10.5 1-5; 10.6 1-2; 10.7 1-3
11.1 1-2; 11.2 1-3; 11.3 1-3; 11.4 1-4; 11.5 1; 11.6 1
12.1 1-3; 12.2 1-2; 12.3 1-4
13.1 1; 13.2 1-5; 13.3 1-2; 13.4 1-5
14.1 1-2; 14.2 1-4; 14.3 1-3
15.1 1-3; 15.2 1-3; 15.3 1-7
16.1 1; 16.2 1-5; 16.3 1-4; 16.4 1-3; 16.5 1-3
17.1 1; 17.2 1-4; 17.3 1-2
"""


class Row(NamedTuple):
    """One requirement as the list has it."""

    clause: str
    level: str
    asks: str
    status: str
    why: str


@cache
def rows() -> list[Row]:
    return [Row(*found) for found in ROW.findall(LIST.read_text("utf-8"))]


def clauses() -> Iterator[str]:
    for section, span in re.findall(r"(\d+\.\d+) ([\d-]+)", CLAUSES):
        first, _, last = span.partition("-")
        yield from (f"{section}.{number}" for number in range(int(first), int(last or first) + 1))


def test_no_requirement_of_the_two_levels_is_missing_and_none_stands_twice() -> None:
    assert [row.clause for row in rows()] == list(clauses())
    for level, count in LEVELS.items():
        assert sum(row.level == level for row in rows()) == count


def test_every_line_of_the_tables_is_read() -> None:
    lines = re.findall(r"^\| \d+\.\d+", LIST.read_text("utf-8"), re.MULTILINE)
    assert len(lines) == len(rows())


@pytest.mark.parametrize("row", rows(), ids=lambda row: row.clause)
def test_a_line_has_a_status_and_a_test_or_a_reason(row: Row) -> None:
    assert row.status in STATUSES
    reason = TBD.sub("", TEST.sub("", row.why)).strip(" ,;")
    held = any(pattern.search(row.why) for pattern in (TEST, TBD, SECTION))
    assert held or len(reason.split()) >= 3
    if row.status in ("does not apply", "deviation"):
        assert len(reason.split()) >= 3, "it needs a reason"
    assert "TODO" not in row.why


def test_every_part_that_a_line_points_to_is_below() -> None:
    headings = set(re.findall(r"^### (.+)$", LIST.read_text("utf-8"), re.MULTILINE))
    named = {part for row in rows() for found in SECTION.findall(row.why) for part in found if part}
    assert named <= headings
    assert headings - named == set()


def test_what_is_still_to_come_belongs_to_a_part_that_is_being_built() -> None:
    open_parts = {part for row in rows() for part in TBD.findall(row.why)}
    assert open_parts == PENDING, "a part is finished, or was never announced: see PENDING above"
    for row in rows():
        assert (row.status != "see") or TBD.search(row.why), f"{row.clause} says see, and not what"
