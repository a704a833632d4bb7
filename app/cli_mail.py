"""Mails at the command line: a mail server may hand them over by a pipe."""

from __future__ import annotations

import os
import sys

import click

from app import inbox, inbox_route, logs
from app.cli_service import settled
from app.db import Database
from app.inbox import Outcome
from app.services import Services

# What a mail server understands (sysexits.h): what it keeps to try again, and what it sends back.
CODES: dict[Outcome, int] = {
    "unknown": os.EX_NOUSER,
    "large": os.EX_DATAERR,
    "later": os.EX_TEMPFAIL,
}


@click.group()
def mail() -> None:
    """Mails that come in."""


@mail.command()
@click.option("--to", help="The envelope's recipient; otherwise what Delivered-To or To says.")
def receive(to: str | None) -> None:
    """Take in one mail from standard input, as a mail server pipes it."""
    logs.configure()
    settings = settled()
    database = Database(settings.database_url)
    raw = sys.stdin.buffer.read(inbox.MOST_BYTES + 1)
    outcome = inbox_route.routed(Services(settings, database), raw, to)
    database.close()
    click.echo(outcome)
    sys.exit(CODES.get(outcome, 0))
