"""What the service does by itself, whoever runs it: a process does each chore once at a time."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Event, Lock, Thread

import structlog

from app.services import Services
from workers import bots, deadlines, imap, relay, standing, tidying

log = structlog.get_logger()


def write_token_uses(services: Services) -> int:
    """Writes which tokens the requests of this process showed; a process that serves none has nothing to write."""
    return services.token_uses.write_uses(services.database)


# What to do, and how many seconds may pass without anybody asking for it.
CHORES: dict[str, tuple[Callable[[Services], object], float]] = {
    "drain": (relay.drain, relay.SWEEP),
    "sweep": (deadlines.sweep, deadlines.SWEEP),
    "bots": (bots.play, bots.EVERY),
    "standing": (standing.answer, standing.EVERY),
    "imap": (imap.poll, imap.EVERY),
    "tidy": (tidying.tidy, tidying.EVERY),
    "uses": (write_token_uses, 60.0),
}


class Chore:
    """One chore of one process: who asks while it is being done has it done once more afterwards."""

    def __init__(self, name: str, work: Callable[[], object]) -> None:
        self.name, self.work = name, work
        self._asked, self._busy = Event(), Lock()

    def __call__(self) -> None:
        self._asked.set()
        while self._asked.is_set() and self._busy.acquire(blocking=False):
            try:
                self._asked.clear()
                self.work()
            except Exception as error:  # one bad moment must not end the chore for good
                log.error("chore", chore=self.name, exc_info=error)
            finally:
                self._busy.release()


class Beat(Thread):
    """Does a chore at once, when it is nudged, and every so often: the guarantee behind nudges that may be lost."""

    def __init__(self, chore: Chore, every: float) -> None:
        super().__init__(name=f"beat-{chore.name}", daemon=True)
        self.chore, self.every = chore, every
        self._nudged, self._stopping = Event(), False

    def run(self) -> None:
        while not self._stopping:
            self.chore()
            self._nudged.wait(self.every)
            self._nudged.clear()

    def nudge(self) -> None:
        self._nudged.set()

    def stop(self) -> None:
        """Ends after what is being done."""
        self._stopping = True
        self._nudged.set()
        self.join()


def beats(services: Services) -> dict[str, Beat]:
    """A beat for each chore, as often as the table says; what the others write, the relay is told of."""
    made = {name: beat_of(name, services) for name in CHORES}
    services.nudge = made["drain"].nudge
    return made


def beat_of(name: str, services: Services) -> Beat:
    """The beat of one chore."""
    work, every = CHORES[name]
    return Beat(Chore(name, partial(work, services)), every)
