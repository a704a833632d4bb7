"""Alembic: moves the tables to a revision. Loaded by whoever has something to migrate."""

from __future__ import annotations

from collections.abc import Collection

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from app.platform.paths import MIGRATIONS


def move_tables(connection: Connection, current: Collection[str], to: str) -> None:
    """Migrates from the current revision to another, there or back."""
    config = alembic_config(connection)
    (command.downgrade if is_behind(current, to) else command.upgrade)(config, to)


def alembic_config(connection: Connection) -> Config:
    """What Alembic needs to work on an open connection."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    return config


def is_behind(current: Collection[str], to: str) -> bool:
    """Whether a revision is one that the tables have gone through already: then the way there is back."""
    if to == "head":
        return False
    scripts = ScriptDirectory(str(MIGRATIONS))
    passed = {s.revision for head in current for s in scripts.iterate_revisions(head, "base")}
    return to == "base" or to in passed
