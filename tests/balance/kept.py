"""Matches that were played before: a long series goes on where it was stopped, as long as the game is the same."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

from engine.core.registry import find
from tests.balance.matches import Course, Series

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "balance"
SHARED = ("core", "kit")


def play_on(series: Series, matches: int, jobs: int) -> Iterator[Course]:
    """Matches 0, 1, 2 … in order: those that are kept, then the others, each kept as soon as it is played."""
    known = kept(series)[:matches]
    yield from known
    FOLDER.mkdir(parents=True, exist_ok=True)
    with file_of(series).open("a", encoding="utf-8") as file:
        for course in series.play_some(range(len(known), matches), jobs):
            print(json.dumps(asdict(course)), file=file, flush=True)
            yield course


def kept(series: Series) -> list[Course]:
    """The matches of a series that were played before, in order."""
    file = file_of(series)
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    return [read_course(line) for line in lines]


def read_course(line: str) -> Course:
    found = json.loads(line)
    return Course(**{**found, "winners": tuple(found["winners"]), "colours": tuple(found["colours"])})  # fmt: skip


def file_of(series: Series) -> Path:
    """Where a series is kept: elsewhere as soon as a line of the game or of its bots has changed."""
    return FOLDER / f"{series.game}-{series.bot}-{series.seats}-{digest(series)[:16]}.jsonl"


def digest(series: Series) -> str:
    """What the matches of a series depend on: its words and the text of the game."""
    found = sha256(repr(series).encode())
    packages = {*SHARED, series.game, find(series.game).parent or series.game}
    for package in sorted(packages):
        for file in sorted((ROOT / "engine" / package).rglob("*")):
            if file.suffix in {".py", ".json", ".txt"}:
                found.update(file.read_bytes())
    return found.hexdigest()
