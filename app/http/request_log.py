"""One log line for each request: which route, how it ended, how long it took."""

from __future__ import annotations

from time import perf_counter

import structlog
from flask import Flask, Response, g, request

from app.platform.logging import log, write_json_logs


def log_requests(app: Flask) -> None:
    """One line for each request: which route, how it ended, how long it took."""
    if not structlog.is_configured():
        write_json_logs()
    app.before_request(begin)
    app.after_request(tell)


def begin() -> None:
    g.began = perf_counter()


def tell(response: Response) -> Response:
    rule = request.url_rule.rule if request.url_rule else None  # not the path: it may hold a secret
    spent = perf_counter() - g.get("began", perf_counter())
    log_request_line(request.method, rule, response.status_code, spent)
    return response


def log_request_line(method: str, route: str | None, status: int, seconds: float) -> None:
    log.info("request", method=method, route=route, status=status, ms=round(1000 * seconds, 1))
