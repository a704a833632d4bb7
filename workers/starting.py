"""How the processes of a grown service begin: with settings that work and tables that are up to date."""

from __future__ import annotations

import click

from app import health
from app.db import Database, open_database
from app.settings import BadSettings, Settings, load


def prepared() -> tuple[Settings, Database]:
    """The settings and the database of a process beside others: it migrates nothing itself."""
    try:
        settings = load()
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad
    if settings.embedded:
        raise click.ClickException(
            "CHASQUI_EMBEDDED is true: `chasqui serve` is the whole service then. "
            "Set it to false for web and worker processes."
        )
    database = open_database(settings)
    if problems := health.problems(database):
        raise click.ClickException("\n".join(health.SENTENCES[word] for word in problems))
    return settings, database
