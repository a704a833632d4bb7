"""A second reading of Inka: slow, plain, from the rule text and the board's data alone.

It takes nothing from the engine. A position is the JSON object of the rules' last chapter, with everything
filled in by `fill`; a cell is the set of its three corners on the lattice; what a turning lozenge touches is
found by turning it. Clauses are those of `inka.md`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

Point = tuple[int, int]
Cell = frozenset[Point]
Position = dict[str, Any]

FOLDER = Path(__file__).resolve().parents[3] / "engine/inka"
BOARDS = {
    number: json.loads((FOLDER / f"board_{number}.json").read_text(encoding="utf-8"))
    for number in (1, 2)
}
DATA = BOARDS[1]  # cells and lozenges are the same in both halls


def triangle(kind: str, a: int, b: int) -> Cell:
    """A cell of the endless lattice."""
    if kind == "U":
        return frozenset({(a, b), (a + 1, b), (a, b + 1)})
    return frozenset({(a + 1, b), (a + 1, b + 1), (a, b + 1)})


CORNERS: dict[str, Cell] = {cell["id"]: triangle(*cell["tri"]) for cell in DATA["cells"]}
NAMES = {corners: name for name, corners in CORNERS.items()}
FLOORS = {
    number: {cell["id"] for cell in data["cells"] if cell["ground"] == "floor"}
    for number, data in BOARDS.items()
}
HOME: dict[str, list[str]] = {one["id"]: one["cells"] for one in DATA["destinationLozenges"]}
WALLS: dict[str, list[str]] = {one["id"]: one["walls"] for one in DATA["pathLozenges"]}
SNAKES: dict[str, list[str]] = {one["id"]: one["snakes"] for one in DATA["pathLozenges"]}
PATHS = sorted(WALLS)
NEIGHBOURS = {  # Words: across a common side, never across a corner
    name: [other for other, theirs in CORNERS.items() if len(corners & theirs) == 2]
    for name, corners in CORNERS.items()
}


# --- A lozenge in space ---


def corners_of(cells: list[str]) -> list[Point]:
    """Words: A0, O1, A2, O3, counter-clockwise on the picture."""
    first, second = CORNERS[cells[0]], CORNERS[cells[1]]
    (a0,), (a2,) = first - second, second - first
    one, other = first & second
    left_turn = (one[0] - a0[0]) * (a2[1] - a0[1]) - (one[1] - a0[1]) * (a2[0] - a0[0]) > 0
    return [a0, one, a2, other] if left_turn else [a0, other, a2, one]


def halves_of(corners: list[Point]) -> list[Cell]:
    a0, o1, a2, o3 = corners
    return [frozenset({a0, o1, o3}), frozenset({o1, a2, o3})]


def sides_of(corners: list[Point]) -> dict[str, frozenset[Point]]:
    """Words: e0 = A0-O1, e1 = O1-A2, e2 = A2-O3, e3 = O3-A0."""
    return {f"e{n}": frozenset(ends) for n, ends in enumerate(pairwise([*corners, corners[0]]))}


def turned(point: Point, pivot: Point, left: bool) -> Point:
    """The point after 60 degrees about the pivot."""
    a, b = point[0] - pivot[0], point[1] - pivot[1]
    a, b = (-b, a + b) if left else (a + b, -a)
    return pivot[0] + a, pivot[1] + b


def flat(a: float, b: float) -> tuple[float, float]:
    """Where a point of the lattice lies on paper."""
    return a + b / 2, b * sqrt(3) / 2


def overlap(one: list[tuple[float, float]], other: list[tuple[float, float]]) -> bool:
    """Whether two convex shapes share more than a border: no side's line has them on its two sides."""
    for shape in (one, other):
        for (x1, y1), (x2, y2) in zip(shape, shape[1:] + shape[:1], strict=True):
            across = (y1 - y2, x2 - x1)
            mine = [x * across[0] + y * across[1] for x, y in one]
            theirs = [x * across[0] + y * across[1] for x, y in other]
            if max(mine) < min(theirs) + 1e-9 or max(theirs) < min(mine) + 1e-9:
                return False
    return True


@cache
def touched(corners: tuple[Point, ...], left: bool) -> list[Cell]:
    """L2: what a lozenge touches while it turns by 60 degrees about (0, 0), any share, however small."""
    found = []
    shapes = []
    for n in range(21):
        angle = (1 if left else -1) * n * pi / 3 / 20
        shapes.append(
            [
                (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle))
                for x, y in (flat(*corner) for corner in corners)
            ]
        )
    for kind in "UD":
        for a in range(-3, 3):
            for b in range(-3, 3):
                cell = triangle(kind, a, b)
                drawn = [flat(*corner) for corner in cell]
                if any(overlap(shape, drawn) for shape in shapes):
                    found.append(cell)
    return found


