"""Positions of Inka where chance seldom leads: crowded halls, and halls that cannot be."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from tests.games.inka.oracle import BOARDS, FLOORS, HOME, NEIGHBOURS, PATHS

Position = dict[str, Any]
CELLS = sorted(NEIGHBOURS)
STARTS = sorted({cell for data in BOARDS.values() for cell in data["starts"]})


def around(rng: Random, size: int) -> list[str]:
    """That many cells near to each other: lozenges and pawns in a crowd meet."""
    crowd = [rng.choice(CELLS)]
    while len(crowd) < size:
        crowd = sorted({*crowd, rng.choice(NEIGHBOURS[rng.choice(crowd)])})
    return crowd


def lay_lozenges(rng: Random, names: list[str], room: list[str]) -> dict[str, list[str]]:
    """Those of the lozenges that find two free neighbours in the room."""
    laid: dict[str, list[str]] = {}
    free = set(room)
    for name in names:
        first = rng.choice(room)
        second = rng.choice(NEIGHBOURS[first])
        if {first, second} <= free:
            laid[name] = [first, second]
            free -= {first, second}
    return laid


def crowded(rng: Random) -> Position:
    """A turn in a crowded hall."""
    seats = rng.randint(2, 4)
    room = around(rng, rng.choice([30, 60, 120, 216]))
    dests = sorted(HOME)
    names = [*(dests if rng.random() < 0.4 else []), *rng.sample(PATHS, rng.randint(3, 13))] * 3
    taken_cells = [cell for name in dests if name not in names for cell in HOME[name]]
    laid = lay_lozenges(rng, names, [cell for cell in room if cell not in taken_cells])
    for name in dests:  # those that found no place lie at home, and what is there makes room
        if name not in laid:
            laid = {
                path: cells
                for path, cells in laid.items()
                if not set(cells) & set(HOME[name]) or path in dests
            }
    lying = {**HOME, **laid}
    if len({cell for cells in lying.values() for cell in cells}) < 2 * len(lying):
        return crowded(rng)
    covered = [cell for cells in lying.values() for cell in cells]
    board = rng.choice([1, 2])
    data = BOARDS[board]
    signs = [*data["exits"], *data["secretPassages"] * 3, *data["lozengeSymbols"] * 4]
    ground = [*FLOORS[board], *covered, *covered, *signs]
    pawns = some_cells(rng, sorted(ground), seats, [])
    limit = rng.choice([1, 3, 60])
    turn = {
        "seat": rng.randrange(seats),
        "ap": rng.choice([0, 1, 2, 3, 3, 3]),
        "pawn": rng.random() < 0.3,
        "ended": rng.choice([0, 0, 0, limit * seats - 2, limit * seats - 1]),
    }
    position: Position = {
        "seats": seats,
        "options": {
            "round_limit": limit,
            "start_seat_first": rng.random() < 0.2,
            "fresh_blockade": rng.random() < 0.2,
            "board": board,
        },
        "phase": "turn",
        "pawns": pawns,
        "taken": [sorted(rng.sample(dests, rng.choice([0, 1, 2, 2, 3]))) for _ in range(seats)],
        "lozenges": laid,
        "blockades": blockades(rng, seats, turn["seat"], lying, pawns, room),
        "turn": turn,
    }
    return position


def some_cells(rng: Random, pool: list[str], count: int, without: list[str]) -> list[str]:
    chosen: list[str] = []
    while len(chosen) < count:
        cell = rng.choice(pool)
        if cell not in [*chosen, *without]:
            chosen.append(cell)
    return chosen


def blockades(
    rng: Random,
    seats: int,
    acting: int,
    lying: dict[str, list[str]],
    pawns: list[str],
    room: list[str],
) -> list[str | None]:
    places: list[str | None] = []
    blocked = {cell for name in HOME for cell in lying[name]} | set(pawns)
    paths = [cells for name, cells in lying.items() if name not in HOME]
    for seat in range(seats):
        cell = rng.choice(room if rng.random() < 0.6 or not paths else rng.choice(paths))
        if seat == acting or cell in blocked or rng.random() < 0.3:
            places.append(None)
            continue
        places.append(cell)
        blocked |= {cell, *(half for cells in paths if cell in cells for half in cells)}
    return places


def setup(rng: Random) -> Position:
    """A setup with a part of it done."""
    seats, board = rng.randint(2, 4), rng.choice([1, 2])
    options, starts = {"board": board}, BOARDS[board]["starts"]
    if rng.random() < 0.2:
        begun = rng.randrange(seats)
        pawns = rng.sample(starts, begun) + [None] * (seats - begun)
        return {"seats": seats, "options": options, "phase": "start", "pawns": pawns}
    pawns = rng.sample(starts, seats)
    near = [cell for pawn in pawns for one in NEIGHBOURS[pawn] for cell in [one, *NEIGHBOURS[one]]]
    centre = {cell for cells in HOME.values() for cell in cells}
    room = sorted({*near, *around(rng, 50)} - centre - set(pawns))
    names = rng.sample(PATHS, 12)
    laid = lay_lozenges(rng, names, room)
    position = {
        "seats": seats,
        "options": options,
        "phase": "lay",
        "pawns": pawns,
        "lozenges": laid,
    }
    if rng.random() < 0.8:
        position["drawn"] = rng.choice([name for name in PATHS if name not in laid])
    return position


def odd_position(rng: Random) -> Position:
    return setup(rng) if rng.random() < 0.15 else crowded(rng)


# --- Positions with one thing changed, most often for the worse ---

Change = Callable[[Random, Position], None]


def put(key: str, *values: Any) -> Change:
    """A change that gives one key one of these values."""

    def change(rng: Random, position: Position) -> None:
        position[key] = deepcopy(rng.choice(values))

    return change


def put_in(key: str, inner: str, *values: Any) -> Change:
    """The same for a key of a key."""

    def change(rng: Random, position: Position) -> None:
        position.setdefault(key, {})[inner] = deepcopy(rng.choice(values))

    return change


def put_at(key: str, pool: list[Any]) -> Change:
    """The same for one seat's entry."""

    def change(rng: Random, position: Position) -> None:
        if key in position:
            position[key][rng.randrange(position["seats"])] = rng.choice(pool)

    return change


