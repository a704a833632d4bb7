"""The mail log of a match: who was written to about what, and how that went; no contents, no addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from app.eventstore.store import load_match
from app.mail.outgoing.template import DECLINED
from app.matches.access import Place
from app.matches.invitations import keep_seat_key
from app.matches.participants import load_seat_names, load_seats
from app.moderation.audit import note_audit
from app.outbox.mail_preferences import load_muted
from app.outbox.rows import requeue_mail
from app.people.accounts import display_name
from app.platform import tables
from app.platform.errors import Forbidden
from app.platform.i18n import translate_sentence
from app.platform.tables import Outbox
from app.views.mail_log_json import known_mails
from app.views.seat_history import Past, load_past
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.sentence import Sentence, say, seat_letter

SHOWN = 200


# What mails are called here.
KINDS: dict[str, Sentence] = {
    "invitation": say("invitation"),
    "care": say("invitation to care for the match"),
    "turn": say("turn"),
    "question": say("question"),
    "reminder": say("reminder"),
    "timeout": say("deadline passed"),
    "over": say("result"),
    "rewound": say("taken back"),
    "restored": say("brought back"),
    "paused": say("paused"),
    "resumed": say("resumed"),
    "extended": say("more time"),
    "replaced": say("seat replaced"),
    "closed": say("closed"),
    "answer": say("answer to a mail"),
    "bounced": say("mails come back"),
    "lost": say("an invitation came back"),
    "talk": say("table talk"),
    "undo": say("undo asked for"),
    "refused": say("undo refused"),
    "proposal": say("a proposal"),
    "declined": say("proposal refused"),
    "resigned": say("player gave up"),
    "owner": say("other hands"),
}
STATES: dict[str, Sentence] = {
    "waiting": say("waits"),
    "sent": say("sent"),
    "dropped": say("not sent"),
    "dead": say("could not be delivered"),
}
REASONS: dict[str, Sentence] = {
    "stale": say("no longer awaited"),
    "muted": say("not wanted"),
    "bouncing": say("mails to this player come back"),
    "bounced": say("it came back"),
    "bot": say("a bot plays"),
    "gone": say("the player has left"),
    "alone": say("the player plays alone"),
    **dict.fromkeys(
        (
            "away",
            "certificate",
            "tls",
            "starttls",
            "host",
            "timeout",
            "connection",
            "sign-in",
            "sender",
        ),
        say("the mail server could not be reached"),
    ),
    "policy": say("the recipient’s mail server refuses this service"),
    "taken": say("accepted"),
    "withdrawn": say("taken back again"),
}


@dataclass(frozen=True, slots=True)
class Line:
    """One mail of the log; `why` only for its reader and for those who care for the match."""

    id: int
    kind: Sentence | str
    name: str | None  # None: somebody who was invited
    seat: int | None
    pos: int | None
    state: Sentence
    failed: bool
    why: Sentence | str | None
    at: datetime
    again: bool  # whether the viewer may have it sent again


@dataclass(frozen=True, slots=True)
class Log:
    """The mails of a match for one viewer; `muted` is None for those who are not written to."""

    row: tables.Match
    match: Match | None  # None: it has not begun
    lines: list[Line]
    muted: bool | None


def load_mail_log(session: Session, here: Place) -> Log:
    """The log, newest first, for those at the table."""
    if not here.at_table:
        raise Forbidden(say("You have no seat in this match."))
    readers = load_readers(session, here.match_id)
    query = select(Outbox).where(Outbox.match_id == here.match_id, known_mails(here))
    mails = session.exec(query.order_by(col(Outbox.id).desc()).limit(SHOWN))
    viewer = session.get(tables.Player, here.player_id)
    reads = here.seat is not None and viewer is not None and viewer.email is not None
    row = session.get_one(tables.Match, here.match_id)
    return Log(
        row=row,
        match=load_match(session.connection(), row.id) if row.head else None,
        lines=[line(session, mail, here, readers) for mail in mails],
        muted=here.match_id in load_muted(viewer) if viewer and reads else None,
    )


@dataclass(frozen=True, slots=True)
class Readers:
    """Who sits where now and who did before: a mail went to whoever had the seat then."""

    sits: dict[int, int]
    names: dict[int, str]
    past: Past

    def seat(self, row: Outbox) -> int | None:
        if row.player_id is None:
            return None
        return self.sits.get(row.player_id, self.past.seat_of(row.pos, row.player_id))


def load_readers(session: Session, match_id: str) -> Readers:
    seats = load_seats(session, match_id)
    sits = {seat.player_id: seat.number for seat in reversed(seats) if seat.player_id is not None}
    return Readers(sits, load_seat_names(session, match_id), load_past(session, match_id))


def name_reader(session: Session, row: Outbox, readers: Readers) -> str | None:
    """Who a mail went to, by name: also those who have left the table since, or who only care for it."""
    if row.player_id is None:
        return None
    seat = readers.sits.get(row.player_id)
    if seat is not None:
        return readers.names.get(seat, seat_letter(seat))
    return translate_sentence(display_name(session.get(tables.Player, row.player_id)))


def line(session: Session, row: Outbox, here: Place, readers: Readers) -> Line:
    may_know = here.cares or (row.player_id is not None and row.player_id == here.player_id)
    return Line(
        id=row.id or 0,
        kind=KINDS.get(row.kind, row.kind),
        name=name_reader(session, row, readers),
        seat=readers.seat(row),
        pos=row.pos if row.player_id is not None else None,
        state=STATES[row.state],
        failed=row.state == "dead",
        why=REASONS.get(row.why, row.why) if row.why not in (None, DECLINED) and may_know else None,
        at=row.sent_at or row.created_at,
        again=here.cares and row.state != "waiting" and can_repeat(row),
    )


def can_repeat(row: Outbox) -> bool:
    """What answered a mail, or told of a moment, is not made again."""
    return row.kind not in ("answer", "bounced", "talk", "care")


def resend_mail(session: Session, here: Place, number: int, at: datetime) -> None:
    """Has a mail sent once more, as a mail of this moment: who got the first takes it for a new one."""
    if here.role is None:
        raise Forbidden(say("Only those who care for the match may do this."))
    row = session.get(Outbox, number)
    if row is None or row.match_id != here.match_id or not can_repeat(row):
        raise Unknown(say("There is no such mail."))
    if row.state == "waiting":
        raise Forbidden(say("This mail has not been sent yet; it will be."))
    payload = {"again": True} if row.player_id is not None else new_key(session, row)
    requeue_mail(session, row, at, payload)
    note_audit(session, "resend", here.role, here.player_id, at, match_id=row.match_id, pos=row.pos)


def new_key(session: Session, row: Outbox) -> dict[str, str]:
    """An invitation opens its seat by a new key: the old one was not kept."""
    for seat in load_seats(session, row.match_id or ""):
        if seat.invited_email == row.email and seat.player_id is None:
            return {"key": keep_seat_key(session, seat)}
    raise Forbidden(say("Nobody is invited to that seat any more."))
