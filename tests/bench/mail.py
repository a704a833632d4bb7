"""Mails against one reused connection: equal mails that Python's library builds and sends, and ready-made bytes.

Both sides talk to the same server, in a process of its own. Ours looks up what to say, renders, claims, sends and marks
each mail in the database; the floor is handed headers and words.
"""

from __future__ import annotations

import logging
import smtplib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from email import policy
from email.message import EmailMessage
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from unittest.mock import patch

import structlog
from sqlmodel import select

from app.eventstore.store import MATCH_CACHE, load_match, save_match
from app.mail.compose import compose_mail, text_of_mail
from app.mail.mime import Written
from app.mail.transports import Smtp
from app.outbox.rows import enqueue_mail
from app.people.sessions import request_login
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from engine.core import chain
from engine.core.match import start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.kept import forget_shown
from tests.app.post_office import Conversation, Office
from tests.bench.measure import MOST_ROUNDS, Row, at_most, in_turns, seconds
from tests.bench.service import begun, filled
from workers import pictures
from workers.drawing import draw_png
from workers.relay import drain

MAILS = 30  # a round
NUMBERS = count()
OF_PARTS = ("Content-Type", "MIME-Version", "Content-Language")  # what the library sets or clears
LIBRARY, BYTES = "built by Python's library", "ready-made bytes"
MATCHES = 6  # each is written about at several of its positions


class Sink(Conversation):
    """Takes mails and forgets them; letters beyond ASCII too, like most servers of today."""

    extensions = ("8BITMIME",)

    def take(self) -> None:
        while self.rfile.readline() != b".\r\n":
            pass
        self.say(250)


def serve(told: Connection) -> None:
    office = Office()
    office.RequestHandlerClass = Sink  # type: ignore[assignment]
    told.send(office.port)
    office.serve_forever()


@contextmanager
def sink() -> Iterator[int]:
    """A mail server in a process of its own, as a real one would be."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    yield ours.recv()
    process.terminate()
    process.join()


def rows() -> Iterator[Row]:
    yield picture_row()
    with tempfile.TemporaryDirectory() as folder, sink() as port:
        settings = Settings(
            data_dir=Path(folder),
            smtp_host="127.0.0.1",
            smtp_port=port,
            smtp_security="none",
            mail_from="play@chasqui.example",
        )
        database = Database(settings.database_url)
        database.migrate()
        services = Services(settings, database)
        yield from measured(services, "sign-in mails", sign_ins)
        open_matches(services)
        yield from measured(services, "turn mails, text", turns)
        yield from measured(services, "turn mails, seats seen before", turns, forget=False)
        database.close()


Fill = Callable[[Services, int], None]


def measured(services: Services, what: str, fill: Fill, *, forget: bool = True) -> Iterator[Row]:
    """Mails from the outbox to the server, in turns with the same mails over one connection."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    way = Smtp(services.settings)
    waiting = list[Written]()

    def drain_all() -> float:
        fill(services, next(NUMBERS))
        waiting[:] = composed(services)
        return len(waiting) / drained(way, forget, services, waiting)

    sides = {
        "ours": drain_all,
        LIBRARY: lambda: len(waiting) / floor(built, services, waiting),
        BYTES: lambda: len(waiting) / floor(ready_made, services, waiting),
    }
    found = in_turns(what, sides)
    way.close()
    yield found.row(f"{what}, a second", "ours", LIBRARY, unit="a second")
    yield found.row(f"{what}, a second", "ours", BYTES, unit="a second")


def picture_row() -> Row:
    """A turn mail whose picture was not drawn before, beside one drawing at the size that it had in the end."""
    what, one = "turn mail with a new picture, processor time", "one drawing"
    widths, drawn = list[int](), list[str]()

    def noting(svg: str, width: int) -> bytes:  # in our own process, whose time is looked at
        widths.append(width)
        drawn.append(svg)
        return draw_png(width, "crisp_edges", svg)

    with tempfile.TemporaryDirectory() as folder:
        matches = [begun(f"drawn{number}", 30 + number) for number in range(MOST_ROUNDS + 1)]
        with filled(Settings(data_dir=Path(folder)), matches) as boards:
            services, waiting = boards[0].people[0].services, iter(boards)

            def mailed() -> None:
                with services.database.look() as session:
                    compose_mail(session, services, row, pictures.draw)

            def mail() -> float:
                nonlocal row
                row = asking_mail(services, next(waiting).id)
                with patch("workers.pictures.drawn_at", noting):
                    return seconds(mailed, process_time)

            def draw() -> float:
                return seconds(lambda: draw_png(widths[-1], "crisp_edges", drawn[-1]), process_time)

            row = tables.Outbox()
            found = in_turns(what, {"ours": mail, one: draw})
    return found.row(what, "ours", one, at_most(1.3))


