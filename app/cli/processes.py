"""The commands that run the service. They become a module that joins `app` and `workers`: `app` itself never imports the workers."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec

import click


def becomes(name: str, module: str, what: str, *, needs: str = "") -> click.Command:
    """A command that hands its options on to a module of the workers, if what that needs is installed."""

    def become(options: tuple[str, ...]) -> None:
        if needs and find_spec(needs) is None:
            raise click.ClickException(
                f"This needs the package {needs}, which is not installed here: requirements.txt has it (make run LOCK=requirements.txt)."
            )
        os.execv(sys.executable, [sys.executable, "-m", module, *options])  # noqa: S606 - our own module

    return click.Command(
        name,
        callback=become,
        params=[click.Argument(["options"], nargs=-1, type=click.UNPROCESSED)],
        context_settings={"ignore_unknown_options": True},
        add_help_option=False,
        help=what,
    )


serve = becomes(
    "serve",
    "workers",
    "Serve Chasqui from this one process: pages, mails and mailbox (--host, --port).",
)
web = becomes(
    "web",
    "workers.web",
    "Serve pages and API by gunicorn, beside workers (gunicorn's options).",
    needs="gunicorn",
)
worker = becomes(
    "worker",
    "workers.celery_app",
    "Send mails and watch deadlines, beside web processes.",
    needs="celery",
)
inbox = becomes(
    "inbox",
    "workers.inbox",
    "Listen for answers by mail (SMTP or LMTP), beside web processes.",
    needs="celery",
)
