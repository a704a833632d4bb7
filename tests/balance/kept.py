"""Matches that were played before: a long series goes on where it was stopped, as long as the game is the same.

A table of four hundred matches takes half an hour, so they are kept in the repository and whoever comes next goes on.
When words of the code have changed, the first matches are played again; the others count on if these come out the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import astuple
from hashlib import sha256
from pathlib import Path

from engine.core.registry import find
from tests.balance.matches import Course, Series
from tests.imports import Source

ROOT = Path(__file__).parents[2]
FOLDER = Path(__file__).parent / "played"
ENGINE = ROOT / "engine"
RULES = ("evolve", "rules.decide", "rules.legal", "view")
LESSONS = ("puzzles.json",)
PROOF = 10  # matches that must come out the same: three did once after a change that mattered


def play_on(series: Series, matches: int, jobs: int) -> Iterator[Course]:
    """Matches 0, 1, 2 … in order: those that are kept, then the others, each kept as soon as it is played."""
    known = kept(series) or take_over(series, jobs)
    yield from known[:matches]
    if len(known) >= matches:
        return
    with file_of(series).open("a", encoding="utf-8") as file:
        for course in series.play_some(range(len(known), matches), jobs):
            print(written(course), file=file, flush=True)
            yield course


def take_over(series: Series, jobs: int) -> list[Course]:
    """The matches of the same series by other code, if the first of them come out the same by today's."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    before = max(map(read_courses, others(series)), key=len, default=[])
    begun = list(series.play_some(range(min(PROOF, len(before))), jobs))
    known = before if before[: len(begun)] == begun else begun
    file_of(series).write_text("".join(f"{written(course)}\n" for course in known), "utf-8")
    for other in others(series):
        other.unlink()
    return known


def kept(series: Series) -> list[Course]:
    """The matches of a series that were played before, in order."""
    file = file_of(series)
    return read_courses(file) if file.exists() else []


def read_courses(file: Path) -> list[Course]:
    return [read_course(line) for line in file.read_text("utf-8").splitlines()]


def read_course(line: str) -> Course:
    return Course(*(tuple(v) if isinstance(v, list) else v for v in json.loads(line)))


def written(course: Course) -> str:
    return json.dumps(astuple(course), separators=(",", ":"))


def others(series: Series) -> list[Path]:
    """Where the same series is kept as rules and bots played it whose code was another."""
    own = file_of(series)
    return [file for file in FOLDER.glob(f"{name_of(series)}-*{own.suffix}") if file != own]


def file_of(series: Series) -> Path:
    """Where a series is kept: elsewhere as soon as the rules or the bots have changed."""
    return FOLDER / f"{name_of(series)}-{digest(series)[:12]}.jsonl"


def name_of(series: Series) -> str:
    """What was asked for, whatever the rules were then."""
    words = repr((series.seed, series.options)).encode()
    bots = "-".join(series.strengths)
    return f"{series.game}-{bots}-{series.seats}-{sha256(words).hexdigest()[:6]}"


def digest(series: Series) -> str:
    """What the matches of a series depend on: the rules, its bots and the boards, to the letter."""
    homes = sorted({series.game, find(series.game).parent or series.game})
    boards = (
        file.read_text("utf-8")
        for home in homes
        for file in sorted((ENGINE / home).glob("*"))
        if file.suffix in {".json", ".txt"} and file.name not in LESSONS
    )
    code = (file.read_text("utf-8") for file in modules(homes, series.strengths))
    return sha256("\n".join([*code, *boards]).encode()).hexdigest()


def modules(homes: Sequence[str], bots: Sequence[str]) -> list[Path]:
    """The modules that have a say in a match: the rules and these bots, and what they reach by their imports.

    Pictures, texts and lessons may change while a long series is played, and so may what the core does for
    services and logs: of the core only the dice and the arena count. How a package is put together is read
    too, but not followed: there a game meets its pictures, and a bot all other bots.
    """
    found, ahead = {ENGINE / "core" / "arena.py", ENGINE / "core" / "chance.py"}, list[str]()
    for home in homes:
        ahead += [f"engine.{home}", *(f"engine.{home}.{module}" for module in RULES)]
        ahead += [name for bot in bots for name in bot_modules(home, bot)]
    while ahead:
        file = module_file(ahead.pop())
        if file is None or file in found or file.parent == ENGINE / "core":
            continue
        found.add(file)
        if file.name != "__init__.py":
            names = Source.read(file, ROOT).imports
            ahead += [*names, *(name.rpartition(".")[0] for name in names)]
    return sorted(found)


def bot_modules(home: str, bot: str) -> list[str]:
    """The module of a bot; where it shares one with others, all of them."""
    every = sorted((ENGINE / home / "bots").glob("*.py"))
    own = [file for file in every if file.stem == bot]
    return [f"engine.{home}.bots.{file.stem}" for file in own or every]


def module_file(name: str) -> Path | None:
    """Where a module of the engine is written; None for what is no module of it."""
    path = ROOT.joinpath(*name.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    return next((file for file in files if name.startswith("engine.") and file.exists()), None)
