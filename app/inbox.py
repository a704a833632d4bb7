"""Answers by mail: an act like any other, and a mail that tells what came of it.

The address says for which seat and position it was made, and only the player it was made for may use it. Who
hands a mail in twice, because nobody said in time that it had arrived, has done nothing the second time: the
orders are known by a key, and the answer is written with the note that the mail came.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Literal

import structlog
from sqlalchemy import bindparam, text
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import Session, select

from app import inbox_bounces, mail_reader, models, notices, reach, replies
from app.errors import Suspended
from app.inbox_deeds import Finding, answered, payload
from app.inbox_mail import Mail, Unreadable
from app.replies import Answerer
from app.services import Services
from engine.core.refusal import Refusal
from engine.core.sentence import say

log = structlog.get_logger()

MOST_BYTES = 256 * 1024
MOST_AN_HOUR = 100  # mails of one player; who writes more waits
COUNT = text(
    "INSERT INTO arrival (key, hour, count) VALUES (:key, :hour, 1) "
    "ON CONFLICT (key, hour) DO UPDATE SET count = arrival.count + 1 RETURNING count"
).bindparams(bindparam("hour", type_=models.Moment()))
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


def receive(services: Services, recipient: str, raw: bytes, sender: str | None = None) -> Outcome:
    """Takes in a mail; when it returns, what came of it is kept. `sender` is the envelope's, if there is one."""
    outcome = sorted_out(services, recipient, raw, sender)
    log.info("mail in", outcome=outcome, size=len(raw))
    if outcome not in LOST:
        services.nudge()
    return outcome


def sorted_out(services: Services, recipient: str, raw: bytes, sender: str | None) -> Outcome:
    to = replies.read_address(services.settings, recipient)
    returned = replies.read_bounce(services.settings, recipient)
    if len(raw) > MOST_BYTES:
        return "large"
    if to is None and returned is None:
        return "unknown"
    try:
        if count_arrival(services, to, returned) > MOST_AN_HOUR:
            return "later"
        if to is not None:
            return opened(services, to, raw, from_machine=sender in inbox_bounces.NOBODY)
        if returned is not None:
            came_back = inbox_bounces.take(services, returned, raw, sender)
            return "bounced" if came_back else "ignored"
    except (Refusal, OperationalError):  # too busy, or the table changed under our hands
        return "later"
    return "ignored"


def count_arrival(services: Services, to: Answerer | None, returned: int | None) -> int:
    """How many mails came for the same account within this hour, this one with them; before anybody reads it.

    Every mail counts: those that came before, those of machines, and our own that come back.
    """
    key = f"answers of player {to.player_id}" if to else f"returned mail {returned}"
    hour = services.now().replace(minute=0, second=0, microsecond=0)
    with services.database.session() as session:
        row = session.get(models.Outbox, returned) if returned is not None else None
        if row is not None and row.player_id is not None:
            key = f"returned to player {row.player_id}"
        return int(session.execute(COUNT, {"key": key, "hour": hour}).scalar_one())


def opened(services: Services, to: Answerer, raw: bytes, from_machine: bool) -> Outcome:
    """Reads a mail; one that breaks the reader is put aside."""
    try:
        mail = mail_reader.read_mail(raw)
    except Unreadable as fault:
        log.warning("mail in", unreadable=str(fault))
        return noted(services, to, sha256(raw).hexdigest(), "dead", raw)
    key = fingerprint(to, mail)
    with services.database.look() as session:
        player = session.get(models.Player, to.player_id)
        if came_before(session, key):
            return "repeat"
    if from_machine or mail.automatic or player is None or player.email is None:
        return noted(services, to, key, "ignored")
    if player.suspended_at is not None and mail.sender == player.email:
        why = Suspended(player.suspended_why).sentence
        return told(services, to, key, mail, Finding("refused", problem=why))
    return decided(services, to, key, mail, player.email)


def decided(services: Services, to: Answerer, key: str, mail: Mail, owner: str) -> Outcome:
    """Does what the mail asks for, and writes the answer."""
    if mail.sender != owner:
        strange = say(
            "It did not come from the address that we write to. Please answer from there."
        )
        return told(services, to, key, mail, Finding("refused", problem=strange))
    with services.database.session() as session:
        reach.confirm(session, to.player_id, services.now())
    return told(services, to, key, mail, answered(services, to, key, mail.lines))


def told(services: Services, to: Answerer, key: str, mail: Mail, finding: Finding) -> Outcome:
    """Writes the answer, unless the same mail was answered at the same moment."""
    try:
        with services.database.session() as session:
            row = note(session, services, to, key, finding.code)
            notices.post(
                session,
                "answer",
                services.now(),
                match_id=to.match_id,
                pos=to.head,
                player_id=to.player_id,
                number=row.id or 0,  # there may be several to one position
                payload=payload(session, to, finding, mail.message_id),
            )
    except IntegrityError:
        return "repeat"
    return finding.code


# Once


def fingerprint(to: Answerer, mail: Mail) -> str:
    """The same for the same mail to the same address, whichever way it came and how often."""
    return sha256(f"{to}\n{mail.message_id or mail.stamp}".encode("utf-8", "replace")).hexdigest()


def came_before(session: Session, key: str) -> bool:
    known = select(models.Received.id).where(models.Received.key == key)
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
) -> models.Received:
    """Remembers that a mail came; `raw` is kept where somebody should look at it."""
    row = models.Received(
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
