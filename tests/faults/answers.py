"""An answer by mail is executed once: whoever takes it is killed, and the mail server brings it again and again."""

from __future__ import annotations

import signal
import smtplib
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from app.eventstore.store import load_match
from app.mail.incoming import receive
from app.mail.incoming.commands import execute_mail
from app.mail.incoming.receive import write_answer
from app.mail.reply_addresses import make_reply_address
from app.platform import tables
from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.answering import letter
from tests.app.seated import seat
from tests.faults import victims
from tests.grown import wait_for
from tests.servers import free_port
from workers.inbox import Listener

STAGES = ("brought", "played", "answered")  # after DATA, always before anybody said that it arrived
MATCH = "answeredby"


@dataclass
class Report:
    mails: int = 0
    deliveries: int = 0
    kills: int = 0
    lost: int = 0
    doubled: int = 0
    unanswered: int = 0

    def __str__(self) -> str:
        return (
            f"{self.mails} answers by mail, delivered {self.deliveries} times, {self.kills} kills after DATA: "
            f"{self.lost} lost, {self.doubled} doubled, {self.unanswered} without exactly one answer"
        )


def door(values: dict[str, Any], stage: str, at: int) -> None:
    """Takes mails in; dies of the mail number `at`, at this stage of it."""
    settings = Settings(**values)
    services = Services(settings, Database(settings.database_url))
    left = [at]

    def dying(work: Callable[..., Any], here: str) -> Callable[..., Any]:
        def done(*given: Any) -> Any:
            result = work(*given)
            if here == stage and left[0] <= 0:
                victims.die()
            return result

        return done

    def counted(*given: Any) -> Any:
        left[0] -= 1
        return read(*given)

    read, receive.MOST_AN_HOUR = receive.read_mail, 10**9
    receive.read_mail = dying(counted, "brought")
    receive.execute_mail = dying(execute_mail, "played")
    receive.write_answer = dying(write_answer, "answered")
    Listener(services).start()
    Event().wait()


@dataclass
class Door:
    """A door that somebody opens again when it is found dead."""

    values: dict[str, Any]
    rng: Random
    lasts: int  # mails at most that it takes
    stages: Any = field(default_factory=lambda: cycle(STAGES))
    process: BaseProcess | None = None
    kills: int = 0

    @property
    def port(self) -> int:
        return int(self.values["inbox_port"])

    def open(self) -> None:
        if self.process is not None:
            self.process.join()
            assert self.process.exitcode == -signal.SIGKILL
            self.kills += 1
        at = self.rng.randint(1, self.lasts)
        self.process = victims.live(door, self.values, next(self.stages), at)
        wait_for(self.ready, lambda: "the door does not open")

    def ready(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()


def campaign(url: str, folder: Path, mails: int, lasts: int = 3, seed: int = 1) -> Report:
    """Plays on by mail, each answer brought until it is taken, and once or twice more."""
    values = {"database_url": url, "data_dir": folder, "inbox_port": free_port()}
    settings, rng = Settings(**values), Random(seed)  # type: ignore[arg-type]
    services = Services(settings, Database(url))
    report, entrance = Report(), Door(values, rng, lasts)
    player, rounds = account(services), 0
    try:
        entrance.open()
        while report.mails < mails:
            match_id, acts = f"{MATCH}{rounds}", 0
            match = begun(services, match_id, player)
            while report.mails < mails and not match.over:
                report.deliveries += answered(services, entrance, match, player, rng)
                report.mails, acts = report.mails + 1, acts + 1
                match = load_match(services.database, match_id)
            check(services, match, acts, report)
            rounds += 1
    finally:
        entrance.close()
        services.database.close()
    report.kills = entrance.kills
    return report


def account(services: Services) -> int:
    with services.database.session() as session:
        player = tables.Player(email="ana@example.org", name="Ana")
        session.add(player)
        session.flush()
        return player.id or 0


def begun(services: Services, match_id: str, player: int) -> Match:
    match = start(find("cuzco"), 2, {}, "a seed for tests", match_id)
    seat(services, match, player, player)
    return match


def answered(services: Services, door: Door, match: Match, player: int, rng: Random) -> int:
    """One answer with a legal order; how often it was brought."""
    order = next(random_acts(match, rng)).log[match.head].order
    (number, *_) = match.game.to_act(match.state)
    to = make_reply_address(services.settings, match.id, number, player, match.head)
    raw, taken, brought = letter(str(order)), 0, 0
    wanted = rng.choice([1, 2, 2, 3])
    while taken < wanted:
        brought += 1
        try:
            with smtplib.SMTP("127.0.0.1", door.port, timeout=60) as server:
                server.sendmail("ana@example.org", [to], raw)
            taken += 1
        except (OSError, smtplib.SMTPServerDisconnected):
            door.open()
    return brought


def check(services: Services, match: Match, acts: int, report: Report) -> None:
    """Compares what was mailed with what is in the log and in the outbox."""
    played = {entry.act for entry in match.log if entry.order is not None}
    report.lost += max(0, acts - len(played))
    report.doubled += max(0, len(played) - acts)
    with services.database.look() as session:
        of_match = (col(tables.Outbox.match_id) == match.id, tables.Outbox.kind == "answer")
        answers = session.exec(select(func.count()).where(*of_match)).one()
    report.unanswered += abs(acts - answers)