# --- What lies where ---


def printed(position: Position, sign: str) -> list[str]:
    """The cells of the hall that is played in with this sign."""
    found: list[str] = BOARDS[position["options"]["board"]][sign]
    return found


def lozenge_at(position: Position, cell: str) -> str | None:
    for name, cells in position["lozenges"].items():
        if cell in cells:
            return str(name)
    return None


def walls(position: Position) -> set[frozenset[Point]]:
    """The sides that are closed; a destination lozenge has none."""
    closed = set()
    for name, cells in position["lozenges"].items():
        if WALLS.get(name):
            sides = sides_of(corners_of(cells))
            closed |= {sides[edge] for edge in WALLS[name]}
    return closed


def has_snake(position: Position, cell: str) -> bool:
    name = lozenge_at(position, cell)
    if name is None:
        return False
    return f"h{position['lozenges'][name].index(cell)}" in SNAKES.get(name, [])


def is_ground(position: Position, cell: str) -> bool:
    """W1: floor cells and halves of lozenges, never bare chasm."""
    return cell in FLOORS[position["options"]["board"]] or lozenge_at(position, cell) is not None


def occupied(position: Position) -> set[str]:
    """The cells of pawns and blockades."""
    return {cell for cell in [*position["pawns"], *position["blockades"]] if cell}


# --- K-L ---


def is_free(position: Position, mover: str, cell: Cell) -> bool:
    """L1: on the board, without other lozenges, pawns that do not stand on the mover, and blockades."""
    name = NAMES.get(cell)
    if name is None or lozenge_at(position, name) not in (None, mover):
        return False
    if name in position["blockades"]:
        return False
    return name not in position["pawns"] or name in position["lozenges"][mover]


def named(corners: list[Point]) -> list[str]:
    return [NAMES[half] for half in halves_of(corners)]


def slides(position: Position, mover: str) -> Iterator[list[str]]:
    """L1: any number of steps in one of the four directions of its edges."""
    begun = corners_of(position["lozenges"][mover])
    a0, o1, _, o3 = begun
    for end in (o1, o3):
        for sign in (1, -1):
            da, db = sign * (end[0] - a0[0]), sign * (end[1] - a0[1])
            corners = [(a + da, b + db) for a, b in begun]
            while all(is_free(position, mover, half) for half in halves_of(corners)):
                yield named(corners)
                corners = [(a + da, b + db) for a, b in corners]


def turns(position: Position, mover: str) -> Iterator[list[str]]:
    """L2: any number of 60-degree steps one way round about one of its four corners."""
    begun = corners_of(position["lozenges"][mover])
    for pivot in begun:
        for left in (True, False):
            corners = begun
            for _ in range(5):  # the sixth step would change nothing
                if not may_step(position, mover, corners, pivot, left):
                    break
                corners = [turned(corner, pivot, left) for corner in corners]
                yield named(corners)


def may_step(
    position: Position, mover: str, corners: list[Point], pivot: Point, left: bool
) -> bool:
    """L2: every cell it touches beyond those it covers at the start of the step is free."""
    shifted = tuple((a - pivot[0], b - pivot[1]) for a, b in corners)
    covered = halves_of(corners)
    for cell in touched(shifted, left):
        there = frozenset((a + pivot[0], b + pivot[1]) for a, b in cell)
        if there not in covered and not is_free(position, mover, there):
            return False
    return True


def moves(position: Position, mover: str) -> Iterator[str]:
    cells = position["lozenges"][mover]
    if any(cell in position["blockades"] for cell in cells):
        return  # B1
    for verb, reached in (
        ("slide", slides(position, mover)),
        ("turn", turns(position, mover)),
    ):
        for goal in reached:
            if goal != cells:  # L2: a turn that changes nothing is no move
                yield f"{verb} {goal[0]} {goal[1]}"


# --- K-W ---


def steps(position: Position, cell: str, closed: set[frozenset[Point]]) -> Iterator[str]:
    """W1: the neighbours that a pawn may step to, whoever stands there."""
    for other in NEIGHBOURS[cell]:
        if CORNERS[cell] & CORNERS[other] not in closed and is_ground(position, other):
            yield other


