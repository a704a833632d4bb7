"""A table of Inka to try the rules at: the position drawn as one small text.

Parts are parted by semicolons:  `A r0c0 with D1 D2` a pawn and the statues it has,  `L05 r4c4 r4c5` where a
lozenge lies (h0 first),  `block B r3c4`,  `turn B ap 1 pawn ended 7`,  `seats 3`,  `phase lay`,  `hand L07`,
`option round_limit 5`.  Pawns that are not named stand on their starts. The hall is the first unless `option board 2`.
"""

from typing import Any

from engine.core.match import start, start_at
from engine.core.registry import games
from engine.inka.printed_board import board_data
from tests.games.table import Table

GAME = games()["inka"]
LETTERS = "ABCD"


def inka(position: str = "", seed: str = "seed") -> Table:
    return Table(start_at(GAME, read(position), seed))


def new(seats: int = 2, seed: str = "seed", **options: Any) -> Table:
    return Table(start(GAME, seats, {"board": 1, **options}, seed))


def read(text: str) -> dict[str, Any]:
    """The referee's form of a small text."""
    parts = [part.split() for part in text.split(";") if part.strip()]
    seats = max(2, *(LETTERS.index(w) + 1 for part in parts for w in part if w in [*LETTERS]), 2)
    form: dict[str, Any] = {"seats": seats, "options": {"board": 1}, "lozenges": {}, "turn": {}}
    for part in parts:
        if part[0] == "seats":
            form["seats"] = seats = int(part[1])
    form |= {"taken": [[] for _ in range(seats)], "blockades": [None] * seats}
    for part in parts:
        if part[0] == "option":
            form["options"][part[1]] = int(part[2]) if part[2:] else True
    form["pawns"] = board_data(form["options"]["board"])["starts"][:seats]
    for part in parts:
        put(form, part)
    return form


def put(form: dict[str, Any], part: list[str]) -> None:
    match part:
        case ["seats" | "option", *_]:
            pass
        case ["block", who, cell]:
            form["blockades"][LETTERS.index(who)] = cell
        case ["turn", who, *rest]:
            form["turn"] = {"seat": LETTERS.index(who), **turn(rest)}
        case ["phase", phase]:
            form["phase"] = phase
            if phase == "start":
                form["pawns"] = [None] * form["seats"]
        case ["hand", lozenge]:
            form["drawn"] = lozenge
        case [who, cell, *statues] if who in LETTERS:
            form["pawns"][LETTERS.index(who)] = cell
            form["taken"][LETTERS.index(who)] = statues[1:]
        case [lozenge, one, other]:
            form["lozenges"][lozenge] = [one, other]
        case _:
            raise ValueError(f"not a part of a position: {part}")


def turn(words: list[str]) -> dict[str, Any]:
    numbers = {
        words[i]: int(words[i + 1]) for i in range(len(words)) if words[i] in ("ap", "ended")
    }
    return {**numbers, "pawn": "pawn" in words}
