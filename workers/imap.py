"""IMAP client: fetches answers from a mailbox, where no mail server can bring them: every new mail once, as soon as it is there.

The connection stays open and the server says when something comes (IDLE). Only mails to our own addresses are looked
at, and one is marked as seen when what came of it is kept: whoever dies before that finds it new again, and it counts
once all the same.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import Any

import structlog

from app.mail.connections import CAUSES
from app.mail.imap_mailbox import mailbox_cause, open_mailbox, our_mails
from app.mail.incoming.receive import LOST, MOST_BYTES
from app.mail.incoming.routing import route_mail
from app.operations.heartbeats import ChoreFailed
from app.platform.services import Services
from workers.metrics import MAILS_IN

log = structlog.get_logger()

EVERY = 1.0  # seconds between two looks; the second one listens
LISTEN = 2  # seconds, so that whoever stops us does not wait long
OVERDUE = (
    60.0  # seconds after which we look though the server said nothing: not every server says so
)
FIRST_PAUSE, LONGEST_PAUSE = 5.0, 300.0  # after a connection that failed
AT_ONCE = 200  # mails of one look; the rest waits for the next
MOST_FOREIGN = 10_000  # numbers of mails that are not for us after all


class Watch:
    """One open mailbox of this process; after a fault it is opened anew, each time a little later."""

    def __init__(self) -> None:
        self.box: Any = None
        self.listening = False
        self.looked = self.rest_until = 0.0
        self.pause = FIRST_PAUSE
        self.cause = ""
        self.foreign: set[str] = set()

    def poll(self, services: Services) -> int:
        """Takes in what is new, and says how many mails it was."""
        if monotonic() < self.rest_until:
            raise ChoreFailed(self.cause)
        try:
            count = self.look(services)
        except Exception as fault:  # a connection breaks in many ways
            self.fail(fault)
            raise ChoreFailed(self.cause) from fault
        self.pause = FIRST_PAUSE
        return count

    def look(self, services: Services) -> int:
        if self.box is None:
            self.box = open_mailbox(services.settings)
        elif self.listening and not self.told():
            return 0
        self.looked = monotonic()
        new = self.box.uids(our_mails(services.settings))
        mine = [number for number in new if number not in self.foreign][:AT_ONCE]
        count = sum(self.taken(services, number) for number in mine)
        self.listen()
        return count

    def told(self) -> bool:
        """Whether the server says that something came, or has not said anything for long."""
        heard = self.box.idle.poll(timeout=LISTEN)
        if not heard and monotonic() < self.looked + OVERDUE:
            return False
        self.listening = False
        self.box.idle.stop()
        return True

    def listen(self) -> None:
        """Lets the server say when something comes; without IDLE we look every so often."""
        if "IDLE" in self.box.client.capabilities:
            self.box.idle.start()
            self.listening = True

    def taken(self, services: Services, number: str) -> bool:
        """Takes in one mail; what cannot be taken now stays new, and what is not ours stays as it is."""
        raw = fetched(self.box, number)
        if raw is None:
            return False
        outcome = route_mail(services, raw)
        MAILS_IN.labels(outcome).inc()
        if outcome == "unknown":
            self.foreign = {*self.foreign, number} if len(self.foreign) < MOST_FOREIGN else {number}
        elif outcome != "later":
            self.box.flag(number, r"\Seen", True)
        return outcome not in LOST

    def fail(self, fault: Exception) -> None:
        """Says why, once more each time that it was tried, and rests."""
        self.cause = mailbox_cause(fault)
        log.error("mailbox", why=self.cause, means=CAUSES[self.cause])
        self.close()
        self.rest_until = monotonic() + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE)

    def close(self) -> None:
        box, self.box, self.listening = self.box, None, False
        if box is not None:
            with suppress(Exception):  # it is broken already
                box.client.shutdown()


WATCH = Watch()


def poll(services: Services) -> int:
    """Takes in what is new, and says how many mails it was; without a mailbox there is nothing to do."""
    return WATCH.poll(services) if services.settings.imap_host else 0


def fetched(box: Any, number: str) -> bytes | None:
    """The whole mail, without marking it; of one too large the beginning, which is enough to say so."""
    _, answer = box.client.uid("FETCH", number, f"(BODY.PEEK[]<0.{MOST_BYTES + 1}>)")
    bodies = [part[1] for part in answer if isinstance(part, tuple)]
    return bytes(bodies[0]) if bodies else None
