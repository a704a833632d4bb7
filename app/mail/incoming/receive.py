"""Answers by mail: an act like any other, and a mail that tells what came of it.

The address says for which seat and position it was made, and only the player it was made for may use it. Who
hands a mail in twice, because nobody said in time that it had arrived, has done nothing the second time: the
orders are known by a key, and the answer is written with the note that the mail came.

Whatever can be found out by reading is read before anything is written: the counter of arrivals comes first, then
a transaction for what the mail changes, if it changes anything, and one for the answer, which is in words by then.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Literal

import structlog
from sqlalchemy import bindparam, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session, col, select

from app.mail.incoming.bounces import NOBODY, take_bounce
from app.mail.incoming.commands import (
    Finding,
    all_verbs,
    end_waiting,
    execute_mail,
    play_waiting,
    reply_payload,
)
from app.mail.incoming.exercises import take_exercise
from app.mail.incoming.message import Mail, Unreadable
from app.mail.incoming.own_marks import load_marks_of_us
from app.mail.incoming.reader_process import read_mail
from app.mail.reply_addresses import (
    Answerer,
    Learner,
    read_bounce_address,
    read_exercise_address,
    read_reply_address,
)
from app.outbox.deliverability import confirm_reachable, is_missing
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.errors import Suspended
from app.platform.services import Services
from engine.core.refusal import Refusal
from engine.core.sentence import say

log = structlog.get_logger()
MOST_BYTES = 256 * 1024
MOST_DUE = 100
MOST_AN_HOUR = 100  # mails of one player; who writes more waits
COUNT = text(
    "INSERT INTO arrival (key, hour, count) VALUES (:key, :hour, 1) "
    "ON CONFLICT (key, hour) DO UPDATE SET count = arrival.count + 1 RETURNING count"
).bindparams(bindparam("hour", type_=tables.Moment()))
Outcome = Literal[
    "played",  # and answered
    "refused",  # and told why
    "told",  # what was asked for
    "bounced",  # a mail of ours came back
    "ignored",  # a machine wrote it
    "repeat",  # it came before
    "dead",  # nobody can read it; it is kept, and the one who brought it is told
    "unknown",  # no such address
    "large",
    "later",  # we cannot now: it may be brought again
]
LOST: tuple[Outcome, ...] = ("unknown", "large", "later")  # the one who brought it keeps it


def receive_mail(
    services: Services, recipient: str, raw: bytes, sender: str | None = None
) -> Outcome:
    """Takes in a mail; when it returns, what came of it is kept. `sender` is the envelope's, if there is one."""
    outcome = sorted_out(services, recipient, raw, sender)
    log.info("mail in", outcome=outcome, size=len(raw))
    if outcome not in LOST:
        services.nudge()
    return outcome


def sorted_out(services: Services, recipient: str, raw: bytes, sender: str | None) -> Outcome:
    to = read_reply_address(services.settings, recipient)
    returned = read_bounce_address(services.settings, recipient)
    learner = read_exercise_address(services.settings, recipient)
    if len(raw) > MOST_BYTES:
        return "large"
    if to is None and returned is None and learner is None:
        return "unknown"
    try:
        if count_arrival(services, to or learner, returned) > MOST_AN_HOUR:
            return "later"
        if learner is not None:
            return learnt(services, learner, raw, from_machine=sender in NOBODY)
        if to is not None:
            return opened(services, to, raw, from_machine=sender in NOBODY)
        if returned is not None:
            came_back = take_bounce(services, returned, raw, sender)
            return "bounced" if came_back else "ignored"
    except (Refusal, OperationalError):  # too busy, or the table changed under our hands
        return "later"
    return "ignored"


def learnt(services: Services, to: Learner, raw: bytes, from_machine: bool) -> Outcome:
    """An answer to a lesson or a puzzle."""
    try:
        mail = read_mail(raw, load_marks_of_us(services.settings), all_verbs())
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return "ignored"
    return "told" if not from_machine and take_exercise(services, to, mail) else "ignored"


def count_arrival(services: Services, to: Answerer | Learner | None, returned: int | None) -> int:
    """How many mails came for the same account within this hour, this one with them; before anybody reads it.

    Every mail counts: those that came before, those of machines, and our own that come back.
    """
    key = f"answers of player {to.player_id}" if to else f"returned mail {returned}"
    hour = services.now().replace(minute=0, second=0, microsecond=0)
    with services.database.session() as session:
        row = session.get(tables.Outbox, returned) if returned is not None else None
        if row is not None and row.player_id is not None:
            key = f"returned to player {row.player_id}"
        return int(session.execute(COUNT, {"key": key, "hour": hour}).scalar_one())


