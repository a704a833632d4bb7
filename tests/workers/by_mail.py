"""A match by four people who only answer mails, with all the processes of the grown service between them.

Each answer is a reply to the mail that asked for it, brought by SMTP to the inbox. What they order a bot chooses,
but whoever would just end a turn proposes a festival if there can be one, and whoever is asked bids.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage

from sqlmodel import col, select

from app import backups, bots, replies, store
from app.db import Database
from app.models import Outbox, Seat
from app.services import Services
from app.settings import Settings
from engine.core import match as matches
from engine.core.match import Match
from engine.cuzco import actions, events
from tests.app.answering import people
from tests.app.seated import seat
from tests.app.test_inbox_match import NAMES, answered, begin, proposed
from tests.grown import Caller, Grown, wait_for
from workers.celery_app import carrier

TITLE = "By mail"
ADDRESSES = [f"{name}@example.org" for name in NAMES]


@dataclass
class Report:
    """How it went; mails are counted by what their subjects say after the title."""

    answers: int = 0
    orders: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    festivals: int = 0
    contested: int = 0  # festivals in which others were asked
    events: int = 0

    def __str__(self) -> str:
        orders = ", ".join(f"{count} {verb}" for verb, count in self.orders.most_common())
        return (
            f"A match of Cuzco by four people who only answered mails, through SMTP, Redis and Celery workers: "
            f"{self.answers} answers ({orders}), {self.mails.total()} mails, none twice, {self.events} events, "
            f"{self.festivals} festivals, {self.contested} of them with bids asked for; its record verifies"
        )


# Coming together


def opened(service: Grown) -> str:
    """A new match: one invites the others, and all come."""
    host, *guests = (Caller(service, address) for address in ADDRESSES)
    seats = ["me", *({"email": guest.email} for guest in guests)]
    match_id = host.must("POST", "/matches", {"game": "cuzco", "title": TITLE, "seats": seats})[
        "id"
    ]
    for guest in guests:
        service.mail(guest.email, TITLE)
        guest.must("POST", f"/matches/{match_id}/join", {})
    return str(match_id)


def put(service: Grown, match: Match) -> str:
    """A match as it stands, written beside the processes, who are told."""
    settings = settings_of(service)
    services = Services(settings, Database(settings.database_url))
    ids = people(services, *NAMES)
    seat(services, match, *ids, title=TITLE)
    begin(services, match, ids)
    services.database.close()
    carrier(settings).send_task("drain", ignore_result=True)
    return match.id


def settings_of(service: Grown) -> Settings:
    values = {
        name.removeprefix("CHASQUI_").lower(): text for name, text in service.environment.items()
    }
    return Settings(**values)  # type: ignore[arg-type]  # words, as the environment has them


# Playing


def play(service: Grown, match_id: str, progress: Callable[[], object] = int) -> Report:
    """Answers every mail that asks, until all are told that it is over; then counts."""
    settings, report = settings_of(service), Report()
    database = Database(settings.database_url)
    read = 0
    try:
        while letter := next_asking(service, read):
            read = service.office.mails.index(letter) + 1
            match = store.load(database, match_id)
            orders = chosen(match, letter, settings)
            report.answers += 1
            report.orders.update(order.split()[0] for order in orders)
            answered(letter, "\n".join(orders), report.answers, settings.inbox_port or 0)
            progress()
        check(service, database, match_id, report)
    finally:
        database.close()
    return report


def next_asking(service: Grown, read: int) -> EmailMessage | None:
    """The first unread mail that asks somebody, once it is there; none when the match is over for all."""

    def found() -> EmailMessage | str | None:
        mails = service.office.mails
        asking = (mail for mail in mails[read:] if asks(mail))
        ended = sum(said(mail) == "the match is over" for mail in mails) == len(NAMES)
        return next(asking, "over" if ended else None)

    letter = wait_for(found, lambda: f"nobody is asked\n{service.last_words()}")
    return letter if isinstance(letter, EmailMessage) else None


def asks(mail: EmailMessage) -> bool:
    return said(mail) == "your turn" or said(mail).startswith("you are asked")


def said(mail: EmailMessage) -> str:
    """What the subject says of our table."""
    title, _, what = str(mail["Subject"]).partition(": ")
    return what if title == TITLE else ""


def chosen(match: Match, letter: EmailMessage, settings: Settings) -> list[str]:
    """The orders of a whole turn; in a festival the highest stakes that the mail proposes."""
    to = replies.read_address(settings, str(letter["Reply-To"]))
    assert to is not None
    assert (to.match_id, to.head) == (match.id, match.head), "the mail is not about this position"
    if match.game.awaited(match.state) != "turn":
        return [min(proposed(letter))]  # bid comes before hold and pass
    orders = list[str]()
    while (match.game.to_act(match.state), match.game.awaited(match.state)) == ((to.seat,), "turn"):
        action = wish(match, to.seat)
        orders.append(match.game.format(action))
        match = matches.act(match, action)
    return orders


def wish(match: Match, seat: int) -> object:
    """What a steady player does, with a taste for festivals."""
    usual = bots.chosen(match, match.state, seat, "steady")
    if not isinstance(usual, actions.EndTurn):
        return usual
    legal = match.game.legal(match.state, seat)
    return next((x for x in legal if isinstance(x, actions.ProposeFestival)), usual)


# Counting


def check(service: Grown, database: Database, match_id: str, report: Report) -> None:
    """Everybody got every mail, each once, and what was played is what stands in the record."""
    wait_for(lambda: not waiting(database, match_id), lambda: f"mails wait\n{service.last_words()}")
    match = store.load(database, match_id)
    with database.look() as session:
        assert backups.problem(session.connection(), match_id) is None
        ours = select(Outbox, Seat.player_id).join(
            Seat,
            (col(Seat.match_id) == Outbox.match_id) & (col(Seat.player_id) == Outbox.player_id),
        )
        rows = [row for row, _ in session.exec(ours.where(Outbox.match_id == match_id))]
    assert match.over
    mails = [mail for mail in service.office.mails if said(mail)]
    ids = [str(mail["Message-ID"]) for mail in mails]
    assert len(set(ids)) == len(ids), "a mail came twice"
    assert {row.state for row in rows} == {"sent"}
    assert len(mails) == len(rows)
    report.mails = Counter(said(mail).partition(" (")[0] for mail in mails)
    asked = {mail["To"] for mail in mails if said(mail) == "your turn"}
    assert asked == set(ADDRESSES)
    assert report.mails["the match is over"] == len(NAMES)
    assert report.mails["your orders were played"] == report.answers
    assert report.mails["your orders were not played"] == 0
    given = [entry.order for entry in match.log if entry.order is not None]
    assert len({entry.act for entry in match.log if entry.order is not None}) == sum(
        report.orders.values()
    ), given
    told = [entry.event for entry in match.log]
    proposals = [event for event in told if isinstance(event, events.FestivalProposed)]
    report.festivals = sum(isinstance(event, events.FestivalEnded) for event in told)
    report.contested = report.mails["you are asked for an answer"]
    assert report.festivals == len(proposals)
    report.events = match.head


def waiting(database: Database, match_id: str) -> bool:
    query = select(Outbox.id).where(Outbox.match_id == match_id, Outbox.state == "waiting")
    with database.look() as session:
        return session.exec(query).first() is not None
