"""`chasqui move`: a whole database into another, table by table, resumable, and verified match by match at the end."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.dialects.postgresql import insert as insert_once
from sqlalchemy.exc import SQLAlchemyError

from app.eventstore.store import EVENT, MATCH
from app.operations.backups import problem
from app.platform.database import Database
from app.platform.tables import Table as Model

BATCH = 500
TABLES: tuple[Table, ...] = tuple(Model.metadata.sorted_tables)
NUMBERED = text("SELECT setval(pg_get_serial_sequence(:name, 'id'), :last)")
Step = Callable[[int], None]


class NotMoved(Exception):
    """It cannot be moved, or not yet; the sentence says why. What arrived stays, and the next try goes on from there."""


def check_nobody_uses(file: Path) -> None:
    """Refuses a file of SQLite that a service has open, even idly: leaving the WAL needs the file for oneself."""
    with closing(sqlite3.connect(file, timeout=1)) as connection:
        try:
            connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as fault:
            raise NotMoved(f"{file} is in use: stop the service first.") from fault


def count_rows(source: Database) -> int:
    with source.read() as connection:
        return sum(rows_of(connection, table) for table in TABLES)


def rows_of(connection: Connection, table: Table) -> int:
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def move_database(source: Database, target: Database, step: Step) -> int:
    """Copies everything that is not there yet and verifies it; says how many matches were verified."""
    if target.is_sqlite:
        raise NotMoved("Only a move to PostgreSQL is known.")
    if source.is_sqlite:
        source.close()  # our own connections; they open again
        check_nobody_uses(Path(source.url.database or ""))
    try:
        target.migrate()
        for table in TABLES:
            (copy_log if table is EVENT else copy_table)(source, target, table, step)
        with target.write() as connection:
            number_on(connection)
    except SQLAlchemyError as fault:
        reason = str(getattr(fault, "orig", None) or fault).strip()
        raise NotMoved(f"The move stopped and can be begun again: {reason}") from fault
    return verify_move(source, target)


def copy_table(source: Database, target: Database, table: Table, step: Step) -> None:
    """Adds the rows that are not there yet; who was moved before is not moved twice."""
    with source.read() as connection:
        rows = connection.execute(select(table)).mappings()
        for batch in batches(rows):
            with target.write() as writing:
                writing.execute(insert_once(table).on_conflict_do_nothing(), batch)
            step(len(batch))


def batches(rows: Any) -> Iterator[list[dict[str, Any]]]:
    for part in rows.partitions(BATCH):
        yield [dict(row) for row in part]


def copy_log(source: Database, target: Database, table: Table, step: Step) -> None:
    """The logs, match by match, each whole or not at all."""
    counted = select(table.c.match_id, func.count()).group_by(table.c.match_id)
    with target.read() as connection:
        there = {match_id: count for match_id, count in connection.execute(counted)}  # noqa: C416 - rows are not pairs to mypy
    with source.read() as connection:
        for match_id, count in connection.execute(counted).all():
            if there.get(match_id, 0) != count:
                log = connection.execute(
                    select(table).where(table.c.match_id == match_id).order_by(table.c.pos)
                ).mappings()
                with target.write() as writing:
                    writing.execute(insert(table), [dict(row) for row in log])
            step(count)


def number_on(connection: Connection) -> None:
    """Lets the next numbers follow those that came along."""
    for table in TABLES:
        if "id" in table.c and table.c.id.type.python_type is int:
            last = connection.execute(select(func.max(table.c.id))).scalar()
            if last:
                connection.execute(NUMBERED, {"name": table.name, "last": last})


def verify_move(source: Database, target: Database) -> int:
    """Refuses a copy that lacks a row, or in which a match is not the one that was played."""
    with source.read() as old, target.read() as new:
        for table in TABLES:
            if (had := rows_of(old, table)) != (has := rows_of(new, table)):
                raise NotMoved(
                    f"Of {table.name} there were {had} rows and there are {has}: move again."
                )
        heads = select(MATCH.c.id, MATCH.c.head, MATCH.c.hash).where(MATCH.c.head > 0)
        before = {row.id: (row.head, row.hash) for row in old.execute(heads)}
        after = {row.id: (row.head, row.hash) for row in new.execute(heads)}
        if before != after:
            raise NotMoved("A match does not end where it did.")
        wrong = [told for told in (problem(new, match_id) for match_id in after) if told]
    if wrong:
        raise NotMoved("\n".join(wrong))
    return len(after)


# Verifying a whole database


def verify_all(database: Database, ids: Sequence[str]) -> Iterator[str | None]:
    """What is wrong with each match, or nothing; each is read by itself, so that nobody waits for us."""
    for match_id in ids:
        with database.read() as connection:
            yield problem(connection, match_id)


def begun_matches(database: Database) -> list[str]:
    with database.read() as connection:
        begun = select(MATCH.c.id).where(MATCH.c.head > 0).order_by(MATCH.c.id)
        return list(connection.execute(begun).scalars())
