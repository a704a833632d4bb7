"""The hall's data: what is printed, and that every sweep is what a turning lozenge really touches."""

from __future__ import annotations

from collections import Counter
from math import cos, pi, sin, sqrt
from typing import Any

import pytest

from engine.inka import printed_board
from engine.inka.printed_board import (
    BOARDS,
    CELLS,
    DATA,
    INDEX,
    NAMES,
    PAIRS,
    POSES,
    bits,
    board_data,
)

Point = tuple[float, float]
HEIGHT = sqrt(3) / 2
SAMPLES = 24  # points along a side of the lozenge
ANGLES = 90  # steps of a turn by 60°


every_hall = pytest.mark.parametrize("number", BOARDS)
FLOOR = {1: 54, 2: 30}


@every_hall
def test_a_hall_has_the_cells_of_the_book(number: int) -> None:
    data = board_data(number)
    assert len(data["cells"]) == data["cellCount"] == 216
    grounds = Counter(cell["ground"] for cell in data["cells"])
    assert grounds == {"chasm": 216 - FLOOR[number], "floor": FLOOR[number]}
    signs = Counter(cell["special"] for cell in data["cells"])
    assert (signs["start_exit"], signs["secret_passage"], signs["lozenge"]) == (4, 6, 4)
    assert data["starts"] == data["exits"] == ["r0c0", "r0c12", "r11c0", "r11c12"]
    assert all(cell["ground"] == "floor" for cell in data["cells"] if cell["special"])
    assert all(cell["ground"] == "chasm" for cell in data["cells"] if cell["centre"])


@every_hall
def test_every_start_is_as_good_as_any_other(number: int) -> None:
    printed = {
        (c["row"], c["col"]): c["special"] or c["ground"] for c in board_data(number)["cells"]
    }
    for (row, col), kind in printed.items():
        last = max(there for r, there in printed if r == row)
        assert kind == printed[row, last - col] == printed[11 - row, col]


def test_all_halls_have_the_same_cells_and_lozenges() -> None:
    first, second = map(board_data, BOARDS)
    own = {"name", "cells", "starts", "exits", "secretPassages", "lozengeSymbols"}
    assert {key: first[key] for key in first.keys() - own} == {
        key: second[key] for key in second.keys() - own
    }
    for one, other in zip(first["cells"], second["cells"], strict=True):
        printed = {"ground": other["ground"], "special": other["special"]}
        assert {**one, **printed} == other


@every_hall
def test_the_lists_of_signs_are_those_on_the_cells(number: int) -> None:
    data = board_data(number)
    kinds = {"start_exit": "exits", "secret_passage": "secretPassages", "lozenge": "lozengeSymbols"}
    for special, listed in kinds.items():
        cells = {c["id"] for c in data["cells"] if c["special"] == special}
        assert cells == set(data[listed])


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
        mine = printed_board.triangle(*cell["tri"])
        shared = {c["id"] for c in CELLS if len(mine & printed_board.triangle(*c["tri"])) == 2}
        assert set(cell["neighbours"]) == shared


def test_every_ordered_pair_of_neighbours_is_one_place() -> None:
    pairs = {(INDEX[c["id"]], INDEX[n]) for c in CELLS for n in c["neighbours"]}
    assert set(PAIRS) == pairs
    assert len(PAIRS) == len(set(POSES.values())) == 612


def test_each_side_between_two_cells_has_one_number() -> None:
    found = Counter(printed_board.SIDES.values())
    assert sorted(found) == list(range(306))
    assert set(found.values()) == {2}


def test_there_are_thirteen_path_lozenges_with_the_walls_and_snakes_of_the_book() -> None:
    paths = [printed_board.LOZENGES[id_] for id_ in printed_board.PATHS]
    assert [p.id for p in paths] == [f"L{n:02}" for n in range(1, 14)]
    assert sum(len(p.walls) for p in paths) == 13
    assert sum(len(p.snakes) for p in paths) == 6
    assert all(not printed_board.LOZENGES[id_].walls for id_ in printed_board.DESTINATIONS)


def test_the_destination_lozenges_fill_the_centre() -> None:
    covered = sum(
        printed_board.COVER[place] for place in printed_board.printed_board(1).homes.values()
    )
    assert {NAMES[cell] for cell in bits(covered)} == {c["id"] for c in CELLS if c["centre"]}
    for data in DATA["destinationLozenges"]:
        pose = POSES[PAIRS[printed_board.printed_board(1).homes[data["id"]]]]
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
    turn, corner = DATA["turnSweep"][name], printed_board.CORNERS[name[:2]]
    after = printed_board.Pose((0, 0), 0).stepped(tuple(turn["newAnchor"]), turn["rotDelta"])
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
