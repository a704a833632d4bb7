"""The mail log of a match: who was written to about what, and how that went; no contents, no addresses."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import Session, col, select

from app import audit, desk, lobby, models, seen, store, subscriptions
from app.errors import Forbidden
from app.mails.draft import DECLINED
from app.models import Outbox
from app.outbox_count import count_mail
from app.play import Place
from engine.core.match import Match
from engine.core.refusal import Unknown
from engine.core.sentence import Sentence, say, seat_letter

SHOWN = 200
# What mails are called here; a game's own questions are called by the game's word.
KINDS: dict[str, Sentence] = {
    "invitation": say("invitation"),
    "care": say("invitation to care for the match"),
    "turn": say("turn"),
    "festival": say("festival"),
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
    "bot": say("a bot plays"),
    "gone": say("the player has left"),
    "alone": say("the player plays alone"),
    "away": say("the mail server could not be reached"),
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

    row: models.Match
    match: Match | None  # None: it has not begun
    lines: list[Line]
    muted: bool | None


def log(session: Session, here: Place) -> Log:
    """The log, newest first, for those at the table."""
    if not here.at_table:
        raise Forbidden(say("You have no seat in this match."))
    seats = lobby.seats_of(session, here.match_id)
    sits = {seat.player_id: seat.number for seat in reversed(seats) if seat.player_id is not None}
    names = desk.names_of(session, here.match_id)
    query = select(Outbox).where(Outbox.match_id == here.match_id, seen.mails_known(here))
    mails = session.exec(query.order_by(col(Outbox.id).desc()).limit(SHOWN))
    viewer = session.get(models.Player, here.player_id)
    reads = here.seat is not None and viewer is not None and viewer.email is not None
    row = session.get_one(models.Match, here.match_id)
    return Log(
        row=row,
        match=store.load(session.connection(), row.id) if row.head else None,
        lines=[line(mail, here, sits, names) for mail in mails],
        muted=here.match_id in subscriptions.muted(viewer) if viewer and reads else None,
    )


def line(row: Outbox, here: Place, sits: dict[int, int], names: dict[int, str]) -> Line:
    seat = sits.get(row.player_id) if row.player_id is not None else None
    may_know = here.cares or (row.player_id is not None and row.player_id == here.player_id)
    return Line(
        id=row.id or 0,
        kind=KINDS.get(row.kind, row.kind),
        name=names.get(seat, seat_letter(seat)) if seat is not None else None,
        seat=seat,
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


def resend(session: Session, here: Place, number: int, at: datetime) -> None:
    """Has a mail sent once more, as a mail of this moment: who got the first takes it for a new one."""
    if here.role is None:
        raise Forbidden(say("Only those who care for the match may do this."))
    row = session.get(Outbox, number)
    if row is None or row.match_id != here.match_id or not can_repeat(row):
        raise Unknown(say("There is no such mail."))
    if row.state == "waiting":
        raise Forbidden(say("This mail has not been sent yet; it will be."))
    row.payload = {"again": True} if row.player_id is not None else new_key(session, row)
    row.state, row.why, row.tries, row.sent_at = "waiting", None, 0, None
    row.created_at = row.not_before = at
    count_mail(row.player_id, row.email)
    session.add(row)
    audit.note(session, "resend", here.role, here.player_id, at, match_id=row.match_id, pos=row.pos)


def new_key(session: Session, row: Outbox) -> dict[str, str]:
    """An invitation opens its seat by a new key: the old one was not kept."""
    for seat in lobby.seats_of(session, row.match_id or ""):
        if seat.invited_email == row.email and seat.player_id is None:
            return {"key": lobby.kept_by(session, seat)}
    raise Forbidden(say("Nobody is invited to that seat any more."))
