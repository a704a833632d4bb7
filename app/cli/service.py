"""The commands that need the service: running it, keeping it, and keys for programs."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from http import HTTPStatus
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from urllib.parse import urlsplit

import click
from alembic.util import CommandError
from rich.console import Console
from rich.progress import Progress, track
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.eventstore.store import prepare_database, reseal_seeds
from app.operations.archive import NotArchived, archive_matches, find_ended_matches
from app.operations.backups import NoBackup, restore_backup, save_backup
from app.operations.connections import try_connections
from app.operations.health import (
    SENTENCES,
    Patient,
    Problem,
    find_health_problems,
    find_problems,
)
from app.operations.moving import NotMoved, count_rows, move_database
from app.operations.nightly import back_up_nightly
from app.operations.partitioning import NotPartitioned, partition_log
from app.people.api_tokens import SCOPES, make_api_token
from app.people.sessions import find_or_make_player
from app.platform.database import Database, grant_service_role, migration_engine, open_database
from app.platform.seed_vault import WrongSeedKey
from app.platform.settings import BadSettings, Settings, load_settings
from app.platform.tables import utc_now
from app.platform.text_input import check_email_address


@click.command()
@click.option(
    "--to", help="Another revision than the newest; an earlier one takes away what came after it."
)
def migrate(to: str | None) -> None:
    """Make the tables, or bring them up to date; run it before the processes start.

    Versions that are one release older run on the newer tables, so they need not be stopped first.
    """
    if to is not None:
        migrate_to(to)
        return
    database = open_prepared_database()
    database.close()
    click.echo("The tables are up to date.")


def migrate_to(revision: str) -> None:
    database = open_database(load_checked_settings())
    try:
        database.migrate(revision)
    except CommandError as fault:
        raise click.ClickException(f"There is no way to {revision}: {fault}.") from fault
    except SQLAlchemyError as fault:
        raise click.ClickException(f"The tables could not be changed: {reason(fault)}") from fault
    finally:
        database.close()
    click.echo(f"The tables are at revision {revision}.")


@click.command()
def reseal() -> None:
    """Seal the seeds of all matches anew with the first key of the settings, so that older keys can be dropped."""
    database = open_prepared_database()
    try:
        count = reseal_seeds(database, plain=False)
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
    engine = migration_engine(Database(load_checked_settings().database_url).url)
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
@click.option("--probe", is_flag=True, help="Only what keeps a process from working, for probes.")
def health(web: str | None, probe: bool) -> None:
    """Tell what is wrong with the service, a sentence each; the exit code is that of the gravest fault.

    10 database, 11 migrations, 12 seeds, 13 grant, 14 disk, 15 workers, 16 Redis, 17 deadlines, 18 late mails,
    19 mailbox, 20 dead mails, 21 backup, 30 web.
    """
    settings = load_checked_settings()
    if web is not None:
        found = [] if answers(settings, web) else [Problem("web", SENTENCES["web"])]
    else:
        database = open_database(settings)
        found = (
            [Problem(word, SENTENCES[word]) for word in find_health_problems(database)]
            if probe
            else find_problems(Patient(settings, database, utc_now()))
        )
        database.close()
    for problem in found:
        click.echo(problem.sentence, err=True)
    if found:
        raise click.exceptions.Exit(found[0].exit_code)
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
@click.option("--connect", is_flag=True, help="Try database, Redis, mail servers and names too.")
def check(connect: bool) -> None:
    """Tell every setting that would not work, a sentence each; exit code 1 if there is one."""
    settings = load_checked_settings()
    kind = "one process" if settings.embedded else "many processes"
    click.echo(f"The settings can be used: {kind}, at {settings.base_url}.")
    for hint in settings.hints():
        click.echo(hint)
    tried = dict(try_connections(settings)) if connect else {}
    for name, fault in tried.items():
        click.echo(f"{name}: {fault or 'answers.'}", err=fault is not None)
    if any(tried.values()):
        raise click.exceptions.Exit(1)


@click.group()
def backup() -> None:
    """Save the whole database, or put it back."""


@backup.command()
@click.argument("file", type=click.Path(path_type=Path))
def save(file: Path) -> None:
    """Write everything into a new FILE while the service runs on."""
    try:
        save_backup(load_checked_settings().database_url, file)
    except NoBackup as refusal:
        raise click.ClickException(str(refusal)) from refusal
    click.echo(f"Saved {file}. The keys are not in it: without them the seeds in it stay sealed.")


@backup.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--keep", default=30, help="Days that older backups stay in the folder.")
def nightly(folder: Path, keep: int) -> None:
    """Save into FOLDER, read the file back and verify every match in it; `chasqui health` tells when that fails."""
    settings = load_checked_settings()
    database = open_database(settings)
    try:
        made = back_up_nightly(
            database, folder, utc_now(), timedelta(days=keep), settings.seed_keys()
        )
    except NoBackup as refusal:
        raise click.ClickException(str(refusal)) from refusal
    finally:
        database.close()
    click.echo(f"Saved {made}; every match in it verifies.")


@backup.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--replace", is_flag=True, help="Move the SQLite database that is there aside.")
def restore(file: Path, replace: bool) -> None:
    """Put FILE in the place of the database, once every match in it verifies; the service must be stopped."""
    settings = load_checked_settings()
    url, keys = settings.database_url, settings.seed_keys()
    try:
        aside = restore_backup(url, file, utc_now(), replace=replace, seed_keys=keys)
    except NoBackup as refusal:
        raise click.ClickException(str(refusal)) from refusal
    if aside:
        click.echo(f"The old database is now {aside}.")
    click.echo("Restored; every match verifies.")


@click.command()
@click.option("--parts", default=32, show_default=True, help="Into how many.")
def partition(parts: int) -> None:
    """Put the log into parts by match, as the owner of its tables; players wait while it is copied.

    Worth it from some hundred million events on. Each part is as append-only as the whole: run `chasqui grant` afterwards.
    """
    database = open_database(load_checked_settings())
    try:
        count = partition_log(database, parts)
    except NotPartitioned as refusal:
        raise click.ClickException(str(refusal)) from refusal
    except SQLAlchemyError as fault:
        raise click.ClickException(f"Nothing was changed: {reason(fault)}") from fault
    finally:
        database.close()
    click.echo(
        f"{count} events lie in {parts} parts. Run `chasqui grant` for the role of the service now."
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True))
@click.option("--older-than", default=30, show_default=True, help="Days since a match ended.")
def archive(folder: Path, older_than: int) -> None:
    """Write the records of finished matches into FOLDER, a file each; what is there already stays.

    Nothing leaves the database. `chasqui verify` and `chasqui replay` read the files, with or without a service.
    """
    settings, now = load_checked_settings(), utc_now()
    database = open_database(settings)
    try:
        ended = find_ended_matches(database, now - timedelta(days=older_than))
        going = archive_matches(database, settings, folder, ended, now)
        bar = track(going, "Archiving", len(ended), console=Console(stderr=True))
        outcomes = Counter[str]()
        for outcome in bar:
            outcomes[outcome if isinstance(outcome, str) else "failed"] += 1
            if isinstance(outcome, NotArchived):
                click.echo(str(outcome), err=True)
    finally:
        database.close()
    click.echo(f"{outcomes['written']} records written, {outcomes['there']} were there already.")
    if outcomes["failed"]:
        raise click.exceptions.Exit(1)


@click.command()
@click.option(
    "--to", required=True, help="The PostgreSQL to move to, by the role that owns its tables."
)
def move(to: str) -> None:
    """Move everything into another database, verify every match there, and tell what to set next.

    The service must be stopped. Begun again after an interruption, it goes on where it was.
    """
    settings = load_checked_settings()
    source, target = open_database(settings), Database(to, settings.seed_keys())
    try:
        with Progress(console=Console(stderr=True)) as progress:
            bar = progress.add_task("Moving", total=count_rows(source))
            count = move_database(source, target, lambda rows: progress.advance(bar, rows))
    except NotMoved as refusal:
        raise click.ClickException(str(refusal)) from refusal
    finally:
        source.close()
        target.close()
    click.echo(
        f"Moved; {count} matches verify. Run `chasqui grant` there, then set CHASQUI_DATABASE_URL."
    )


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
    type=click.Choice(tuple(SCOPES)),
    help="What it may be used for; may be given several times. Otherwise for everything.",
)
def token(email: str, name: str, scopes: tuple[str, ...]) -> None:
    """Print a new API token for a player, good for a year; the account is made if there is none."""
    database, at = open_prepared_database(), utc_now()
    with database.session() as session:
        player, _ = find_or_make_player(session, check_email_address(email), "en", at)
        if player.id is None:
            raise click.ClickException("The account could not be made.")
        scopes = scopes or tuple(SCOPES)
        click.echo(make_api_token(session, player.id, name, at, scopes))
    database.close()


def open_prepared_database() -> Database:
    """The database of the settings, up to date."""
    database = open_database(load_checked_settings())
    try:
        prepare_database(database)
    except SQLAlchemyError as fault:
        raise click.ClickException(f"The database cannot be used: {reason(fault)}") from fault
    except WrongSeedKey as fault:
        raise click.ClickException(str(fault)) from fault
    return database


def load_checked_settings() -> Settings:
    """The settings of this environment, or every sentence about what is wrong with them."""
    try:
        return load_settings()
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad


def reason(fault: SQLAlchemyError) -> str:
    """What the database said, without the statement."""
    return str(getattr(fault, "orig", None) or fault).strip()
