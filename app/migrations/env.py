"""Runs migrations for `Database.migrate`, and for `alembic revision --autogenerate` of a developer."""

from __future__ import annotations

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection

from app.platform.database import migration_engine
from app.platform.database_address import driver_address
from app.platform.settings import Settings
from app.platform.tables import Moment, Table


def render(kind: str, item: Any, _: AutogenContext) -> str | Literal[False]:
    """Our own type is written as what it is to the database: migrations must outlive today's code."""
    return "sa.DateTime(timezone=True)" if kind == "type" and isinstance(item, Moment) else False


def run(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Table.metadata,
        render_as_batch=True,  # SQLite alters a table by making it anew
        transactional_ddl=True,  # both databases can: a failed migration leaves nothing behind
        render_item=render,
    )
    with context.begin_transaction():
        context.run_migrations()


given: Connection | None = context.config.attributes.get("connection")
if given is not None:
    run(given)
else:
    with migration_engine(driver_address(Settings().database_url)).begin() as made:
        run(made)
