"""Mails against one reused connection: with ready-made bytes, and with messages that only need to be written out."""

from __future__ import annotations

import logging
import smtplib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from itertools import count
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import structlog
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sqlmodel import select

from app import mail, models, notices, signin, store
from app.db import Database
from app.mails import sheet
from app.post import Smtp
from app.services import Services
from app.settings import Settings
from engine.core import chain
from engine.core.match import start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.post_office import Conversation, Office
from workers.relay import drain

ROUNDS, MAILS = 4, 30
NUMBERS = count()
MATCHES = 6  # each is written about at several of its positions


class Sink(Conversation):
    """Takes mails and forgets them."""

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


def figures(table: Table) -> None:
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
        measure(table, services, "sign-in mails", sign_ins)
        open_matches(services)
        measure(table, services, "turn mails, text", turns)
        measure(table, services, "turn mails, seats seen before", turns, forget=False)
        database.close()


Fill = Callable[[Services, int], None]


def measure(
    table: Table, services: Services, what: str, fill: Fill, *, forget: bool = True
) -> None:
    """Mails from the outbox to the server, in turns with the same mails over one connection."""
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    ours, reused, ready = list[float](), list[float](), list[float]()
    way = Smtp(services.settings)
    for number in track(range(ROUNDS + 1), description=f"Mail: {what}"):
        fill(services, number)
        messages = composed(services)
        if forget:
            store.CACHE.clear()
            sheet.KEPT.clear()
        count, spent = timed(lambda: drain(services, Keeping(way)))
        if count != len(messages):
            raise RuntimeError(f"{count} of {len(messages)} mails were sent")
        times = spent, floor(services, messages), floor(services, [m.as_bytes() for m in messages])
        if number:  # the first round warms up
            for list_, time in zip((ours, reused, ready), times, strict=True):
                list_.append(len(messages) / time)
    way.close()
    rate, least, bytes_only = median(ours), median(reused), median(ready)
    table.add_row(
        f"{what}, a second (floor: messages over one connection)",
        f"{rate:.0f}", f"{least:.0f}", f"{rate / least:.0%}", "80%",
    )  # fmt: skip
    table.add_row(
        f"{what}, a second (floor: ready-made bytes)",
        f"{rate:.0f}", f"{bytes_only:.0f}", f"{rate / bytes_only:.0%}", "",
    )  # fmt: skip


class Keeping:
    """A way that stays open between two rounds, as it does while there is something to send."""

    def __init__(self, way: Smtp) -> None:
        self.send = way.send

    def close(self) -> None:
        pass


def timed(call: Callable[[], int]) -> tuple[int, float]:
    begun = perf_counter()
    return call(), perf_counter() - begun


def floor(services: Services, messages: list[EmailMessage] | list[bytes]) -> float:
    """The seconds for the same mails over one connection that is open already."""
    settings = services.settings
    with smtplib.SMTP(settings.smtp_host or "", settings.smtp_port) as server:
        server.ehlo()
        begun = perf_counter()
        for message in messages:
            if isinstance(message, bytes):
                server.sendmail("play@chasqui.example", ["ana@example.org"], message)
            else:
                server.send_message(message)
        return perf_counter() - begun


def composed(services: Services) -> list[EmailMessage]:
    """The mails that wait, as messages that nobody has written out yet."""
    with services.database.look() as session:
        waiting = list(session.exec(select(models.Outbox).where(models.Outbox.state == "waiting")))
        made = [mail.compose(session, services, row).as_bytes() for row in waiting]
    return [message_from_bytes(one, policy=policy.SMTP) for one in made]  # type: ignore[arg-type,misc]


def sign_ins(services: Services, number: int) -> None:
    with services.database.session() as session:
        for mail_number in range(MAILS):
            address = f"a{number}.{mail_number}@example.org"
            at = services.now()
            signin.request_login(session, services.settings, address, None, "en", at)


def open_matches(services: Services) -> None:
    """Matches of random length, each with two people who want no pictures."""
    game = find("cuzco")
    with services.database.session() as session:
        plain = {"pictures": False}
        people = [
            models.Player(name=name, email=f"{name}@example.org", mail_preferences=plain)
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
            row = models.Match(
                id=match.id, game="cuzco", title="A table", seats=2, hash=chain.GENESIS
            )
            row.status = "running"
            session.add(row)
            session.flush()
            for seat, player in enumerate(people):
                session.add(models.Seat(match_id=match.id, number=seat, player_id=player.id))
            session.flush()
            store.save(session.connection(), match, 0, services.now())


def turns(services: Services, _: int) -> None:
    """A mail for whoever is asked in each match, and some more of them."""
    with services.database.session() as session:
        rows = list(session.exec(select(models.Match)))
        for mail_number in range(MAILS):
            row = rows[mail_number % len(rows)]
            match = store.load(session.connection(), row.id)
            (seat, *_) = match.game.to_act(match.state)
            player = session.get_one(models.Seat, (row.id, seat)).player_id
            kind = match.game.awaited(match.state)
            notices.post(
                session,
                kind,
                services.now(),
                match_id=row.id,
                pos=row.head,
                player_id=player,
                number=next(NUMBERS),
            )


def main() -> None:
    table = Table("what", "measured", "floor", "ratio", "goal", title="Mails")
    figures(table)
    Console().print(table)


if __name__ == "__main__":
    main()
