"""The tables of a game and a bot, on the screen and as a section of docs/BALANCE.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from rich.table import Table

from tests.balance.figures import COURSE, WINS, Measured, course_row, win_rows

FILE = Path(__file__).parents[2] / "docs" / "BALANCE.md"
HEAD = """# How fair the games are

Bots of one strength play each other. A shared win counts as its part; "from fair" is in points of a hundred; "first
round" are matches that ended before anybody had a second turn; leads are those between turns, by score, in Inka by the way that is left.
In a duel one seat is the first bot's and all others are the second's; every deal is played once from each seat.
Made by `make balance ARGS="… --write"`; the command above each table plays the same matches again.
"""
ASKED: Mapping[str, int] = {"inka": 400, "tahuantinsuyu": 400}  # matches of a table; 200 elsewhere
DUEL = 100


def tables(title: str, measured: Sequence[Measured]) -> list[Table]:
    """What is printed: who won, and how the matches went."""
    return [
        filled(Table(*WINS, title=title), (row for one in measured for row in win_rows(one))),
        filled(Table(*COURSE), map(course_row, measured)),
    ]


def filled(table: Table, rows: Iterable[tuple[str, ...]]) -> Table:
    for row in rows:
        table.add_row(*row)
    return table


def asked(game: str, rival: str | None) -> int:
    """How many matches a table should tell of."""
    return DUEL if rival else ASKED.get(game, 200)


def section(title: str, command: str, measured: Sequence[Measured], asked: int = 0) -> str:
    """The same tables as Markdown under a heading, and whether they tell of fewer matches than were asked for."""
    wins = markdown(WINS, (row for one in measured for row in win_rows(one)))
    course = markdown(COURSE, map(course_row, measured))
    few = any(len(one.courses) < asked for one in measured)
    note = f"\n**Fewer matches than the {asked} asked for: read the intervals.**\n" if few else ""
    return f"## {title}\n\n`{command}`\n\n{wins}\n{course}{note}"


def markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def write_section(title: str, text: str) -> None:
    """Puts a section into the file: in place of the one of the same title, or in the order of titles."""
    old = FILE.read_text("utf-8") if FILE.exists() else HEAD
    _, *parts = re.split(r"^(?=## )", old, flags=re.MULTILINE)
    sections = {part.splitlines()[0].removeprefix("## "): part.rstrip() + "\n" for part in parts}
    sections[title] = text
    ordered = [sections[name] for name in sorted(sections)]
    FILE.write_text("\n".join([HEAD, *ordered]), "utf-8")
