"""Prometheus counters of the processes that nobody visits: what the chores did, and what became of mails."""

from __future__ import annotations

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from app.operations.conditions import Conditions
from app.platform.services import Services

REGISTRY = CollectorRegistry()
CHORE_SECONDS = Histogram(
    "chasqui_chore_seconds", "How long a chore took", ["chore"], registry=REGISTRY,
    buckets=(0.01, 0.05, 0.25, 1, 5, 15, 60, 300),
)  # fmt: skip
CHORE_FAILURES = Counter(
    "chasqui_chore_failures", "Chores that failed", ["chore"], registry=REGISTRY
)
MAILS_OUT = Counter(
    "chasqui_mails_out", "What became of mails to send", ["state"], registry=REGISTRY
)
MAILS_IN = Counter(
    "chasqui_mails_in", "What became of mails that came", ["outcome"], registry=REGISTRY
)


def write_metrics(services: Services) -> bytes:
    """The counters of this process, and what the database tells any of them."""
    now = CollectorRegistry()
    now.register(Conditions(services))
    return generate_latest(REGISTRY) + generate_latest(now)
