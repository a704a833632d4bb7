"""The commands that need the service: running it, keeping it, and keys for programs."""

from __future__ import annotations

import os
import sys
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import click
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app import accounts, backups, signin, store
from app.db import Database, grant_service_role, migration_engine, open_database
from app.health import SENTENCES, late_mails, problems
from app.models import now
from app.seed_vault import WrongSeedKey
from app.settings import BadSettings, Settings, load
from app.words import email_address

# Running it. These become a module that joins `app` and `workers`: `app` itself never imports the workers.


def becomes(name: str, module: str, what: str) -> click.Command:
    """A command that hands its options on to a module of the workers."""

    def become(options: tuple[str, ...]) -> None:
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
    "workers.embedded",
    "Serve Chasqui from this one process: pages, mails and mailbox (--host, --port).",
)
web = becomes(
    "web", "workers.web", "Serve pages and API by gunicorn, beside workers (gunicorn's options)."
)
worker = becomes(
    "worker", "workers.celery_app", "Send mails and watch deadlines, beside web processes."
)
inbox = becomes(
    "inbox", "workers.inbox", "Listen for answers by mail (SMTP or LMTP), beside web processes."
)


# Keeping it


@click.command()
def migrate() -> None:
    """Make the tables, or bring them up to date; run it before the processes start."""
    database = opened()
    database.close()
    click.echo("The tables are up to date.")


@click.command()
def reseal() -> None:
    """Seal the seeds of all matches anew with the first key of the settings, so that older keys can be dropped."""
    database = opened()
    try:
        count = store.reseal_seeds(database, plain=False)
    except WrongSeedKey as fault:
        raise click.ClickException(str(fault)) from fault
    finally:
        database.close()
    click.echo(f"The seeds of {count} matches are sealed with the first key; no other is needed.")


@click.command()
@click.argument("role")
def grant(role: str) -> None:
    """Let a PostgreSQL role run the service: it may add to the log, and never change it.

    Run it as the owner of the tables, after every migration.
    """
    engine = migration_engine(Database(settled().database_url).url)
    if engine.dialect.name != "postgresql":
        raise click.ClickException("Only PostgreSQL has roles; this is SQLite.")
    try:
        with engine.begin() as connection:
            known = connection.scalar(
                text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": role}
            )
            if known is None:
                raise click.ClickException(f"There is no role {role}: CREATE ROLE makes one.")
            grant_service_role(connection, role)
    except SQLAlchemyError as fault:
        raise click.ClickException(f"It could not be granted: {reason(fault)}") from fault
    click.echo(f"{role} may run the service; of the log it may only read and add to.")


@click.command()
@click.option("--web", help="Ask the web process at HOST:PORT instead of the database.")
def health(web: str | None) -> None:
    """Tell what keeps the service from working; exit code 1 if anything does."""
    settings = settled()
    if web is not None:
        found = [] if answers(settings, web) else ["web"]
    else:
        database = open_database(settings)
        found = problems(database) or late_mails(database, now())
        database.close()
    if found:
        raise click.ClickException("\n".join(SENTENCES[word] for word in found))
    click.echo("All is well.")


def answers(settings: Settings, web: str) -> bool:
    """Whether a web process is ready; it is called by the name that it listens to."""
    base = urlsplit(settings.base_url)
    try:
        connection = HTTPConnection(web, timeout=5)
        connection.request("GET", "/health/ready", headers={"Host": base.netloc})
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, HTTPException):
        return False


@click.group()
def config() -> None:
    """Look at the settings of this environment."""


@config.command()
def check() -> None:
    """Tell every setting that would not work, a sentence each; exit code 1 if there is one."""
    settings = settled()
    kind = "one process" if settings.embedded else "many processes"
    click.echo(f"The settings can be used: {kind}, at {settings.base_url}.")
    for hint in settings.hints():
        click.echo(hint)


@click.group()
def backup() -> None:
    """Save the whole database, or put it back."""


@backup.command()
@click.argument("file", type=click.Path(path_type=Path))
def save(file: Path) -> None:
    """Write everything into a new FILE while the service runs on."""
    try:
        backups.save(settled().database_url, file)
    except backups.NoBackup as refusal:
        raise click.ClickException(str(refusal)) from refusal
    click.echo(f"Saved {file}. The keys are not in it: without them the seeds in it stay sealed.")


@backup.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Move the SQLite database that is there aside.")
def restore(file: Path, replace: bool) -> None:
    """Put FILE in the place of the database, once every match in it verifies; the service must be stopped."""
    settings = settled()
    url, keys = settings.database_url, settings.seed_keys()
    try:
        aside = backups.restore(url, file, now(), replace=replace, seed_keys=keys)
    except backups.NoBackup as refusal:
        raise click.ClickException(str(refusal)) from refusal
    if aside:
        click.echo(f"The old database is now {aside}.")
    click.echo("Restored; every match verifies.")


# Keys for programs


@click.command()
@click.argument("email")
@click.option(
    "--name", default="Command line", help="What the token is for, as the account page tells."
)
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(tuple(accounts.SCOPES)),
    help="What it may be used for; may be given several times. Otherwise for everything.",
)
def token(email: str, name: str, scopes: tuple[str, ...]) -> None:
    """Print a new API token for a player, good for a year; the account is made if there is none."""
    database, at = opened(), now()
    with database.session() as session:
        player, _ = signin.player_of(session, email_address(email), "en", at)
        if player.id is None:
            raise click.ClickException("The account could not be made.")
        scopes = scopes or tuple(accounts.SCOPES)
        click.echo(accounts.new_token(session, player.id, name, at, scopes))
    database.close()


def opened() -> Database:
    """The database of the settings, up to date."""
    database = open_database(settled())
    try:
        store.prepare_database(database)
    except SQLAlchemyError as fault:
        raise click.ClickException(f"The database cannot be used: {reason(fault)}") from fault
    except WrongSeedKey as fault:
        raise click.ClickException(str(fault)) from fault
    return database


def settled() -> Settings:
    """The settings of this environment, or every sentence about what is wrong with them."""
    try:
        return load()
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad


def reason(fault: SQLAlchemyError) -> str:
    """What the database said, without the statement."""
    return str(getattr(fault, "orig", None) or fault).strip()
