"""The pages and the API of a grown service (`chasqui web`): gunicorn's processes, each with some threads.

Whatever gunicorn can do may be said on the command line or in GUNICORN_CMD_ARGS; these are our defaults.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import click
from flask import Flask

from app import create_app, logs
from app.db import Database
from app.services import KEY
from app.settings import Settings, load
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
accesslog = None  # ours has the routes and no secrets
logconfig_dict: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "root": {"level": "WARNING"},
    "loggers": {"gunicorn.error": {"level": "WARNING", "handlers": [], "propagate": True}},
}


def application(settings: Settings | None = None, database: Database | None = None) -> Flask:
    """The service in one of gunicorn's processes, with threads of its own that wake the workers and note uses of tokens."""
    logs.configure()
    app = create_app(settings or load(), database)
    wake_workers(app.extensions[KEY])
    beat_of("uses", app.extensions[KEY]).start()
    return app


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def main(options: tuple[str, ...]) -> None:
    """Serve pages and API by gunicorn."""
    _, database = prepared()
    database.close()
    config = ("--config", "python:workers.web")
    command = [sys.executable, "-m", "gunicorn", *config, *options, "workers.web:application()"]
    os.execv(sys.executable, command)  # noqa: S606 - our own module


if __name__ == "__main__":
    main()
