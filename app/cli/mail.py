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

from app.cli.service import load_checked_settings, open_prepared_database
from app.mail.connections import CAUSES
from app.mail.incoming.receive import MOST_BYTES, Outcome
from app.mail.incoming.routing import route_mail
from app.mail.trial_mail import NotTaken, send_test_mail
from app.outbox.rows import requeue_mails
from app.platform.database import open_database
from app.platform.logging import configure_logging
from app.platform.services import Services
from app.platform.tables import Outbox, Received, utc_now
from app.platform.text_input import check_email_address
from engine.core.refusal import NotUnderstood

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
    configure_logging()
    settings = load_checked_settings()
    database = open_database(settings)
    raw = sys.stdin.buffer.read(MOST_BYTES + 1)
    outcome = route_mail(Services(settings, database), raw, to)
    database.close()
    click.echo(outcome)
    sys.exit(CODES.get(outcome, 0))


@mail.command()
def dead() -> None:
    """List the mails that could not be sent, and those that nobody could read; the newest first."""
    out = select(Outbox).where(Outbox.state == "dead").order_by(col(Outbox.id).desc())
    came = select(Received).where(Received.state == "dead").order_by(col(Received.id).desc())
    table = Table("way", "number", "when", "match", "player", "kind", "why")
    with open_prepared_database().look() as session:
        for row in session.exec(out.limit(MOST)):
            who = row.email or row.player_id
            listed(table, "out", row.id, row.created_at, row.match_id, who, row.kind, row.why)
        for mail in session.exec(came.limit(MOST)):
            who = mail.player_id
            listed(table, "in", mail.id, mail.at, mail.match_id, who, "answer", "unreadable")
    CONSOLE.print(table)


@mail.command()
@click.argument("address")
def test(address: str) -> None:
    """Send one mail to ADDRESS, and tell what the mail server says, in its own words."""
    settings = load_checked_settings()
    if settings.smtp_host is None:
        raise click.ClickException(
            "CHASQUI_SMTP_HOST is not set: mails stay in the mailbox of this service."
        )
    try:
        for line in send_test_mail(settings, check_email_address(address)):
            click.echo(line)
    except NotUnderstood as fault:
        raise click.ClickException(str(fault.sentence)) from fault
    except NotTaken as fault:
        raise click.ClickException(str(fault)) from fault


@mail.command()
def again() -> None:
    """Put the mails into the outbox again that died of our own fault: of settings, certificates, passwords, policies."""
    with open_prepared_database().session() as session:
        count = requeue_mails(session, CAUSES, utc_now())
    click.echo(f"{count} mails will be sent once more.")


def listed(table: Table, way: str, number: int | None, at: datetime, *more: object) -> None:
    told = (number, f"{at:%Y-%m-%d %H:%M} UTC", *more)
    table.add_row(way, *(escape(str(word or "")) for word in told))
