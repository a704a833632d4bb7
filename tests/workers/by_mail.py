"""A match by four people who only answer mails, with all the processes of the grown service between them.

Each answer is a reply to the mail that asked for it, brought by SMTP to the inbox. What they order a bot chooses,
but whoever would just end a turn proposes a festival if there can be one, and whoever is asked bids. After a draw
they wait for the mail that tells what they drew, and go on by answering that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import partial

from sqlmodel import select

from app.eventstore.store import load_match
from app.mail.reply_addresses import Answerer, read_reply_address
from app.matches.bot_moves import choose_order
from app.operations.backups import problem
from app.platform.database import Database, open_database
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Outbox
from engine.core import match as matches
from engine.core.chance import Chance
from engine.core.match import Match
from engine.cuzco import actions, events
from tests.app.answering import people
from tests.app.mail.incoming.test_whole_matches import answered, begin, proposed
from tests.app.seated import seat
from tests.grown import Caller, Grown, wait_for, words_of
from workers.celery_app import carrier

TITLE = "By mail"
NAMES = ("eva", "finn", "gil", "hana")
ADDRESSES = [f"{name}@example.org" for name in NAMES]


@dataclass
class Report:
    """How it went; mails are counted by what their subjects say after the title."""

    answers: int = 0
    orders: Counter[str] = field(default_factory=Counter)
    mails: Counter[str] = field(default_factory=Counter)
    festivals: int = 0
    events: int = 0

    def __str__(self) -> str:
        orders = ", ".join(f"{count} {verb}" for verb, count in self.orders.most_common())
        return (
            f"A match of Cuzco by four people who only answered mails, through SMTP, Redis and Celery workers: "
            f"{self.answers} answers ({orders}), {self.mails.total()} mails, none twice, {self.events} events, "
            f"{self.festivals} festivals in which {self.mails['you are asked for an answer']} answers were asked for; "
            "its record verifies"
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
    database = open_database(settings)
    read, wanted = 0, asks
    try:
        while letter := next_letter(service, read, wanted):
            read = service.office.mails.index(letter) + 1
            asked = address(settings, letter)
            orders, goes_on = chosen(load_match(database, match_id), letter, asked)
            wanted = partial(follows, settings, letter) if goes_on else asks
            report.answers += 1
            report.orders.update(order.split()[0] for order in orders)
            answered(letter, orders, report.answers, settings.inbox_port or 0)
            progress()
        check(service, database, match_id, report)
    finally:
        database.close()
    return report


def next_letter(
    service: Grown, read: int, wanted: Callable[[EmailMessage], bool]
) -> EmailMessage | None:
    """The first unread mail that is wanted, once it is there; none when the match is over for all."""

    def found() -> EmailMessage | str | None:
        mails = service.office.mails
        refused = [words_of(mail) for mail in mails if said(mail) == "your orders were not played"]
        assert not refused, refused[0]
        ended = sum(said(mail) == "the match is over" for mail in mails) == len(NAMES)
        return next(filter(wanted, mails[read:]), "over" if ended else None)

    letter = wait_for(found, lambda: f"nobody is asked\n{service.last_words()}")
    return letter if isinstance(letter, EmailMessage) else None


def asks(mail: EmailMessage) -> bool:
    """Whether somebody is asked anew."""
    return said(mail) == "your turn" or said(mail).startswith("you are asked")


def follows(settings: Settings, before: EmailMessage, mail: EmailMessage) -> bool:
    """Whether a mail tells what the answer to one before it brought: the turn goes on from there."""
    mine = mail["To"] == before["To"] and said(mail) == "your orders were played"
    return mine and address(settings, mail).head > address(settings, before).head


def said(mail: EmailMessage) -> str:
    """What the subject says of our table."""
    title, _, what = str(mail["X-Chasqui-News"]).partition(": ")
    return what if title == TITLE else ""


def address(settings: Settings, letter: EmailMessage) -> Answerer:
    """For whom and for which position an answer to this mail counts."""
    found = read_reply_address(settings, str(letter["Reply-To"]))
    assert found is not None
    return found


def chosen(match: Match, letter: EmailMessage, asked: Answerer) -> tuple[list[str], bool]:
    """The orders of a turn up to a draw, and whether it goes on then; or the first answer that a festival's mail has."""
    assert (asked.match_id, asked.head) == (match.id, match.head), "it is about another position"
    if match.game.awaited(match.state) != "turn":
        return [min(proposed(letter))], False  # bid comes before hold and pass
    orders, known = list[str](), True
    while known and has_turn(match, asked.seat):
        action = wish(match, asked.seat)
        orders.append(match.game.format(action))
        known = not match.game.commits(match.state, action)
        match = matches.act(match, action)
    return orders, has_turn(match, asked.seat)


def has_turn(match: Match, seat: int) -> bool:
    return match.game.to_act(match.state) == (seat,) and match.game.awaited(match.state) == "turn"


def wish(match: Match, seat: int) -> object:
    """What a steady player does, with a taste for festivals."""
    dice = Chance("by mail", match.id, match.head)
    usual = choose_order(match, match.state, seat, "steady", dice)
    if not isinstance(usual, actions.EndTurn):
        return usual
    legal = match.game.legal(match.state, seat)
    return next((x for x in legal if isinstance(x, actions.ProposeFestival)), usual)


# Counting


def check(service: Grown, database: Database, match_id: str, report: Report) -> None:
    """Everybody got every mail, each once, and what was mailed is what stands in the record."""
    wait_for(lambda: not waiting(database, match_id), lambda: f"mails wait\n{service.last_words()}")
    match = load_match(database, match_id)
    assert match.over
    mails = [mail for mail in service.office.mails if said(mail)]
    assert len({mail["Message-ID"] for mail in mails}) == len(mails), "a mail came twice"
    with database.look() as session:
        assert problem(session.connection(), match_id) is None
        rows = session.exec(select(Outbox).where(Outbox.match_id == match_id)).all()
    assert {row.state for row in rows} == {"sent"}
    assert len(mails) == sum(row.player_id is not None for row in rows)
    count(match, mails, report)


def count(match: Match, mails: list[EmailMessage], report: Report) -> None:
    asked = {mail["To"] for mail in mails if said(mail) == "your turn"}
    assert asked == set(ADDRESSES)
    report.mails = Counter(said(mail).partition(" (")[0] for mail in mails)
    assert report.mails["the match is over"] == len(NAMES)
    assert report.mails["your orders were played"] == report.answers
    acts = {entry.act for entry in match.log if entry.order is not None}
    assert len(acts) == report.orders.total()
    told = Counter(type(entry.event) for entry in match.log)
    report.festivals, report.events = told[events.FestivalEnded], match.head
    assert report.festivals == told[events.FestivalProposed] == report.orders["festival"]


def waiting(database: Database, match_id: str) -> bool:
    query = select(Outbox.id).where(Outbox.match_id == match_id, Outbox.state == "waiting")
    with database.look() as session:
        return session.exec(query).first() is not None
