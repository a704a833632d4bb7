"""Whether we live, whether we can serve, and what we count."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from time import perf_counter

from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector
from sqlalchemy import func
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from app import models, store
from app.db import Database, alembic_config
from app.seed_vault import WRONG_KEY, WrongSeedKey

SENTENCES = {
    "database": "The database cannot be reached; CHASQUI_DATABASE_URL says where it is.",
    "migrations": "The tables are not up to date: run `chasqui migrate` first.",
    "seeds": WRONG_KEY,
    "web": "The web process does not answer, or is not ready.",
    "mails": "Mails have been waiting for minutes: no worker sends them.",
}
LATE = timedelta(minutes=5)
METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}


def problems(database: Database) -> list[str]:
    """Why no traffic should come here: a word each."""
    try:
        with database.read() as connection:
            scripts = ScriptDirectory.from_config(alembic_config(connection))
            current = MigrationContext.configure(connection).get_current_heads()
    except SQLAlchemyError:
        return ["database"]
    if set(current) != set(scripts.get_heads()):
        return ["migrations"]
    try:
        store.check_seed_key(database)
    except WrongSeedKey:
        return ["seeds"]
    return []


def late_mails(database: Database, at: datetime) -> list[str]:
    """Whether mails wait that a worker should have taken long ago: a word, or none."""
    query = select(models.Outbox.id).where(
        models.Outbox.state == "waiting", col(models.Outbox.not_before) < at - LATE
    )
    with database.look() as session:
        return ["mails"] if session.exec(query.limit(1)).first() else []


class Mails(Collector):
    """How many mails are in which state, counted when somebody asks."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def collect(self) -> Iterator[GaugeMetricFamily]:
        gauge = GaugeMetricFamily("chasqui_outbox", "Mails by state", labels=["state"])
        query = select(models.Outbox.state, func.count()).group_by(models.Outbox.state)
        with self.database.look() as session:
            for state, count in session.exec(query):
                gauge.add_metric([state], count)
        yield gauge


class Meter:
    """The counters of one process."""

    def __init__(self, database: Database) -> None:
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter(
            "chasqui_requests", "Requests answered", labels, registry=self.registry
        )
        self.seconds = Histogram(
            "chasqui_request_seconds", "How long answers took", ("route",), registry=self.registry
        )
        self.registry.register(Mails(database))
        self._known: dict[tuple[str, str, int], tuple[Counter, Histogram]] = {}

    def count(self, response: Response) -> Response:
        route = request.url_rule.rule if request.url_rule else "none"
        method = request.method if request.method in METHODS else "other"
        spent = perf_counter() - g.get("began", perf_counter())
        self.add(method, route, response.status_code, spent)
        return response

    def add(self, method: str, route: str, status: int, seconds: float) -> None:
        key = (method, route, status)
        if key not in self._known:  # asking the library for its labels takes longer than counting
            counter = self.requests.labels(method, route, str(status))
            self._known[key] = counter, self.seconds.labels(route)
        counter, histogram = self._known[key]
        counter.inc()
        histogram.observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


def measure(app: Flask, database: Database) -> None:
    app.extensions["chasqui-meter"] = meter = Meter(database)
    app.after_request(meter.count)