def opened(services: Services, to: Answerer, raw: bytes, from_machine: bool) -> Outcome:
    """Reads a mail; one that breaks the reader is put aside."""
    try:
        mail = read_mail(raw, load_marks_of_us(services.settings), all_verbs())
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return noted(services, to, sha256(raw).hexdigest(), "dead", raw)
    key = fingerprint(to, mail)
    with services.database.look() as session:
        player = session.get(tables.Player, to.player_id)
        if came_before(session, key):
            return "repeat"
    if from_machine or mail.automatic or player is None or player.email is None:
        return noted(services, to, key, "ignored")
    if player.suspended_at is not None and mail.sender == player.email:
        why = Suspended(player.suspended_why).sentence
        return write_answer(services, to, key, mail, Finding("refused", problem=why))
    return decided(services, to, key, mail, player)


def decided(
    services: Services, to: Answerer, key: str, mail: Mail, owner: tables.Player
) -> Outcome:
    """Does what the mail asks for, and writes the answer."""
    if mail.sender != owner.email:
        strange = say(
            "It did not come from the address that we write to. Please answer from there."
        )
        return write_answer(services, to, key, mail, Finding("refused", problem=strange))
    if is_missing(owner, services.now()):
        with services.database.session() as session:
            confirm_reachable(session, to.player_id, services.now())
    return write_answer(services, to, key, mail, execute_mail(services, to, key, mail))


def write_answer(
    services: Services, to: Answerer, key: str, mail: Mail, finding: Finding
) -> Outcome:
    """Writes the answer, unless the same mail was answered at the same moment."""
    payload = load_payload(services, to, finding, mail.message_id)
    try:
        with services.database.session() as session:
            enqueue_answer(session, services, to, key, payload)
    except IntegrityError:
        return "repeat"
    return finding.code


def load_payload(
    services: Services, to: Answerer, finding: Finding, message_id: str
) -> dict[str, Any]:
    with services.database.look() as session:
        return reply_payload(session, to, finding, message_id)


def enqueue_answer(
    session: Session, services: Services, to: Answerer, key: str, payload: dict[str, Any]
) -> None:
    """Notes that the mail came, and calls for the mail that answers it."""
    row = note(session, services, to, key, payload["code"])
    enqueue_mail(
        session,
        "answer",
        services.now(),
        match_id=to.match_id,
        pos=to.head,
        player_id=to.player_id,
        number=row.id or 0,  # there may be several to one position
        payload=payload,
    )


# Orders whose time has come


def play_due_orders(services: Services) -> int:
    """Plays the orders by mail that have waited as long as their players wished, and tells them; how many."""
    with services.database.look() as session:
        query = select(tables.Cooling).where(col(tables.Cooling.due_at) <= services.now())
        due = list(session.exec(query.order_by(col(tables.Cooling.due_at)).limit(MOST_DUE)))
    return sum(play_due(services, row) for row in due)


def play_due(services: Services, row: tables.Cooling) -> bool:
    """Plays, then forgets and answers in one transaction: who dies in between plays nothing twice."""
    to = Answerer(row.match_id, row.seat, row.player_id, row.head)
    try:
        finding = play_waiting(services, row)
    except Refusal:  # too busy: later
        return False
    payload = load_payload(services, to, finding, row.message_id)
    with services.database.session() as session:
        if not end_waiting(session, row):
            return False
        enqueue_answer(session, services, to, f"cooled {row.key}", payload)
    services.nudge()
    return True


# Once


def fingerprint(to: Answerer, mail: Mail) -> str:
    """The same for the same mail to the same address, whichever way it came and how often."""
    return sha256(f"{to}\n{mail.message_id or mail.stamp}".encode("utf-8", "replace")).hexdigest()


def came_before(session: Session, key: str) -> bool:
    known = select(tables.Received.id).where(tables.Received.key == key)
    return session.exec(known).first() is not None


def noted(
    services: Services, to: Answerer, key: str, state: Outcome, raw: bytes | None = None
) -> Outcome:
    try:
        with services.database.session() as session:
            note(session, services, to, key, state, raw)
    except IntegrityError:
        return "repeat"
    return state


def note(
    session: Session,
    services: Services,
    to: Answerer,
    key: str,
    state: Outcome,
    raw: bytes | None = None,
) -> tables.Received:
    """Remembers that a mail came; `raw` is kept where somebody should look at it."""
    row = tables.Received(
        key=key,
        match_id=to.match_id,
        player_id=to.player_id,
        state=state,
        source=raw.decode("latin-1").replace("\0", "\ufffd") if raw is not None else None,
        at=services.now(),
    )
    session.add(row)
    session.flush()
    return row
