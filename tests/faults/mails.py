"""No mail is lost: relays are killed while a mail server takes, hesitates and refuses for a while."""

from __future__ import annotations

import signal
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from email.message import EmailMessage
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import update
from sqlmodel import col, func, select

from app.people.sessions import request_login
from app.platform.database import Database
from app.platform.settings import Settings
from app.platform.tables import Outbox, utc_now
from tests.app.post_office import Office, post_office
from tests.faults import victims

MAILS_A_KILL = 5
HESITATION = (
    0.11  # of the answers are 4xx; two are given for each mail, so a fifth of them must wait
)
WAYS = ("asked", "taken", "told")


@dataclass
class Report:
    kills: int
    mails: int
    hesitations: int
    lost: int
    duplicates: int
    strange: int  # repeats that have another Message-ID

    def __str__(self) -> str:
        return (
            f"{self.kills} kills of the relay, {self.mails} mails, {self.hesitations} answers 4xx: "
            f"{self.lost} lost, {self.duplicates} sent twice, {self.strange} of them with another Message-ID"
        )


class Taken(list[EmailMessage]):
    """The mails of an office; somebody may wait for the next one."""

    then: Callable[[], None] | None = None

    def append(self, mail: EmailMessage) -> None:
        super().append(mail)
        if self.then:
            self.then()


class Moody:
    """Answers of a mail server that is unsure now and then; may kill whom it talks to."""

    def __init__(self, rng: Random) -> None:
        self.rng, self.hesitations = rng, 0
        self.left, self.then = 0, lambda: None

    def verdict(self) -> int:
        self.left -= 1
        if self.left == 0:
            self.then()
        if self.rng.random() < HESITATION:
            self.hesitations += 1
            return 451
        return 250


def campaign(url: str, folder: Path, kills: int, seed: int = 1) -> Report:
    """Kills relays one after the other until all was tried, then lets one finish."""
    rng, database = Random(seed), Database(url)
    mails = kills * MAILS_A_KILL
    with post_office() as office:
        values = settings(url, folder, office)
        write(database, Settings(**values), mails)
        moody = Moody(rng)
        office.mails, office.verdict = Taken(), moody.verdict  # type: ignore[method-assign]
        died = sum(one_life(values, office, moody, rng, database) for _ in range(kills))
        while waiting(database):
            finish(values, database)
        report = told(database, office, mails, died, moody.hesitations)
    database.close()
    return report


def settings(url: str, folder: Path, office: Office) -> dict[str, Any]:
    return {
        "database_url": url,
        "data_dir": folder,
        "smtp_host": "127.0.0.1",
        "smtp_port": office.port,
        "smtp_security": "none",
        "mail_from": "play@chasqui.example",
    }


def write(database: Database, settings: Settings, mails: int) -> None:
    """As many people ask for a link."""
    with database.session() as session:
        for number in range(mails):
            address = f"person{number}@example.org"
            request_login(session, settings, address, next_page=None, language="en", at=utc_now())


def one_life(
    values: dict[str, Any], office: Office, moody: Moody, rng: Random, database: Database
) -> int:
    """A relay until it is killed: when it asks, when its mail was taken, or when it was told so."""
    way, after = rng.choice(WAYS), rng.randint(1, 2 * MAILS_A_KILL - 1)
    process = victims.live(victims.relay, values, after if way == "told" else 0)

    mails = office.mails
    assert isinstance(mails, Taken)
    if way == "asked":
        moody.left, moody.then = after, process.kill
    if way == "taken":
        goal = len(mails) + after
        mails.then = lambda: process.kill() if len(mails) == goal else None
    process.join()
    moody.left, mails.then = 0, None
    let_time_pass(database)
    return killed(process)


def killed(process: BaseProcess) -> int:
    assert process.exitcode in (0, -signal.SIGKILL)
    return int(process.exitcode != 0)


def finish(values: dict[str, Any], database: Database) -> None:
    process = victims.live(victims.relay, values, 0)
    process.join()
    assert process.exitcode == 0
    let_time_pass(database)


def let_time_pass(database: Database) -> None:
    """Claims of the dead run out, and pauses end."""
    with database.write() as connection:
        late = update(Outbox).where(col(Outbox.state) == "waiting")
        connection.execute(late.values(not_before=utc_now()))


def waiting(database: Database) -> int:
    with database.look() as session:
        return session.exec(select(func.count()).where(Outbox.state == "waiting")).one()


def told(database: Database, office: Office, mails: int, kills: int, hesitations: int) -> Report:
    ids = defaultdict(set)
    for mail in office.mails:
        ids[mail["To"]].add(mail["Message-ID"])
    copies = Counter(mail["Message-ID"] for mail in office.mails)
    with database.look() as session:
        sent = session.exec(select(func.count()).where(Outbox.state == "sent")).one()
    return Report(
        kills=kills,
        mails=mails,
        hesitations=hesitations,
        lost=mails - min(len(ids), sent),
        duplicates=copies.total() - len(copies),
        strange=sum(len(known) - 1 for known in ids.values()),
    )
