"""`make bench`: speed, each figure beside its goal and beside a floor or a peer measured in the same run."""

from __future__ import annotations

import json
import platform
import sqlite3
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tests.bench import acts, bots, commits, engine, growth, mail, pages, scale, start, store
from tests.bench.measure import HEADINGS, Row

PARTS: dict[str, Callable[[], Iterable[Row]]] = {
    "engine": engine.rows,
    "store": store.rows,
    "acts": acts.rows,
    "pages": pages.rows,
    "mail": mail.rows,
    "start": start.rows,
    "growth": growth.rows,
    "scale": scale.rows,
}
WIDE = 200  # letters of a line


@click.command()
@click.argument("parts", nargs=-1, type=click.Choice([*PARTS, "bots"]), metavar="[PARTS]...")
@click.option(
    "--json", "file", type=click.Path(path_type=Path), help="Write the rows into this file too."
)
@click.option(
    "--markdown",
    "text",
    type=click.Path(path_type=Path),
    help="Write the table for docs/SPEED.md into this file.",
)
@click.option("--since", metavar="COMMIT", help="Only the service as it is beside that of COMMIT.")
@click.option("--matches", default=0, help="How many matches a pairing of bots plays.")
@click.option("--jobs", default=1, help="How many processes play them.")
def main(
    parts: tuple[str, ...],
    file: Path | None,
    text: Path | None,
    since: str | None,
    matches: int,
    jobs: int,
) -> None:
    """Measures these PARTS, or all: engine, store, acts, pages, mail, start, growth, scale, bots.

    Bots alone play 200 matches a pairing, which takes an hour; beside other parts a few.
    """
    chosen = set(parts or [*PARTS, "bots"])
    measured = {part: measure for part, measure in PARTS.items() if part in chosen}
    if since:
        chosen, measured = set(), {"since": partial(commits.rows, since)}
    found = dict[str, list[Row]]()
    for part, measure in measured.items():
        found[part] = attempt(part, measure)
        keep(file, json.dumps(as_values(found), indent=1) + "\n")
        keep(text, as_markdown(found))
    if found:
        show(found)
    if "bots" in chosen:
        bots.main(matches or (bots.FULL if chosen == {"bots"} else bots.QUICK), jobs)
    if any(row.failed for rows in found.values() for row in rows):
        sys.exit(1)


def attempt(part: str, measure: Callable[[], Iterable[Row]]) -> list[Row]:
    """The rows of a part; what breaks off loses neither those before it nor the other parts."""
    rows = list[Row]()
    try:
        for row in measure():
            rows.append(row)
    except Exception as error:
        traceback.print_exc()
        rows.append(Row(part, said=f"broke off: {type(error).__name__}", failed=True))
    return rows


def keep(file: Path | None, words: str) -> None:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(words)


def show(found: dict[str, list[Row]]) -> None:
    table = Table(
        *HEADINGS, title="Chasqui bench: medians of the rounds that others disturbed least"
    )
    for rows in found.values():
        for row in rows:
            table.add_row(*row.cells())
        table.add_section()
    met = [row.met for rows in found.values() for row in rows if row.met is not None]
    console = Console()
    if not console.is_terminal:  # nobody wants a file with words cut off
        console = Console(width=WIDE)
    console.print(table)
    console.print(f"{sum(met)} of {len(met)} goals met.")


def as_markdown(found: dict[str, list[Row]]) -> str:
    """The table as docs/SPEED.md shows it."""
    lines = [HEADINGS, ("---",) * len(HEADINGS)]
    lines += [row.cells() for rows in found.values() for row in rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def as_values(found: dict[str, list[Row]]) -> dict[str, object]:
    """Everything for a program: the machine, and the rows by part."""
    machine = {
        "python": platform.python_version(),
        "sqlite": sqlite3.sqlite_version,
        "system": platform.platform(),
    }
    rows = {part: [row.values() for row in some] for part, some in found.items()}
    return {"machine": machine, "rows": rows}


if __name__ == "__main__":
    main()