def costs(position: Position, begin: str) -> dict[str, int]:
    """W2: what the cheapest walk to each cell costs, in rounds until nothing gets cheaper."""
    closed = walls(position)
    known = {begin: 0}
    again = True
    while again:
        again = False
        for cell, cost in list(known.items()):
            for other in steps(position, cell, closed):
                paid = cost + (1 if has_snake(position, other) else 0)
                if paid < known.get(other, 99):
                    known[other] = paid
                    again = True
    return known


def distance(position: Position, seat: int) -> int:
    """E2: steps from neighbour to neighbour to the nearest exit; no way is worse than any way."""
    closed = walls(position)
    ring, seen, far = {position["pawns"][seat]}, set[str](), 0
    while ring:
        if ring & set(printed(position, "exits")):
            return far
        seen |= ring
        ring = {other for cell in ring for other in steps(position, cell, closed)} - seen
        far += 1
    return 1000


def uncovered(position: Position, cell: str, sign: str) -> bool:
    """W5: covered symbols have no effect."""
    return cell in printed(position, sign) and lozenge_at(position, cell) is None


# --- The end ---


def escaped(position: Position) -> list[int]:
    """E1: the seats with all three statues whose pawn stands on an exit."""
    exits = printed(position, "exits")
    return [
        seat
        for seat in range(position["seats"])
        if len(position["taken"][seat]) == 3 and position["pawns"][seat] in exits
    ]


def last_turn(position: Position) -> int:
    return int(position["options"]["round_limit"]) * int(position["seats"])


def over(position: Position) -> bool:
    return bool(escaped(position)) or position["turn"]["ended"] == last_turn(position)


def scores(position: Position) -> list[int]:
    return [len(taken) for taken in position["taken"]]


def winners(position: Position) -> list[int]:
    """E1, else E2; nobody before the end."""
    if not over(position):
        return []
    if home := escaped(position):
        return home
    worth = [
        (scores(position)[seat], -distance(position, seat)) for seat in range(position["seats"])
    ]
    return [seat for seat, mine in enumerate(worth) if mine == max(worth)]


# --- The orders ---


def legal(position: Position) -> set[str]:
    """Every legal order of the seat that is asked."""
    if over(position):
        return set()
    return set({"start": starts, "lay": layings, "turn": turn_orders}[position["phase"]](position))


def starts(position: Position) -> Iterator[str]:
    """S1."""
    for cell in printed(position, "starts"):
        if cell not in position["pawns"] and lozenge_at(position, cell) is None:
            yield f"start {cell}"


def layings(position: Position) -> Iterator[str]:
    """S3 and S4."""
    for first, others in NEIGHBOURS.items():
        for second in others:
            if any(
                lozenge_at(position, cell) or cell in position["pawns"] for cell in (first, second)
            ):
                continue
            lying = {**position["lozenges"], position["drawn"]: [first, second]}
            closed = walls({"lozenges": lying})
            if all(has_a_side(pawn, closed) for pawn in position["pawns"]):
                yield f"lay {first} {second}"


def has_a_side(cell: str, closed: set[frozenset[Point]]) -> bool:
    """S4: at least one side, towards a cell of the board, without a wall."""
    return any(CORNERS[cell] & CORNERS[other] not in closed for other in NEIGHBOURS[cell])


def turn_orders(position: Position) -> Iterator[str]:
    """K-T and K-W."""
    turn = position["turn"]
    seat, ap = turn["seat"], turn["ap"]
    pawn = position["pawns"][seat]
    if ap >= 1 and not turn["pawn"]:  # T2, T3
        for name in position["lozenges"]:
            if name in PATHS:  # L4
                for move in moves(position, name):
                    verb, goal = move.split(" ", 1)
                    yield f"{verb} {name} {goal}"
    for cell, cost in costs(position, pawn).items():  # W2
        if cell != pawn and cost <= ap and cell not in occupied(position):
            yield f"walk {cell}"
    if ap >= 1:
        here = lozenge_at(position, pawn)
        if here in HOME and here not in position["taken"][seat]:  # W3
            yield "take"
        if uncovered(position, pawn, "secretPassages"):  # W4
            for cell in printed(position, "secretPassages"):
                if uncovered(position, cell, "secretPassages") and cell not in occupied(position):
                    yield f"passage {cell}"
        if uncovered(position, pawn, "lozengeSymbols"):  # W4
            for name in HOME:
                for move in moves(position, name):
                    yield f"symbol {name} {move}"
    yield "end"
    for cell in CORNERS:
        if may_block(position, cell):
            yield f"block {cell}"


