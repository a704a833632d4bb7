"""Every kind of mail about a match: the match as it stands when such a mail is written, and who reads it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from email.message import EmailMessage

from sqlmodel import Session, select

from app.mail.compose import compose_mail, text_of_mail
from app.outbox.rows import enqueue_mail
from app.platform import tables
from app.platform.services import Services
from engine.core.match import Match, note, play, restore, rewind
from engine.core.timeline import (
    Closed,
    Extended,
    OwnerChanged,
    Paused,
    Resumed,
    SeatReplaced,
    SeatResigned,
    UndoAsked,
    UndoRefused,
)
from workers.pictures import draw

REASON = "the cat sat on the keyboard"
Later = Callable[[Match], Match]


def act(*orders: str) -> Later:
    """The match after orders of whoever is asked."""

    def later(match: Match) -> Match:
        for order in orders:
            match = play(match, match.game.to_act(match.state)[0], order)
        return match

    return later


def taken_back(match: Match) -> Match:
    return rewind(act("place village g8")(match), match.head, "owner", REASON)


# What has happened when such a mail is written.
KINDS: dict[str, Later] = {
    "turn": lambda match: match,
    "question": act("festival e14 tumi"),
    "reminder": lambda match: match,
    "timeout": lambda match: match,
    "rewound": taken_back,
    "restored": lambda match: restore(taken_back(match), "owner"),
    "paused": lambda match: note(match, Paused("owner", REASON)),
    "resumed": lambda match: note(note(match, Paused("owner", "a")), Resumed("owner", REASON)),
    "extended": lambda match: note(match, Extended("owner", REASON, 24)),
    "replaced": lambda match: note(match, SeatReplaced("owner", REASON, 1)),
    "closed": lambda match: note(match, Closed("owner", REASON)),
    "undo": lambda match: note(match, UndoAsked(1, 2, REASON)),
    "refused": lambda match: note(note(match, UndoAsked(1, 2, "a")), UndoRefused("owner", REASON)),
    "resigned": lambda match: note(match, SeatResigned(1, REASON)),
    "owner": lambda match: note(match, OwnerChanged("owner", REASON)),
    "talk": lambda match: match,
}
STATUS = {"paused": "paused", "closed": "closed"}


def called_for(
    session: Session, match: Match, kind: str, player_id: int, at: datetime
) -> tables.Outbox:
    """The row in the outbox for such a mail, about the match as it stands."""
    number = spoken(session, match, at) if kind == "talk" else 0
    about = {"match_id": match.id, "pos": match.head, "number": number}
    enqueue_mail(session, kind, at, player_id=player_id, **about)
    found = tables.Outbox.match_id == match.id, tables.Outbox.kind == kind
    mine = tables.Outbox.player_id == player_id
    return session.exec(select(tables.Outbox).where(*found, mine)).one()


def spoken(session: Session, match: Match, at: datetime) -> int:
    speaker = session.get_one(tables.Seat, (match.id, 1)).player_id or 0
    said = tables.Talk(match_id=match.id, player_id=speaker, text="Beware <of> me!", at=at)
    session.add(said)
    session.flush()
    return said.id or 0


def composed(services: Services, row: tables.Outbox, pictures: bool = True) -> EmailMessage:
    with services.database.look() as session:
        return compose_mail(session, services, row, draw if pictures else None).parsed()


def text(message: EmailMessage, kind: str = "plain") -> str:
    return text_of_mail(message, kind) or ""
