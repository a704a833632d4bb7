"""Prometheus collectors of what is in the database: counted by index when somebody asks, the same from every process."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func
from sqlmodel import Session, col, select

from app.eventstore.store import DAMAGED
from app.operations.health import EXIT_CODES, Patient, find_problems
from app.operations.heartbeats import load_heartbeats
from app.platform import tables
from app.platform.errors import Busy
from app.platform.services import Services

COUNTED = ("waiting", "dead")  # not those that were sent: they are all mails there ever were


class Conditions(Collector):
    """Mails that wait, heartbeats, health; nothing of it while the database is away but that it is."""

    def __init__(self, services: Services) -> None:
        self.services = services

    def collect(self) -> Iterator[GaugeMetricFamily]:
        services = self.services
        at = services.now()
        yield health_gauge(Patient(services.settings, services.database, at))
        yield gauge(
            "chasqui_damaged_matches", "Matches that this process could not read", len(DAMAGED)
        )
        try:
            with services.database.look() as session:
                found = [*outbox_gauges(session, at), *heartbeat_gauges(session, at)]
        except Busy:
            return
        yield from found


def health_gauge(patient: Patient) -> GaugeMetricFamily:
    """1 for what is wrong, 0 for what is not, by the words of `chasqui health`."""
    wrong = {problem.word for problem in find_problems(patient)}
    made = GaugeMetricFamily("chasqui_problem", "What chasqui health finds", labels=["problem"])
    for word in EXIT_CODES:
        if word != "web":
            made.add_metric([word], float(word in wrong))
    return made


def outbox_gauges(session: Session, at: datetime) -> Iterator[GaugeMetricFamily]:
    made = GaugeMetricFamily("chasqui_outbox", "Mails that wait or were given up", labels=["state"])
    for state in COUNTED:
        query = select(func.count()).select_from(tables.Outbox).where(tables.Outbox.state == state)
        made.add_metric([state], session.exec(query).one())
    yield made
    oldest: datetime | None = session.exec(
        select(func.min(tables.Outbox.not_before)).where(tables.Outbox.state == "waiting")
    ).one()
    waited = (at - oldest).total_seconds() if oldest is not None else 0.0
    yield gauge(
        "chasqui_outbox_late_seconds", "How late the mail is that waits longest", max(waited, 0.0)
    )
    clocks = select(func.count()).select_from(tables.Clock).where(col(tables.Clock.wake_at) < at)
    yield gauge(
        "chasqui_clocks_due", "Clocks that a worker should look at", session.exec(clocks).one()
    )


def heartbeat_gauges(session: Session, at: datetime) -> Iterator[GaugeMetricFamily]:
    ages = GaugeMetricFamily(
        "chasqui_heartbeat_age_seconds",
        "Since a chore or the backup last went well",
        labels=["name"],
    )
    failing = GaugeMetricFamily(
        "chasqui_heartbeat_failing", "Whether it failed since", labels=["name"]
    )
    for name, beat in load_heartbeats(session).items():
        if beat.ok_at:
            ages.add_metric([name], (at - beat.ok_at).total_seconds())
        failing.add_metric([name], float(beat.failed_at is not None))
    yield ages
    yield failing


def gauge(name: str, what: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, what, value=value)
