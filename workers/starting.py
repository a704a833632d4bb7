"""Start-up checks of a grown service's processes: settings that work, tables that are up to date."""

from __future__ import annotations

import click

from app.operations.health import SENTENCES, find_health_problems
from app.platform.database import Database, open_database
from app.platform.settings import BadSettings, Settings, load_settings


def prepared() -> tuple[Settings, Database]:
    """The settings and the database of a process beside others: it migrates nothing itself."""
    try:
        settings = load_settings()
    except BadSettings as bad:
        raise click.ClickException("\n".join(bad.problems)) from bad
    if settings.embedded:
        raise click.ClickException(
            "CHASQUI_EMBEDDED is true: `chasqui serve` is the whole service then. "
            "Set it to false for web and worker processes."
        )
    database = open_database(settings)
    if problems := find_health_problems(database):
        raise click.ClickException("\n".join(SENTENCES[word] for word in problems))
    return settings, database