def asking_mail(services: Services, match_id: str) -> tables.Outbox:
    """The row of the mail that asks for a turn."""
    with services.database.session() as session:
        match = load_match(session.connection(), match_id)
        (number, *_) = match.game.to_act(match.state)
        player = session.get_one(tables.Seat, (match_id, number)).player_id
        row = tables.Outbox(kind="turn", match_id=match_id, pos=match.head, player_id=player)
        session.add(row)
        session.flush()
        session.expunge(row)
        return row


class Keeping:
    """A way that stays open between two rounds, as it does while there is something to send."""

    def __init__(self, way: Smtp) -> None:
        self.send = way.send

    def close(self) -> None:
        pass


def drained(way: Smtp, forget: bool, services: Services, mails: list[Written]) -> float:
    """The seconds for the outbox."""
    if forget:
        MATCH_CACHE.clear()
        forget_shown()
    begun = perf_counter()
    count = drain(services, Keeping(way))
    spent = perf_counter() - begun
    if count != len(mails):
        raise RuntimeError(f"{count} of {len(mails)} mails were sent")
    return spent


def floor(write: Callable[[Told], bytes], services: Services, mails: list[Written]) -> float:
    """The seconds for the same mails over one connection that is open already."""
    settings = services.settings
    known = [told(mail) for mail in mails]
    with smtplib.SMTP(settings.smtp_host or "", settings.smtp_port) as server:
        server.ehlo()
        begun = perf_counter()
        for one in known:
            to = one.headers["To"]
            server.sendmail("play@chasqui.example", [to], write(one), ["BODY=8BITMIME"])
        return perf_counter() - begun


@dataclass(frozen=True)
class Told:
    """What a mail says, before it is one."""

    headers: dict[str, str]
    text: str
    html: str
    source: bytes


def told(written: Written) -> Told:
    message = written.parsed()
    headers = {name: str(value) for name, value in message.items() if name not in OF_PARTS}
    texts = (text_of_mail(message, kind) or "" for kind in ("plain", "html"))
    return Told(headers, *texts, source=written.source)


def built(one: Told) -> bytes:
    """A mail as one writes it with Python's library."""
    message = EmailMessage(policy=policy.SMTP)
    for name, value in one.headers.items():
        message[name] = value
    message.set_content(one.text, cte="8bit")
    message.add_alternative(one.html, subtype="html", cte="8bit")
    return message.as_bytes()


def ready_made(one: Told) -> bytes:
    return one.source


def composed(services: Services) -> list[Written]:
    """The mails that wait."""
    with services.database.look() as session:
        waiting = session.exec(select(tables.Outbox).where(tables.Outbox.state == "waiting"))
        return [compose_mail(session, services, row) for row in waiting]


def sign_ins(services: Services, number: int) -> None:
    with services.database.session() as session:
        for mail_number in range(MAILS):
            address = f"a{number}.{mail_number}@example.org"
            at = services.now()
            request_login(session, services.settings, address, next_page=None, language="en", at=at)


def open_matches(services: Services) -> None:
    """Matches of random length, each with two people who want no pictures."""
    game = find("cuzco")
    with services.database.session() as session:
        plain = {"pictures": False}
        people = [
            tables.Player(name=name, email=f"{name}@example.org", mail_preferences=plain)
            for name in ("ana", "bo")
        ]
        session.add_all(people)
        session.flush()
        for number in range(MATCHES):
            match = start(game, 2, {}, "seed", f"bench{number}")
            dice = Random(number)
            for _, later in zip(
                range(dice.randrange(20, 80)), random_acts(match, dice), strict=False
            ):
                match = later
            row = tables.Match(
                id=match.id, game="cuzco", title="A table", seats=2, hash=chain.GENESIS
            )
            row.status = "running"
            session.add(row)
            session.flush()
            for seat, player in enumerate(people):
                session.add(tables.Seat(match_id=match.id, number=seat, player_id=player.id))
            session.flush()
            save_match(session.connection(), match, 0, services.now())


def turns(services: Services, _: int) -> None:
    """A mail for whoever is asked in each match, and some more of them."""
    with services.database.session() as session:
        rows = list(session.exec(select(tables.Match)))
        for mail_number in range(MAILS):
            row = rows[mail_number % len(rows)]
            match = load_match(session.connection(), row.id)
            (seat, *_) = match.game.to_act(match.state)
            player = session.get_one(tables.Seat, (row.id, seat)).player_id
            kind = match.game.awaited(match.state)
            enqueue_mail(
                session,
                kind,
                services.now(),
                match_id=row.id,
                pos=row.head,
                player_id=player,
                number=next(NUMBERS),
            )