def may_block(position: Position, cell: str) -> bool:
    """B1."""
    lozenge = lozenge_at(position, cell)
    if cell in occupied(position) or lozenge in HOME:
        return False
    if lozenge and any(half in position["blockades"] for half in position["lozenges"][lozenge]):
        return False
    if position["options"]["fresh_blockade"]:
        left = position["turn"].get("lifted") or [None, None]
        return cell != left[0] and (lozenge is None or lozenge not in left[1:])
    return True


# --- What an order does ---


def after(position: Position, order: str) -> Position:
    """The position after a legal order; what is drawn by chance is `?`."""
    then = deepcopy(position)
    turn = then["turn"]
    seat = turn["seat"]
    verb, *words = order.split()
    if verb == "start":
        then["pawns"][seat] = words[0]
        next_setup(then)
    elif verb == "lay":
        then["lozenges"][then["drawn"]] = words
        next_setup(then)
    elif verb in ("slide", "turn"):
        carry(then, words[0], words[1:])
        turn["ap"] -= 1
    elif verb == "symbol":
        carry(then, words[0], words[2:])
        turn["ap"] -= 1
        turn["pawn"] = True
    elif verb == "walk":
        turn["ap"] -= costs(position, position["pawns"][seat])[words[0]]
        then["pawns"][seat] = words[0]
        turn["pawn"] = True
    elif verb == "passage":
        then["pawns"][seat] = words[0]
        turn["ap"] -= 1
        turn["pawn"] = True
    elif verb == "take":
        here = lozenge_at(position, position["pawns"][seat])
        then["taken"][seat] = sorted([*then["taken"][seat], here])
        turn["ap"] -= 1
        turn["pawn"] = True
    else:
        if verb == "block":
            then["blockades"][seat] = words[0]
        end_turn(then)
    return then


def carry(position: Position, mover: str, goal: list[str]) -> None:
    """L3: pawns on it travel with their half."""
    left = position["lozenges"][mover]
    position["pawns"] = [
        goal[left.index(pawn)] if pawn in left else pawn for pawn in position["pawns"]
    ]
    position["lozenges"][mover] = goal


def next_setup(position: Position) -> None:
    """S1, S3, S5: the next seat starts or lays, or the first turn begins."""
    position["drawn"] = None
    laid = [name for name in PATHS if name in position["lozenges"]]
    if None in position["pawns"]:
        position["turn"]["seat"] = position["pawns"].index(None)
        return
    position["turn"]["seat"] = len(laid) % position["seats"]
    position["phase"] = "lay"
    if len(laid) < len(PATHS):
        position["drawn"] = "?"
        return
    position["phase"] = "turn"
    if position["options"]["start_seat_first"]:
        position["turn"]["seat"] = 0


def end_turn(position: Position) -> None:
    """T4, E2, then T1 of the next."""
    turn = position["turn"]
    turn["ended"] += 1
    if over(position):
        return  # `turn` stays that of the last turn
    seat = (turn["seat"] + 1) % position["seats"]
    cell = position["blockades"][seat]
    position["turn"] = {"seat": seat, "ap": 3, "pawn": False, "ended": turn["ended"]}
    if position["options"]["fresh_blockade"] and cell:
        lozenge = lozenge_at(position, cell)
        position["turn"]["lifted"] = [cell, lozenge] if lozenge else [cell]
    position["blockades"][seat] = None


# --- Positions ---


class Refused(Exception):
    """An impossible position; the referee says `unknown`."""


def need(fact: bool, why: str) -> None:
    if not fact:
        raise Refused(why)


