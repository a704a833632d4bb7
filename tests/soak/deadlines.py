"""Deadlines fire once: three processes sweep, and are killed in the middle of it, on both databases."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from random import Random
from threading import Event

from rich.progress import Progress

from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from tests.app import sweeping
from tests.app.service import Service
from tests.soak.api import on_postgresql, on_sqlite
from workers.deadlines import sweep

SWEEPERS = 3
CLOCKS = 5000  # on each database
KILLS_IN_HUNDRED = 20  # of the moments at which clocks are due
PAUSE = 0.005


class Sweepers:
    """Processes that sweep as fast as they can, by a clock that stands in a file."""

    def __init__(self, url: str, folder: Path) -> None:
        self.time = folder / "time"
        self.command = [sys.executable, "-m", "tests.soak.deadlines", url, str(self.time)]
        self.running: list[subprocess.Popen[bytes]] = []
        self.killed, self.dice = 0, Random(3)

    def __enter__(self) -> Sweepers:
        self.set(datetime.fromisoformat("2026-01-01T00:00:00+00:00"))
        self.running = [subprocess.Popen(self.command) for _ in range(SWEEPERS)]
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.running:
            process.kill()
            process.wait()

    def set(self, at: datetime) -> None:
        new = self.time.with_suffix(".new")
        new.write_text(at.isoformat())
        new.replace(self.time)

    def kill(self) -> None:
        """One of them, as it goes; another takes its place."""
        number = self.dice.randrange(SWEEPERS)
        self.running[number].kill()
        self.running[number].wait()
        self.running[number] = subprocess.Popen(self.command)
        self.killed += 1


def deadlines() -> str:
    fired = killed = 0
    for name, place in (("SQLite", on_sqlite), ("PostgreSQL", on_postgresql)):
        with place() as service:
            told, dead = campaign(service, name)
            fired, killed = fired + told, killed + dead
    return (
        f"{2 * CLOCKS} clocks, {SWEEPERS} sweepers, {killed} kills, clocks set back and forward:"
        f" {fired} reminders and deadlines, 0 missed, 0 doubled, each at its moment"
    )


def campaign(service: Service, name: str) -> tuple[int, int]:
    database, some = service.database, sweeping.cases(CLOCKS, seed=2)
    url = database.url.render_as_string(hide_password=False)
    moments = len({at for one in some for at, _, _ in one.expected()})
    with Sweepers(url, service.folder) as sweepers, Progress() as progress:
        bar = progress.add_task(f"deadlines on {name}", total=moments)

        def swept(at: datetime) -> None:
            due = sweeping.waiting(database, at)
            doomed = due > 1 and sweepers.dice.random() * 100 < KILLS_IN_HUNDRED
            sweepers.set(at)
            while left := sweeping.waiting(database, at):
                if doomed and left < due:  # they are in the middle of it
                    sweepers.kill()
                    doomed = False
                Event().wait(PAUSE)
            progress.advance(bar)

        return sweeping.run(database, some, swept), sweepers.killed


def main(url: str, time: str) -> None:
    """One sweeper."""
    with tempfile.TemporaryDirectory() as folder:
        clock = Path(time)
        services = Services(
            Settings(data_dir=Path(folder)),
            Database(url),
            now=lambda: datetime.fromisoformat(clock.read_text()),
        )
        while True:
            sweep(services)
            Event().wait(PAUSE)


if __name__ == "__main__":
    main(*sys.argv[1:])
