"""The status port of a worker or an inbox: a thread that answers probes and Prometheus."""

from __future__ import annotations

from functools import partial
from socketserver import ThreadingMixIn
from threading import Thread
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

import click

from app.operations.status_page import StatusPage
from app.platform.services import Services
from workers.metrics import write_metrics


class QuietHandler(WSGIRequestHandler):
    """Says nothing of who asks: probes come every few seconds."""

    timeout = 10

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its signature
        pass


class StatusServer(ThreadingMixIn, WSGIServer):
    """One thread for each who asks, so that a slow one holds up no probe."""

    daemon_threads = True


def start_status_server(services: Services) -> StatusServer | None:
    """Answers on the status port of the settings, if there is one, until the process ends."""
    settings = services.settings
    if settings.status_port is None:
        return None
    try:
        server = StatusServer((settings.status_host, settings.status_port), QuietHandler)
    except OSError as fault:
        raise click.ClickException(
            f"CHASQUI_STATUS_PORT {settings.status_port} of {settings.status_host} cannot be used: {fault.strerror}."
        ) from fault
    server.set_app(StatusPage(services, partial(write_metrics, services)))
    Thread(target=server.serve_forever, name="status", daemon=True).start()
    return server