def fill(given: Position) -> Position:
    """The position with every default filled in."""
    need(isinstance(given, dict) and "seats" in given, "seats")
    seats = given["seats"]
    need(type(seats) is int and 2 <= seats <= 4, "seats")
    phase = given.get("phase", "turn")
    need(phase in ("start", "lay", "turn"), "phase")
    options = given.get("options", {})
    need(isinstance(options, dict) and options.get("board", 2) in (1, 2), "board")
    need(type(options.get("board", 2)) is int, "board")
    starts = BOARDS[options.get("board", 2)]["starts"]
    pawns = [None] * seats if phase == "start" else starts[:seats]
    position: Position = {
        "seats": seats,
        "options": {
            "round_limit": 60,
            "start_seat_first": False,
            "fresh_blockade": False,
            "board": 2,
        },
        "phase": phase,
        "pawns": list(pawns),
        "taken": [[] for _ in range(seats)],
        "lozenges": {},
        "drawn": None,
        "blockades": [None] * seats,
        "turn": {},
    }
    for key, value in given.items():
        need(key in position, f"key {key}")
        if key == "options":
            for name in value:
                need(name in position["options"], f"option {name}")
            position["options"].update(value)
        else:
            position[key] = deepcopy(value)
    try:
        position["pawns"] += [None] * (seats - len(position["pawns"]))
        position["blockades"] += [None] * (seats - len(position["blockades"]))
        position["taken"] += [[] for _ in range(seats - len(position["taken"]))]
        position["taken"] = [sorted(taken) for taken in position["taken"]]
        position["lozenges"] = {**deepcopy(HOME), **position["lozenges"]}
        position["turn"] = {**default_turn(position), **position["turn"]}
        check(position)
    except TypeError as error:  # a null or a number where a list is due
        raise Refused(str(error)) from error
    if phase == "lay" and position["drawn"] is None:
        position["drawn"] = "?"
    return position


def default_turn(position: Position) -> dict[str, Any]:
    seat = 0
    if position["phase"] == "start" and None in position["pawns"]:
        seat = position["pawns"].index(None)
    if position["phase"] == "lay":
        seat = sum(name in PATHS for name in position["lozenges"]) % position["seats"]
    return {"seat": seat, "ap": 3, "pawn": False, "ended": 0}


def check(position: Position) -> None:
    """The last bullet of the rules."""
    seats, phase, turn = position["seats"], position["phase"], position["turn"]
    pawns, blockades, lozenges = position["pawns"], position["blockades"], position["lozenges"]
    options = position["options"]
    whole(options["round_limit"], 1, 999)
    need(type(options["start_seat_first"]) is bool, "start_seat_first")
    need(type(options["fresh_blockade"]) is bool, "fresh_blockade")
    for by_seat in (pawns, position["taken"], blockades):
        need(len(by_seat) == seats, "by seat")
    for cell in [*pawns, *blockades]:
        need(cell is None or cell in CORNERS, f"cell {cell}")
    for taken in position["taken"]:
        need(taken == sorted(set(taken)) and set(taken) <= set(HOME), "taken")
    for name, cells in lozenges.items():
        need(name in HOME or name in PATHS, f"lozenge {name}")
        need(len(cells) == 2 and cells[0] in CORNERS, f"cells of {name}")
        need(cells[1] in NEIGHBOURS[cells[0]], f"{name} is no lozenge")
    covered = [cell for cells in lozenges.values() for cell in cells]
    need(len(covered) == len(set(covered)), "two lozenges on one cell")
    standing = [cell for cell in [*pawns, *blockades] if cell]
    need(len(standing) == len(set(standing)), "two on one cell")
    for pawn in pawns:
        need(pawn is None or is_ground(position, pawn), "bare chasm")
    blocked = [lozenge_at(position, cell) for cell in blockades if cell]
    blocked = [name for name in blocked if name]
    need(not set(blocked) & set(HOME), "a blockade on a destination lozenge")
    need(len(blocked) == len(set(blocked)), "two blockades on one lozenge")
    check_turn(position, turn)
    laid = [name for name in PATHS if name in lozenges]
    drawn = position["drawn"]
    if phase != "lay":
        need(drawn is None, "drawn")
    need(drawn is None or (drawn in PATHS and drawn not in laid), "drawn")
    if phase != "start":
        need(None not in pawns, "a missing pawn")
    if phase != "turn":
        need(not any(blockades), "a blockade in the setup")
        for pawn in pawns:
            need(pawn is None or pawn in printed(position, "starts"), "a pawn off the starts")
            need(pawn is None or pawn not in covered, "a pawn under a lozenge")
    if phase == "lay":
        need(len(laid) < len(PATHS), "all laid")
    if phase == "start" and not over(position):
        need(pawns[turn["seat"]] is None, "nobody to start")
    if phase == "turn" and not over(position):
        need(blockades[turn["seat"]] is None, "the blockade of the seat to act")


def check_turn(position: Position, turn: dict[str, Any]) -> None:
    need(set(turn) - {"lifted"} == {"seat", "ap", "pawn", "ended"}, "turn")
    whole(turn["seat"], 0, position["seats"] - 1)
    whole(turn["ap"], 0, 3)
    whole(turn["ended"], 0, last_turn(position))
    need(type(turn["pawn"]) is bool, "turn.pawn")


def whole(number: Any, least: int, most: int) -> None:
    need(type(number) is int and least <= number <= most, "a number")
