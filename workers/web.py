"""The pages and the API of a grown service (`chasqui web`): gunicorn's processes, each with some threads.

Whatever gunicorn can do may be said on the command line or in GUNICORN_CMD_ARGS; these are our defaults.
"""

from __future__ import annotations

import os
import sys
from tempfile import mkdtemp
from typing import Any

import click
from flask import Flask
from prometheus_client.multiprocess import mark_process_dead

from app import create_app
from app.operations.status_page import StatusPage
from app.platform.database import Database
from app.platform.logging import configure_logging
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings, load_settings
from workers.celery_app import wake_workers
from workers.chores import beat_of
from workers.starting import prepared

# Read by gunicorn, under these names.

bind = "127.0.0.1:8000"
worker_class = "workers.gunicorn_worker.PatientWorker"
workers, threads = 2, 8
timeout, graceful_timeout = 60, 30
keepalive = 65  # longer than nginx keeps a connection, so that it never writes to one we close
max_requests, max_requests_jitter = 20_000, 2_000
forwarded_allow_ips = ""  # CHASQUI_PROXIES decides whose word counts, not gunicorn
limit_request_line, limit_request_fields, limit_request_field_size = 4094, 64, 8190
worker_tmp_dir = "/dev/shm" if os.path.isdir("/dev/shm") else None  # noqa: S108 - a heartbeat on a disk can stall
control_socket_disable = True  # it would write beside our code, where nothing may
accesslog = None  # ours has the routes and no secrets
logconfig_dict: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "root": {"level": "WARNING"},
    "loggers": {"gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True}},
}


def application(settings: Settings | None = None, database: Database | None = None) -> Flask:
    """The service in one of gunicorn's processes, with threads of its own that wake the workers and note uses of tokens."""
    configure_logging()
    app = create_app(settings or load_settings(), database)
    wake_workers(app.extensions[EXTENSION_KEY])
    beat_of("uses", app.extensions[EXTENSION_KEY]).start()
    answer_on_status_port(app)
    return app


def answer_on_status_port(app: Flask) -> None:
    """Whoever comes by the status port is a machine: it gets health and metrics, by whatever name it calls us."""
    services: Services = app.extensions[EXTENSION_KEY]
    port, pages = str(services.settings.status_port), app.wsgi_app
    status = StatusPage(services, app.extensions["chasqui-meter"].text)

    def by_port(environ: dict[str, Any], start: Any) -> Any:
        return (status if environ.get("SERVER_PORT") == port else pages)(environ, start)

    app.wsgi_app = by_port  # type: ignore[assignment,method-assign]  # Flask's own way to wrap it


def child_exit(_server: Any, worker: Any) -> None:
    """Called by gunicorn: what a process that ended had counted stays counted, what it measured does not."""
    mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def main(options: tuple[str, ...]) -> None:
    """Serve pages and API by gunicorn."""
    if {"-h", "--help"}.intersection(options):  # also where nothing is set up yet
        os.execv(sys.executable, [sys.executable, "-m", "gunicorn", "--help"])  # noqa: S606 - our own module
    settings, database = prepared()
    database.close()
    os.environ.setdefault("PROMETHEUS_MULTIPROC_DIR", mkdtemp(prefix="chasqui-metrics-"))
    config = ["--config", "python:workers.web"]
    if settings.status_port is not None:
        # Named on the command line gunicorn's own address is forgotten: it is named again.
        own = () if any(word.startswith(("--bind", "-b")) for word in options) else ("--bind", bind)
        config += [*own, "--bind", f"{settings.status_host}:{settings.status_port}"]
    command = [sys.executable, "-m", "gunicorn", *config, *options, "workers.web:application()"]
    os.execv(sys.executable, command)  # noqa: S606 - our own module


if __name__ == "__main__":
    main()