def drop(rng: Random, position: Position) -> None:
    del position[rng.choice(sorted(position))]


def drop_in_turn(rng: Random, position: Position) -> None:
    if position.get("turn"):
        del position["turn"][rng.choice(sorted(position["turn"]))]


def lay_anywhere(rng: Random, position: Position) -> None:
    first = rng.choice(CELLS)
    second = rng.choice(NEIGHBOURS[first] if rng.random() < 0.8 else CELLS)
    position.setdefault("lozenges", {})[rng.choice([*PATHS, *HOME])] = [first, second]


def give_all_paths(rng: Random, position: Position) -> None:
    room = [cell for cell in CELLS if cell not in {c for two in HOME.values() for c in two}]
    position["lozenges"] = lay_lozenges(rng, PATHS * 9, room)


def blockade_on_a_lozenge(rng: Random, position: Position) -> None:
    lying = {**HOME, **position.get("lozenges", {})}
    if "blockades" in position:
        cells = rng.choice(list(lying.values()))
        for seat in rng.sample(range(position["seats"]), rng.randint(1, 2)):
            position["blockades"][seat] = rng.choice(cells)


CHANGES: list[Change] = [  # in this order the last goes first, so that each finds what it changes
    drop,
    drop_in_turn,
    put("seats", 1, 5, 2, 3, 4, "2", 2.0, None, True),
    put("phase", "start", "lay", "turn", "end", None),
    put("drawn", "L01", "L13", "D1", "L14", None),
    put("pawns", ["r0c0", "r0c12"], [], ["r0c0", "r0c0"], ["r0c0", None], {}),
    put("taken", [["D1"], ["D2", "D1"]], [["D1", "D1"], []], [["L01"], []], [[], []]),
    put("colours", ["blue"]),
    put_in("options", "round_limit", 0, 1, 999, 1000, "60", 60.0, True, -1, None),
    put_in("options", "start_seat_first", True, 1, "yes", None),
    put_in("options", "pizarro", True, False),
    put_in("options", "board", 0, 1, 2, 3, "1", 2.0, True, None),
    put_in("turn", "ap", -1, 0, 3, 4, "3", None),
    put_in("turn", "seat", -1, 0, 1, 2, 3, 4, None),
    put_in("turn", "ended", -1, 0, 2, 4, 60, 120, 121, 180, 240, 241, "1"),
    put_in("turn", "pawn", True, False, 1, None),
    put_in("turn", "moved", True),
    put_in("lozenges", "L14", ["r0c0", "r0c1"]),
    put_in("lozenges", "L03", ["r0c3"], ["r0c3", "r0c4", "r0c5"], [], None, "r0c3", ["r0c3", 4]),
    put_in("lozenges", "D2", ["r6c11", "r6c10"], ["r6c10", "r6c11"], None),
    lay_anywhere,
    give_all_paths,
    blockade_on_a_lozenge,
    put_at("pawns", [*CELLS, *STARTS * 20, *[None] * 40, "r99c0", "", 7]),
    put_at("blockades", [*CELLS, *STARTS * 20, "r0c99", "L05", 3]),
    put_at("taken", [["D1", "D2", "D3"], ["D4"], ["D2", "D1"], None, "D1", ["D1", "D1"]]),
]


def changed(rng: Random, position: Position) -> Position:
    """The same with one thing changed, or two."""
    other = deepcopy(position)
    for change in sorted(
        rng.sample(CHANGES, rng.choice([1, 1, 2])), key=CHANGES.index, reverse=True
    ):
        change(rng, other)
    return other
