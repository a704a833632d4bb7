"""Processes of ours that are killed in the middle of their work: by progress, never by the clock.

They are forked from a server that has everything imported, so that a life costs a moment.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from flask import Flask, Response, request
from sqlalchemy import Engine, event
from waitress import serve

from app import create_app
from app.eventstore import store
from app.eventstore.store import ADD, append_events
from app.mail.incoming.own_marks import load_marks_of_us
from app.mail.mime import Written
from app.mail.transports import Transport, make_transport
from app.platform.database import Database
from app.platform.logging import write_json_logs
from app.platform.services import Services
from app.platform.settings import Settings
from app.platform.tables import Outbox
from workers.relay import drain

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload([__name__])
create_app(Settings(secret_key="warm" * 8))  # whoever is forked from here has its pages imported
load_marks_of_us(Settings(secret_key="warm" * 8))  # and the catalogs read


def live(work: Callable[..., None], *values: Any) -> BaseProcess:
    """A process that does this work."""
    process = FORKS.Process(target=work, args=values, daemon=True)
    process.start()
    return process


def silent() -> None:
    """What the dying say is of no use, and there are hundreds of them."""
    write_json_logs(Path(os.devnull).open("w"))  # noqa: SIM115 - until death


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


# A relay


class Mortal:
    """A way to send that kills its process when a number of mails was taken, before anybody notes it."""

    def __init__(self, way: Transport, last: int) -> None:
        self.way, self.left = way, last

    def send(self, row: Outbox, message: Written) -> None:
        self.way.send(row, message)
        self.left -= 1
        if self.left == 0:
            die()

    def close(self) -> None:
        self.way.close()


def relay(values: dict[str, Any], last: int) -> None:
    """Sends what waits; dies after the mail number `last`, if that is not 0."""
    silent()
    settings = Settings(**values)
    services = Services(settings, Database(settings.database_url))
    drain(services, Mortal(make_transport(services), last))


# A server

BEFORE_COMMIT = ("moved", "appended", "committing")
STAGES = ("received", *BEFORE_COMMIT, "kept", "answered")


def server(values: dict[str, Any], port: int, stage: str, at: int) -> None:
    """Serves; dies while it works on the submission number `at`, at this stage of it.

    A repeat does not come to every stage: then the next that does is the one.
    """
    silent()
    settings = Settings(**values)
    app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=False)
    doom(app, stage, at)
    serve(app, host="127.0.0.1", port=port, threads=4, _quiet=True)


def doom(app: Flask, stage: str, at: int) -> None:
    left = [at]

    def submitting() -> bool:
        return request.method == "POST" and request.path.endswith("/orders")

    def reached(here: str) -> None:
        if here == stage and left[0] <= 0:
            die()

    @app.before_request
    def count() -> None:
        if submitting():
            left[0] -= 1
            reached("received")

    @app.after_request
    def answer(response: Response) -> Response:
        if submitting():
            reached("kept")
            response.call_on_close(lambda: reached("answered"))
        return response

    add, append = ADD.run, append_events

    def moved(*rows: Any) -> int:
        reached("moved")  # the head of the match has moved, its events are not there yet
        return add(*rows)

    def appended(*values: Any, **changes: Any) -> None:
        append(*values, **changes)
        reached("appended")

    ADD.run = moved  # type: ignore[method-assign]
    store.append_events = appended
    event.listen(Engine, "commit", lambda _: reached("committing"))
