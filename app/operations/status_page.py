"""HTTP probes on the status port: `/health/live`, `/health/ready`, `/health` and `/metrics`, whatever the Host says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any

from app.operations.health import Patient, find_health_problems, find_problems
from app.platform.services import Services

JSON, TEXT = "application/json", "text/plain; version=0.0.4; charset=utf-8"
Start = Callable[..., Any]
Wsgi = Callable[[dict[str, Any], Start], Iterable[bytes]]


@dataclass(frozen=True, slots=True)
class StatusPage:
    """A WSGI application for the port that only the machine's own watchers reach; `metrics` gives the text of them."""

    services: Services
    metrics: Callable[[], bytes]

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        status, kind, body = self.answer(environ.get("PATH_INFO", ""))
        start(
            f"{status} {HTTPStatus(status).phrase}",
            [("Content-Type", kind), ("Content-Length", str(len(body)))],
        )
        return [body]

    def answer(self, path: str) -> tuple[int, str, bytes]:
        """What is said at a path: status, kind and text."""
        match path:
            case "/health/live":
                return 200, JSON, told(status="live")
            case "/health/ready":
                words = find_health_problems(self.services.database)
                return self.judged(words, status="waiting" if words else "ready", problems=words)
            case "/health":
                services = self.services
                found = find_problems(Patient(services.settings, services.database, services.now()))
                sentences = {problem.word: problem.sentence for problem in found}
                return self.judged(found, status="ill" if found else "well", problems=sentences)
            case "/metrics":
                return 200, TEXT, self.metrics()
        return 404, JSON, told(error="There is nothing at this address.")

    def judged(self, found: Iterable[object], **words: Any) -> tuple[int, str, bytes]:
        return 503 if found else 200, JSON, told(**words)


def told(**words: Any) -> bytes:
    return json.dumps(words).encode()
