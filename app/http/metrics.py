"""Prometheus counters of one process, and the requests that they count."""

from __future__ import annotations

import os
from time import perf_counter

from flask import Flask, Response, g, request
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

from app.operations.conditions import Conditions
from app.platform.services import Services

SHARED = "PROMETHEUS_MULTIPROC_DIR"  # the library's own: where the processes of one service count together
METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"}


class Meter:
    """The counters of one process; where several share a folder for them, they are added up when somebody asks."""

    def __init__(self, services: Services) -> None:
        self.services = services
        self.registry = CollectorRegistry()
        labels = ("method", "route", "status")
        self.requests = Counter(
            "chasqui_requests", "Requests answered", labels, registry=self.registry
        )
        self.seconds = Histogram(
            "chasqui_request_seconds", "How long answers took", ("route",), registry=self.registry
        )
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
        told = CollectorRegistry()
        told.register(Conditions(self.services))
        if SHARED not in os.environ:
            return generate_latest(self.registry) + generate_latest(told)
        MultiProcessCollector(told)  # type: ignore[no-untyped-call]
        return generate_latest(told)


def measure_requests(app: Flask, services: Services) -> None:
    app.extensions["chasqui-meter"] = meter = Meter(services)
    app.after_request(meter.count)
