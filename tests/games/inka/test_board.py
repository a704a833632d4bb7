"""The hall's data: what is printed, and that every sweep is what a turning lozenge really touches."""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin, sqrt
from typing import Any

import pytest

from engine.inka import board
from engine.inka.board import CELLS, DATA, INDEX, NAMES, PAIRS, POSES, bits

Point = tuple[float, float]
HEIGHT = sqrt(3) / 2
SAMPLES = 24  # points along a side of the lozenge
ANGLES = 90  # steps of a turn by 60°


def test_the_hall_has_the_cells_of_the_book() -> None:
    assert len(CELLS) == DATA["cellCount"] == 216
    assert Counter(cell["ground"] for cell in CELLS) == {"chasm": 162, "floor": 54}
    signs = Counter(cell["special"] for cell in CELLS)
    assert (signs["start_exit"], signs["secret_passage"], signs["lozenge"]) == (4, 6, 4)
    assert DATA["starts"] == DATA["exits"] == ["r0c0", "r0c12", "r11c0", "r11c12"]


def test_the_lists_of_signs_are_those_on_the_cells() -> None:
    kinds = {"start_exit": "exits", "secret_passage": "secretPassages", "lozenge": "lozengeSymbols"}
    for special, listed in kinds.items():
        assert {c["id"] for c in CELLS if c["special"] == special} == set(DATA[listed])


def test_a_cell_is_named_by_row_and_column_from_the_upper_left() -> None:
    for cell in CELLS:
        assert cell["id"] == f"r{cell['row']}c{cell['col']}"
        assert cell["row"] == DATA["side"] - 1 - cell["tri"][2]
    assert [sum(c["row"] == row for c in CELLS) for row in range(12)] == [
        *range(13, 24, 2),
        *range(23, 12, -2),
    ]


def test_neighbours_are_the_cells_that_share_a_side() -> None:
    for cell in CELLS:
        mine = board.triangle(*cell["tri"])
        shared = {c["id"] for c in CELLS if len(mine & board.triangle(*c["tri"])) == 2}
        assert set(cell["neighbours"]) == shared


def test_every_ordered_pair_of_neighbours_is_one_place() -> None:
    pairs = {(INDEX[c["id"]], INDEX[n]) for c in CELLS for n in c["neighbours"]}
    assert set(PAIRS) == pairs
    assert len(PAIRS) == len(set(POSES.values())) == 612


def test_each_side_between_two_cells_has_one_number() -> None:
    found = Counter(board.SIDES.values())
    assert sorted(found) == list(range(306))
    assert set(found.values()) == {2}


def test_there_are_thirteen_path_lozenges_with_the_walls_and_snakes_of_the_book() -> None:
    paths = [board.LOZENGES[id_] for id_ in board.PATHS]
    assert [p.id for p in paths] == [f"L{n:02}" for n in range(1, 14)]
    assert sum(len(p.walls) for p in paths) == 13
    assert sum(len(p.snakes) for p in paths) == 6
    assert all(not board.LOZENGES[id_].walls for id_ in board.DESTINATIONS)


def test_the_destination_lozenges_fill_the_centre() -> None:
    covered = sum(board.COVER[place] for place in board.DESTINATIONS.values())
    assert {NAMES[cell] for cell in bits(covered)} == {c["id"] for c in CELLS if c["centre"]}
    for data in DATA["destinationLozenges"]:
        pose = POSES[PAIRS[board.DESTINATIONS[data["id"]]]]
        assert (list(pose.anchor), pose.rot) == (data["anchor"], data["rot"])


# Sweeps, checked by turning a lozenge in small steps and looking where its points come


@pytest.mark.parametrize("name", DATA["turnSweep"])
def test_a_sweep_names_every_cell_that_the_turn_touches(name: str) -> None:  # K-L2
    turn = DATA["turnSweep"][name]
    pivot = flat(tuple(DATA["lozengeFrame"]["corners"][name[:2]]))
    way = 1 if name[2] == "+" else -1
    touched = {
        cell_at(turned(point, pivot, way * step * pi / 3 / ANGLES))
        for step in range(ANGLES + 1)
        for point in inside()
    }
    begin = {("U", 0, 0), ("D", 0, 0)}
    assert touched - begin == {tuple(cell[:3]) for cell in turn["sweptCells"]}


@pytest.mark.parametrize("name", DATA["turnSweep"])
def test_a_turn_keeps_its_corner_where_it_is(name: str) -> None:  # K-L2
    turn, corner = DATA["turnSweep"][name], board.CORNERS[name[:2]]
    after = board.Pose((0, 0), 0).stepped(tuple(turn["newAnchor"]), turn["rotDelta"])
    assert after.vertex(corner) == corner
    assert turn["rotDelta"] == (1 if name[2] == "+" else -1)


def flat(v: Any) -> Point:
    a, b = v
    return a + b / 2, b * HEIGHT


def inside() -> list[Point]:
    """Points of a lozenge at anchor (0, 0), rot 0, all off its rim."""
    steps = [(n + 0.5) / SAMPLES for n in range(SAMPLES)]
    return [flat((a, b)) for a in steps for b in steps if abs(a + b - 1) > 1e-9]


def turned(point: Point, pivot: Point, angle: float) -> Point:
    x, y = point[0] - pivot[0], point[1] - pivot[1]
    return (
        pivot[0] + x * cos(angle) - y * sin(angle),
        pivot[1] + x * sin(angle) + y * cos(angle),
    )


def cell_at(point: Point) -> tuple[str, int, int]:
    """The cell of the lattice on which a point lies."""
    b = point[1] / HEIGHT
    a = point[0] - b / 2
    low_a, low_b = int(a // 1), int(b // 1)
    return ("U" if (a - low_a) + (b - low_b) < 1 else "D", low_a, low_b)
