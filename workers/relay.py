"""Outbox relay: at-least-once delivery; a repeat has the same Message-ID.

Rows are claimed before their mails are sent, a few at once, by pushing them into the future, and each is marked when
its mail was sent, before the next one leaves. Whoever dies in between leaves claims that run out, and the next one
sends what was not marked: at most one mail twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from datetime import datetime, timedelta

import structlog
from sqlalchemy import bindparam, update
from sqlmodel import col, select

from app.mail.compose import compose_mail
from app.mail.connections import CAUSES
from app.mail.incoming.bounces import note_return
from app.mail.mime import Written
from app.mail.outgoing.digest import enqueue_due_digests
from app.mail.outgoing.template import Declined, Unwanted
from app.mail.transports import (
    POLICY,
    Bounced,
    MailRefused,
    TooLarge,
    Transport,
    Unreachable,
    make_transport,
)
from app.platform.services import Services
from app.platform.statements import Statement
from app.platform.tables import Outbox, Table
from workers.metrics import MAILS_OUT
from workers.pictures import draw

log = structlog.get_logger()

CLAIM = timedelta(minutes=2)
ENOUGH = timedelta(minutes=1)  # of a claim, to begin with a mail: a server takes its time to say no
FIRST_PAUSE, LONGEST_PAUSE = timedelta(seconds=15), timedelta(hours=1)
MOST_TRIES = 24  # with the pauses between them, about a day
BATCH = 20  # claimed at once
SWEEP = 15.0  # seconds between two looks into the outbox that nobody asked for

OUTBOX = Table.metadata.tables["outbox"]
THIS = OUTBOX.c.id == bindparam("row")
TAKE = Statement(
    update(OUTBOX)
    .where(THIS, OUTBOX.c.state == "waiting", OUTBOX.c.tries == bindparam("seen"))
    .values(tries=bindparam("new_tries"), not_before=bindparam("until"))
)
END = Statement(
    update(OUTBOX)
    .where(THIS)
    .values({name: bindparam(f"new_{name}") for name in ("state", "why", "sent_at", "payload")})
)
WAIT = Statement(
    update(OUTBOX)
    .where(THIS)
    .values(not_before=bindparam("new_not_before"), why=bindparam("new_why"))
)


def drain(services: Services, post: Transport | None = None) -> int:
    """Sends what waits, and says how many mails went out."""
    enqueue_due_digests(services)
    way = post or make_transport(services)
    with closing(way), ThreadPoolExecutor(1, "marks") as hand:
        marks = Marks(hand)
        count = sum(deliver(services, way, marks, row) for row in claimed(services))
        marks.wait()
        return count


def claimed(services: Services) -> Iterator[Outbox]:
    """The rows whose time has come, each for one relay alone, until there are no more."""
    while not services.stopping.is_set() and (batch := due(services)):
        until = services.now() + CLAIM
        for row in claim(services, batch, until):
            if services.stopping.is_set():  # another relay takes it at once
                write(services, row, WAIT, not_before=services.now(), why=row.why)
            elif services.now() + ENOUGH <= until:
                yield row


def due(services: Services) -> list[Outbox]:
    query = (
        select(Outbox)
        .where(Outbox.state == "waiting", col(Outbox.not_before) <= services.now())
        .order_by(col(Outbox.not_before), col(Outbox.id))
        .limit(BATCH)
    )
    with services.database.look() as session:
        return list(session.exec(query))


def claim(services: Services, batch: list[Outbox], until: datetime) -> list[Outbox]:
    """Takes rows, those that no other relay was quicker to take."""
    with services.database.write() as connection:
        return [row for row in batch if TAKE.run(connection, taking(row, until)) == 1]


def taking(row: Outbox, until: datetime) -> dict[str, object]:
    return {"row": row.id, "seen": row.tries, "new_tries": row.tries + 1, "until": until}


def deliver(services: Services, way: Transport, marks: Marks, row: Outbox) -> int:
    """Sends one mail; the mark that it was sent is made while the next one is composed."""
    message = composed(services, row)
    marks.wait()
    if message is None or not sent(services, way, row, message):
        return 0
    marks.make(services, row)
    return 1


class Marks:
    """Notes beside the work that mails were sent: the disk takes its time.

    No mail leaves before the one ahead of it is marked, so whoever dies leaves at most one to be sent again.
    """

    def __init__(self, hand: ThreadPoolExecutor) -> None:
        self._hand = hand
        self._last: Future[None] | None = None

    def make(self, services: Services, row: Outbox) -> None:
        self._last = self._hand.submit(settle, services, row, "sent")

    def wait(self) -> None:
        last, self._last = self._last, None
        if last is not None:
            last.result()


def composed(services: Services, row: Outbox) -> Written | None:
    """The mail, unless nobody waits for it any more or we cannot write it."""
    try:
        with services.database.look() as session:
            return compose_mail(session, services, row, draw)
    except Declined as declined:
        settle(services, row, "sent", declined.why)
    except Unwanted as unwanted:
        settle(services, row, "dropped", unwanted.why)
    except Exception as error:  # the mails behind it shall not wait for us to mend it
        fault(services, row, error)
    return None


def sent(services: Services, way: Transport, row: Outbox, message: Written) -> bool:
    """Whether the mail was taken; otherwise what follows from that is noted."""
    try:
        send_smaller_if_need_be(services, way, row, message)
    except Bounced as bounced:
        settle(services, row, "dead", bounced.why)
        with services.database.session() as session:
            note_return(session, session.get_one(Outbox, row.id), ours=False, at=services.now())
    except MailRefused as refused:
        settle(services, row, "dead", refused.why)
    except Unreachable as away:
        postpone(services, row, away.why)
    except Exception as error:
        fault(services, row, error)
    else:
        return True
    return False


def send_smaller_if_need_be(
    services: Services, way: Transport, row: Outbox, message: Written
) -> None:
    """Sends a mail; one that is too large for its recipient once more, without the picture.

    552 also means that the mailbox is full: whoever has no room for words alone cannot be reached.
    """
    try:
        way.send(row, message)
    except TooLarge as large:
        with services.database.look() as session:
            smaller = compose_mail(session, services, row)
        if len(smaller.source) >= len(message.source):
            raise Bounced(large.why) from large
        try:
            way.send(row, smaller)
        except TooLarge as full:
            raise Bounced(full.why) from full


def fault(services: Services, row: Outbox, error: Exception) -> None:
    """Our own fault."""
    log.error("mail", kind=row.kind, row=row.id, exc_info=error)
    postpone(services, row, "fault")


def settle(services: Services, row: Outbox, state: str, why: str | None = None) -> None:
    """Ends a row; what it carried for the mail, links too, is kept only where it died of our own fault."""
    sent_at = services.now() if state == "sent" else None
    kept = row.payload if state == "dead" and why in CAUSES else {}
    write(services, row, END, state=state, why=why, sent_at=sent_at, payload=kept)
    MAILS_OUT.labels(state).inc()
    log.info("mail", kind=row.kind, state=state, why=why, row=row.id, tries=row.tries + 1)


def postpone(services: Services, row: Outbox, why: str) -> None:
    """Tries again later, each time a little later, and not for ever."""
    tries = row.tries + 1
    if tries >= MOST_TRIES:
        settle(services, row, "dead", why)
        if why == POLICY:
            with services.database.session() as session:
                refused = session.get_one(Outbox, row.id)
                note_return(session, refused, ours=True, at=services.now())
        return
    write(services, row, WAIT, not_before=next_try(services.now(), tries), why=why)
    log.warning("mail", kind=row.kind, state="waiting", why=why, row=row.id, tries=tries)


def next_try(now: datetime, tries: int) -> datetime:
    pause: timedelta = min(FIRST_PAUSE * 2 ** min(tries - 1, 16), LONGEST_PAUSE)
    return now + pause


def write(services: Services, row: Outbox, statement: Statement, **values: object) -> None:
    new = {f"new_{name}": value for name, value in values.items()}
    with services.database.write() as connection:
        statement.run(connection, {"row": row.id, **new})
