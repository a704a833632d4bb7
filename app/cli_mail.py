"""Mails at the command line: a mail server may hand them over by a pipe, and an operator asks for the lost ones."""

from __future__ import annotations

import os
import sys
from datetime import datetime

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from sqlmodel import col, select

from app import inbox, inbox_route, logs
from app.cli_service import opened, settled
from app.db import open_database
from app.inbox import Outcome
from app.models import Outbox, Received
from app.services import Services

# What a mail server understands (sysexits.h): what it keeps to try again, and what it sends back.
CODES: dict[Outcome, int] = {
    "unknown": os.EX_NOUSER,
    "large": os.EX_DATAERR,
    "later": os.EX_TEMPFAIL,
}

CONSOLE = Console()
MOST = 200


@click.group()
def mail() -> None:
    """Mails that come in, and those that went nowhere."""


@mail.command()
@click.option("--to", help="The envelope's recipient; otherwise what Delivered-To or To says.")
def receive(to: str | None) -> None:
    """Take in one mail from standard input, as a mail server pipes it."""
    logs.configure()
    settings = settled()
    database = open_database(settings)
    raw = sys.stdin.buffer.read(inbox.MOST_BYTES + 1)
    outcome = inbox_route.routed(Services(settings, database), raw, to)
    database.close()
    click.echo(outcome)
    sys.exit(CODES.get(outcome, 0))


@mail.command()
def dead() -> None:
    """List the mails that could not be sent, and those that nobody could read; the newest first."""
    out = select(Outbox).where(Outbox.state == "dead").order_by(col(Outbox.id).desc())
    came = select(Received).where(Received.state == "dead").order_by(col(Received.id).desc())
    table = Table("way", "number", "when", "match", "player", "kind", "why")
    with opened().look() as session:
        for row in session.exec(out.limit(MOST)):
            who = row.email or row.player_id
            listed(table, "out", row.id, row.created_at, row.match_id, who, row.kind, row.why)
        for mail in session.exec(came.limit(MOST)):
            who = mail.player_id
            listed(table, "in", mail.id, mail.at, mail.match_id, who, "answer", "unreadable")
    CONSOLE.print(table)


def listed(table: Table, way: str, number: int | None, at: datetime, *more: object) -> None:
    told = (number, f"{at:%Y-%m-%d %H:%M} UTC", *more)
    table.add_row(way, *(escape(str(word or "")) for word in told))
