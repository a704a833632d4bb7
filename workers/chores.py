"""Periodic chores, for Celery or for threads of one process: each is done once at a time in a process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from threading import Event, Lock, Thread
from time import monotonic

import structlog

from app.mail.incoming.receive import play_due_orders
from app.operations.heartbeats import ChoreFailed, note_failure, note_success
from app.platform.errors import Away, Busy
from app.platform.services import Services
from workers import bots, deadlines, imap, notices, relay, reviewing, sharing, standing, tidying
from workers.metrics import CHORE_FAILURES, CHORE_SECONDS

log = structlog.get_logger()

LATE_AFTER = 300.0  # seconds without a heartbeat: longer than a chore may take
NOTED_EVERY = 30.0  # seconds
BREATH = 1.0  # seconds: the first page after a start comes before eleven chores that would all begin beside it


def write_token_uses(services: Services) -> int:
    """Writes which tokens the requests of this process showed; a process that serves none has nothing to write."""
    return services.token_uses.write_uses(services.database)


# What to do, and how many seconds may pass without anybody asking for it.
CHORES: dict[str, tuple[Callable[[Services], object], float]] = {
    "drain": (relay.drain, relay.SWEEP),
    "sweep": (deadlines.sweep, deadlines.SWEEP),
    "bots": (bots.play, bots.EVERY),
    "standing": (standing.answer, standing.EVERY),
    "cooling": (play_due_orders, 10.0),
    "imap": (imap.poll, imap.EVERY),
    "notices": (notices.tell, notices.EVERY),
    "shares": (sharing.draw_shares, sharing.EVERY),
    "reviews": (reviewing.review_matches, reviewing.EVERY),
    "tidy": (tidying.tidy, tidying.EVERY),
    "uses": (write_token_uses, 60.0),
}


def nobody_notes(_fault: str | None) -> None:
    """Where nobody asks later whether a chore was done."""


class Chore:
    """One chore of one process: who asks while it is being done has it done once more afterwards."""

    def __init__(
        self,
        name: str,
        work: Callable[[], object],
        noted: Callable[[str | None], None] = nobody_notes,
    ) -> None:
        self.name, self.work, self.noted = name, work, noted
        self._asked, self._busy = Event(), Lock()

    def __call__(self) -> None:
        self._asked.set()
        while self._asked.is_set() and self._busy.acquire(blocking=False):
            try:
                self._asked.clear()
                with CHORE_SECONDS.labels(self.name).time():
                    self.work()
                self.noted(None)
            except Away:
                pass  # it was told once that the database is gone; every chore would repeat it
            except ChoreFailed as failed:
                CHORE_FAILURES.labels(self.name).inc()
                self.noted(str(failed))
            except Exception as error:  # one bad moment must not end the chore for good
                log.error("chore", chore=self.name, exc_info=error)
                CHORE_FAILURES.labels(self.name).inc()
                self.noted(type(error).__name__)
            finally:
                self._busy.release()


class Beat(Thread):
    """Does a chore after its `breath`, when it is nudged, and every so often: the guarantee behind nudges that may be lost."""

    def __init__(self, chore: Chore, every: float, breath: float = 0) -> None:
        super().__init__(name=f"beat-{chore.name}", daemon=True)
        self.chore, self.every, self.breath = chore, every, breath
        self._nudged, self._stopping = Event(), False

    def run(self) -> None:
        self._nudged.wait(self.breath)
        while not self._stopping:
            self._nudged.clear()
            self.chore()
            self._nudged.wait(self.every)

    def nudge(self) -> None:
        self._nudged.set()

    def end(self) -> None:
        """Begins nothing more."""
        self._stopping = True
        self._nudged.set()

    def stop(self) -> None:
        """Ends after what is being done."""
        self.end()
        self.join()


def beats(services: Services) -> dict[str, Beat]:
    """A beat for each chore, as often as the table says; what the others write, the relay is told of."""
    made = {name: beat_of(name, services) for name in CHORES}
    services.nudge = made["drain"].nudge
    return made


def stop_beats(services: Services, running: Iterable[Beat]) -> None:
    """Ends every chore after the thing that it is doing, all at once."""
    services.stopping.set()
    for beat in running:
        beat.end()
    for beat in running:
        beat.join()


def beat_of(name: str, services: Services) -> Beat:
    """The beat of one chore."""
    work, every = CHORES[name]
    chore = Chore(name, partial(work, services), Heart(services, name, every).beat)
    return Beat(chore, every, BREATH)


class Heart:
    """Notes in the database that a chore is done, and when it fails; not oftener than anybody would look."""

    def __init__(self, services: Services, name: str, every: float) -> None:
        self.services, self.name = services, name
        self.late_after = max(LATE_AFTER, 3 * every)
        self._noted_at, self._failing = -NOTED_EVERY, False

    def beat(self, fault: str | None) -> None:
        if monotonic() < self._noted_at + NOTED_EVERY and (fault is not None) == self._failing:
            return
        database, at = self.services.database, self.services.now()
        with suppress(Busy):
            if fault is None:
                note_success(database, self.name, at, self.late_after)
            else:
                note_failure(database, self.name, at, self.late_after, fault)
            self._noted_at, self._failing = monotonic(), fault is not None
