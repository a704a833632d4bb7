"""`python -m tests.games.tahuantinsuyu.room` looks for room on every board anew and writes what it found."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import engine.tahuantinsuyu.picture
from engine.tahuantinsuyu.picture.ground import stretched
from engine.tahuantinsuyu.picture.room import find_markers, find_peaks
from engine.tahuantinsuyu.printed_board import DATA, SEATS, board

FILE = Path(engine.tahuantinsuyu.picture.__path__[0]) / "room.json"
BOARDS = [(players, edition) for players in SEATS for edition in DATA]


def search(players: int, edition: int) -> dict[str, Any]:
    """What is found on one board, as JSON has it."""
    layout = stretched(board(players, edition))
    markers = find_markers(layout)
    found = {"markers": markers, "peaks": find_peaks(layout, markers)}
    read: dict[str, Any] = json.loads(json.dumps(found))
    return read


def written(found: dict[str, Any]) -> str:
    """A line a board."""
    lines = (f"{json.dumps(name)}: {json.dumps(one)}" for name, one in found.items())
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(
        written({f"{n} players, edition {e}": search(n, e) for n, e in BOARDS}), encoding="utf-8"
    )
