"""Answering by mail in tests: who sits where, a mail as they would send it, and what came back."""

from __future__ import annotations

from itertools import count

from sqlmodel import col, select

from app.eventstore.store import load_match
from app.mail.incoming.receive import Outcome, receive_mail
from app.mail.reply_addresses import make_reply_address
from app.platform import tables
from app.platform.services import Services
from app.platform.tables import Outbox
from engine.core.match import Match
from tests.app.seated import seat

NUMBERS = count(1)


def people(services: Services, *names: str, language: str = "en") -> list[int]:
    """Accounts at example.org."""
    with services.database.session() as session:
        made = [
            tables.Player(email=f"{name}@example.org", name=name.title(), language=language)
            for name in names
        ]
        session.add_all(made)
        session.flush()
        return [player.id or 0 for player in made]


def table(services: Services, match: Match, *names: str, **more: object) -> list[int]:
    """A match with these people in its seats."""
    ids = people(services, *names)
    seat(services, match, *ids, **more)  # type: ignore[arg-type]
    return ids


def address(services: Services, match_id: str, number: int, player: int, head: int = 0) -> str:
    """Where a player answers, for the match as it stands unless a head is given."""
    now = head or load_match(services.database, match_id).head
    return make_reply_address(services.settings, match_id, number, player, now)


def letter(body: str, sender: str = "ana@example.org", **headers: str) -> bytes:
    """A plain mail; each has its own Message-ID unless one is given."""
    told = {
        "From": sender,
        "Subject": "Re: A table",
        "Message-ID": f"<{next(NUMBERS)}@example.org>",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in told.items() if value)
    return (head + "\r\n" + body.replace("\n", "\r\n")).encode()


def answer(services: Services, to: str, body: str, sender: str = "ana@example.org") -> Outcome:
    return receive_mail(services, to, letter(body, sender), sender)


def outbox(services: Services, kind: str = "answer") -> list[Outbox]:
    with services.database.look() as session:
        query = select(Outbox).where(Outbox.kind == kind).order_by(col(Outbox.id))
        return list(session.exec(query))


def head(services: Services, match_id: str) -> int:
    return load_match(services.database, match_id).head
