"""Health checks: what is wrong with the service, each fault with a sentence and an exit code of its own; every one is cheap to ask."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import func, text
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from app.eventstore.store import check_seed_key
from app.mail.connections import CAUSES
from app.operations.heartbeats import find_late_chores, load_heartbeats
from app.operations.nightly import NAME as BACKUP
from app.platform import tables
from app.platform.database import Database, known_revisions, load_revisions, newest_revision
from app.platform.errors import Away
from app.platform.redis_addresses import open_redis
from app.platform.seed_vault import WRONG_KEY, WrongSeedKey
from app.platform.settings import Settings
from app.platform.tables import Heartbeat

SENTENCES = {
    "database": "The database cannot be reached; CHASQUI_DATABASE_URL says where it is.",
    "migrations": "The tables are not up to date: run `chasqui migrate` first.",
    "seeds": WRONG_KEY,
    "web": "The web process does not answer, or is not ready.",
}
# The exit code of `chasqui health` by what is wrong, the gravest first; of several the first counts.
EXIT_CODES = {
    "database": 10,
    "migrations": 11,
    "seeds": 12,
    "grant": 13,
    "disk": 14,
    "workers": 15,
    "redis": 16,
    "deadlines": 17,
    "mails": 18,
    "mailbox": 19,
    "dead": 20,
    "backup": 21,
    "web": 30,
}
LATE, STUCK = timedelta(minutes=5), timedelta(hours=1)
OVERDUE = timedelta(minutes=10)
LATELY = timedelta(days=1)
LEAST_FREE, LEAST_SHARE = 500 * 2**20, 0.05
REDIS_PATIENCE = 1.0  # seconds
UNGRANTED = text(
    """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND (
        relkind IN ('r', 'p') AND relname = ANY (:names)
            AND NOT (has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT'))
        OR relkind = 'S'
            AND NOT (has_sequence_privilege(oid, 'USAGE') AND has_sequence_privilege(oid, 'SELECT'))
    ) ORDER BY relname LIMIT 5
    """
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: a word for machines, a sentence for whoever has to mend it."""

    word: str
    sentence: str

    @property
    def exit_code(self) -> int:
        return EXIT_CODES[self.word]


@dataclass(frozen=True, slots=True)
class Patient:
    """The service that is looked at."""

    settings: Settings
    database: Database
    at: datetime


def find_problems(patient: Patient) -> list[Problem]:
    """Everything that is wrong, the gravest first; without a database nothing else can be said."""
    if words := find_health_problems(patient.database):
        return [Problem(word, SENTENCES[word]) for word in words]
    try:
        found = [problem for check in CHECKS for problem in check(patient)]
    except Away:
        return [Problem("database", SENTENCES["database"])]
    return sorted(found, key=lambda problem: problem.exit_code)


# Whether traffic should come here


def find_health_problems(database: Database) -> list[str]:
    """Why no traffic should come here: a word each."""
    try:
        with database.read() as connection:
            current = load_revisions(connection)
    except (SQLAlchemyError, Away):
        return ["database"]
    if not is_recent_enough(current):
        return ["migrations"]
    try:
        check_seed_key(database)
    except WrongSeedKey:
        return ["seeds"]
    return []


def is_recent_enough(current: set[str]) -> bool:
    """Whether this version can work on tables of those revisions: its own, or newer ones that it does not know.

    Migrations only add what older versions can do without, so that they run on while a newer one is rolled out.
    """
    return current == {newest_revision()} or (bool(current) and not current & known_revisions())


# What should be looked at, a function each


def find_missing_grants(patient: Patient) -> Iterator[Problem]:
    if patient.database.is_sqlite:
        return
    names = list(tables.Table.metadata.tables)
    with patient.database.read() as connection:
        missing = connection.execute(UNGRANTED, {"names": names}).scalars().all()
    if missing:
        yield Problem(
            "grant",
            f"The role of the service may not use {', '.join(missing)}: run `chasqui grant` as the owner.",
        )


def find_full_disk(patient: Patient) -> Iterator[Problem]:
    place = kept_in(patient)
    usage = shutil.disk_usage(place)
    if usage.free < LEAST_FREE or usage.free < usage.total * LEAST_SHARE:
        yield Problem(
            "disk", f"The disk of {place} is nearly full: {usage.free >> 20} MB are left."
        )


def kept_in(patient: Patient) -> Path:
    """The folder whose disk the service writes to: that of the database, where the database is a file."""
    file = patient.database.url.database or "/"
    place = (
        Path(file).absolute()
        if patient.database.is_sqlite
        else patient.settings.data_dir.absolute()
    )
    return next(path for path in (place, *place.parents) if path.is_dir())


def find_idle_workers(patient: Patient) -> Iterator[Problem]:
    beats = load_chores(patient)
    if not beats:
        if not patient.settings.embedded:
            yield Problem("workers", "No worker has worked yet: start `chasqui worker`.")
        return
    for beat in find_late_chores(beats, patient.at):
        seen = f"since {beat.ok_at:%Y-%m-%d %H:%M} UTC" if beat.ok_at else "ever"
        yield Problem("workers", f"No worker has done “{beat.name}” {seen}.")
    for beat in beats:
        if beat.failed_at and beat.name != "imap":
            yield Problem("workers", f"The workers fail at “{beat.name}”: {beat.why}.")


def find_unreadable_mailbox(patient: Patient) -> Iterator[Problem]:
    for beat in load_chores(patient):
        if beat.name == "imap" and beat.failed_at:
            cause = f"({beat.why}). {CAUSES[beat.why]}" if beat.why in CAUSES else f"({beat.why})."
            yield Problem("mailbox", f"The mailbox of CHASQUI_IMAP_HOST cannot be read {cause}")


def load_chores(patient: Patient) -> list[Heartbeat]:
    with patient.database.look() as session:
        return [beat for name, beat in load_heartbeats(session).items() if name != BACKUP]


def find_silent_redis(patient: Patient) -> Iterator[Problem]:
    url = patient.settings.redis_url
    if not url:
        return
    from redis.exceptions import RedisError  # noqa: PLC0415 - a small service has no Redis

    try:
        with open_redis(url, REDIS_PATIENCE) as client:
            client.ping()
    except (RedisError, OSError) as fault:
        yield Problem(
            "redis",
            f"Redis does not answer ({type(fault).__name__}): mails leave seconds later, and each "
            "process counts for itself.",
        )


def find_overdue_deadlines(patient: Patient) -> Iterator[Problem]:
    overdue = col(tables.Clock.wake_at) < patient.at - OVERDUE
    with patient.database.look() as session:
        count = session.exec(select(func.count()).select_from(tables.Clock).where(overdue)).one()
    if count:
        yield Problem(
            "deadlines", f"{count} clocks should have been looked at long ago: no worker does."
        )


def find_late_mails(patient: Patient) -> Iterator[Problem]:
    """Mails that a worker should have taken long ago, and those that wait for a mail server that does not want them."""
    waiting = tables.Outbox.state == "waiting"
    if late := count_mails(patient, waiting, col(tables.Outbox.not_before) < patient.at - LATE):
        count = sum(late.values())
        yield Problem(
            "mails", f"{count} mails have been waiting for minutes: no worker sends them."
        )
    stuck = count_mails(patient, waiting, col(tables.Outbox.created_at) < patient.at - STUCK)
    for why, count in stuck.items():
        if why in CAUSES:
            yield Problem(
                "mails", f"{count} mails wait for an hour or longer ({why}). {CAUSES[why]}"
            )


def find_dead_mails(patient: Patient) -> Iterator[Problem]:
    """Mails that were given up lately; of our own fault, or of their recipients'."""
    recent = col(tables.Outbox.not_before) > patient.at - LATELY
    dead = count_mails(patient, tables.Outbox.state == "dead", recent)
    for why, count in dead.items():
        if why in CAUSES:
            again = "`chasqui mail again` sends them once more."
            yield Problem(
                "dead", f"{count} mails died since yesterday ({why}). {CAUSES[why]} {again}"
            )
    if others := sum(count for why, count in dead.items() if why not in CAUSES):
        yield Problem(
            "dead", f"{others} mails were given up since yesterday: `chasqui mail dead` lists them."
        )


def count_mails(patient: Patient, *which: Any) -> dict[str, int]:
    """How many mails there are of a sort, by the word for what keeps them from leaving."""
    query = select(tables.Outbox.why, func.count()).where(*which)
    with patient.database.look() as session:
        found = session.exec(query.group_by(col(tables.Outbox.why)))
        return {why or "": count for why, count in found}


def find_old_backup(patient: Patient) -> Iterator[Problem]:
    with patient.database.look() as session:
        beat = load_heartbeats(session).get(BACKUP)
    if beat is None:
        if not patient.settings.embedded:
            yield Problem("backup", "No backup was ever made: `chasqui backup nightly` makes one.")
        return
    if beat.failed_at:
        yield Problem("backup", f"The last backup failed: {beat.why}")
    if find_late_chores([beat], patient.at):
        seen = f"is from {beat.ok_at:%Y-%m-%d %H:%M} UTC" if beat.ok_at else "was never made"
        yield Problem("backup", f"The last good backup {seen}.")


CHECKS: tuple[Callable[[Patient], Iterator[Problem]], ...] = (
    find_missing_grants,
    find_full_disk,
    find_idle_workers,
    find_silent_redis,
    find_overdue_deadlines,
    find_late_mails,
    find_unreadable_mailbox,
    find_dead_mails,
    find_old_backup,
)
