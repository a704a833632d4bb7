"""The commands that need the service: serving it, and keys for programs."""

from __future__ import annotations

import os
import sys

import click

from app import accounts, signin
from app.db import Database
from app.models import now
from app.settings import BadSettings, load
from app.words import email_address


@click.command(context_settings={"ignore_unknown_options": True}, add_help_option=False)
@click.argument("options", nargs=-1, type=click.UNPROCESSED)
def serve(options: tuple[str, ...]) -> None:
    """Serve Chasqui from this one process: pages, mails and mailbox (--host, --port)."""
    # Becomes the module that joins `app` and `workers`: `app` itself never imports the workers.
    os.execv(sys.executable, [sys.executable, "-m", "workers.embedded", *options])  # noqa: S606 - our own module


@click.command()
@click.argument("email")
@click.option(
    "--name", default="Command line", help="What the token is for, as the account page tells."
)
def token(email: str, name: str) -> None:
    """Print a new API token for a player; the account is made if there is none."""
    database, at = opened(), now()
    with database.session() as session:
        player, _ = signin.player_of(session, email_address(email), "en", at)
        if player.id is None:
            raise click.ClickException("The account could not be made.")
        click.echo(accounts.new_token(session, player.id, name, at))
    database.close()


def opened() -> Database:
    """The database of the settings, up to date."""
    try:
        settings = load()
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad
    database = Database(settings.database_url)
    database.migrate()
    return database
