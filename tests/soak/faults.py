"""The long campaigns against crashes: kills of relay and server, a broker that vanishes, mails in time, backups."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import quantiles

from rich.progress import Progress
from sqlmodel import col, select

from app.platform import tables
from app.platform.database import Database
from tests.faults import acts, answers, broker, drill, mails
from tests.grown import Grown, grown
from tests.servers import migrate, running_postgresql

RELAY_KILLS, SERVER_KILLS, PROMPT_ACTS, DRILLS = 250, 500, 1000, 50
ANSWERS = 1000


@contextmanager
def databases() -> Iterator[list[tuple[str, Path]]]:
    """An empty database of each kind, with a folder for the service's own files."""
    with (
        tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made,
        running_postgresql() as server,
    ):
        sqlite = f"sqlite:///{made}/chasqui.sqlite3"
        migrate(sqlite)
        yield [(sqlite, Path(made)), (server.fresh(), Path(made))]


@contextmanager
def service() -> Iterator[Grown]:
    with (
        tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made,
        running_postgresql() as server,
        grown(server, Path(made), CHASQUI_LIMITS="false") as running,
    ):
        yield running


def relay_kills() -> str:
    told = []
    with databases() as both:
        for url, folder in both:
            report = mails.campaign(url, folder, RELAY_KILLS // 2)
            assert report.lost == report.strange == 0
            assert report.duplicates <= report.kills
            told.append(f"{url.split(':')[0]}: {report}")
    return "; ".join(told)


def redelivered_answers() -> str:
    told = []
    with databases() as both:
        for url, folder in both:
            report = answers.campaign(url, folder, ANSWERS // 2, lasts=10)
            assert report.lost == report.doubled == report.unanswered == 0
            told.append(f"{url.split(':')[0]}: {report}")
    return "; ".join(told)


def server_kills() -> str:
    told = []
    with databases() as both:
        for url, folder in both:
            report = acts.campaign(url, folder, SERVER_KILLS // 2)
            assert report.lost == report.doubled == report.gaps == 0
            assert report.inside >= SERVER_KILLS // 10
            told.append(f"{url.split(':')[0]}: {report}")
    return "; ".join(told)


def vanishing_broker() -> str:
    with service() as running:
        report = broker.campaign(running, acts=100, players=4)
    assert not report.refused
    assert report.after_return <= broker.LATEST
    return str(report)


def prompt_mails() -> str:
    """From the commit of an act to the moment when the mail server had its mail."""
    with service() as running:
        broker.load(running, PROMPT_ACTS, players=4)
        database = Database(running.environment["CHASQUI_DATABASE_URL"])
        query = select(tables.Outbox.created_at, tables.Outbox.sent_at).where(
            tables.Outbox.state == "sent", col(tables.Outbox.sent_at).is_not(None)
        )
        with database.look() as session:
            took = [(sent - made).total_seconds() for made, sent in session.exec(query) if sent]
        database.close()
    cuts = quantiles(took, n=100)
    assert cuts[49] <= 2
    assert cuts[98] <= 10
    return f"{PROMPT_ACTS} acts, {len(took)} mails: from commit to SMTP p50 {cuts[49]:.2f} s, p99 {cuts[98]:.2f} s"


def backups_under_load() -> str:
    done = 0
    with databases() as both, Progress() as progress:
        task = progress.add_task("backups under load", total=DRILLS)
        for url, folder in both:
            done += drill.run(url, folder, DRILLS // 2, lambda: progress.advance(task))
    assert done == DRILLS
    return f"{done} of {DRILLS} backups taken under load restore, and every match verifies"
