"""SQLAlchemy Core statements on the hot path: compiled once, then handed straight to the driver.

Core prepares every execution anew, which takes several times as long as SQLite takes to insert the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from typing import Any

from sqlalchemy import BindParameter, Connection, Delete, Insert, Select, Update
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError

Values = Mapping[str, Any]
Process = Callable[[Any], Any]
Words = Insert | Update | Delete | Select[Any]
TOLD = "told"  # where a connection that sees one state keeps what it was told


class Statement:
    """Words whose values are always given under the same names."""

    def __init__(self, words: Words, names: Sequence[str] | None = None) -> None:
        self.words, self._names = words, names
        self._compiled: dict[str, Compiled] = {}

    def run(self, connection: Connection, *rows: Values) -> int:
        """Executes it for each of the rows and tells how many were touched."""
        cursor = self.executed(connection, rows)
        touched = int(cursor.rowcount)
        cursor.close()
        return touched

    def found(self, connection: Connection, values: Values) -> list[Any]:
        """What a SELECT finds, as the driver tells it: dates may be text, and JSON unread."""
        cursor = self.executed(connection, (values,))
        rows: list[Any] = cursor.fetchall()
        cursor.close()
        return rows

    def rows(self, connection: Connection, values: Values) -> list[Any]:
        """What a SELECT finds, as SQLAlchemy would tell it; a connection that sees one state is asked once."""
        told: dict[Any, list[Any]] | None = connection.get_execution_options().get(TOLD)
        if told is None:
            return self._understood(connection, values)
        question = (self, *values.items())
        if question not in told:
            told[question] = self._understood(connection, values)
        return told[question]

    def _understood(self, connection: Connection, values: Values) -> list[Any]:
        found = self.found(connection, values)
        results = self._compiled[connection.dialect.name].results
        if not results:
            return found
        told = []
        for row in found:
            parts = list(row)
            for number, process in results:
                parts[number] = process(parts[number])
            told.append(parts)
        return told

    def executed(self, connection: Connection, rows: Sequence[Values]) -> Any:
        compiled = self._compiled.get(connection.dialect.name)
        if compiled is None:
            compiled = Compiled(self.words, self._names, connection.dialect)
            self._compiled[connection.dialect.name] = compiled
        if not connection.in_transaction():
            connection.begin()
        cursor = connection.connection.cursor()
        values = [compiled.values(row) for row in rows]
        try:
            if len(values) == 1:
                cursor.execute(compiled.sql, values[0])
            else:
                cursor.executemany(compiled.sql, values)
        except connection.dialect.loaded_dbapi.Error as error:
            told = explained(error, compiled.sql, connection, cursor)
            cursor.close()
            raise told from error
        return cursor


def ask_together(connection: Connection, *questions: tuple[Statement, Values]) -> list[list[Any]]:
    """What several SELECTs find, as the driver tells it; PostgreSQL hears them all before it answers, in one round trip."""
    driver: Any = connection.connection.dbapi_connection
    cursors = list[Any]()
    try:
        with getattr(driver, "pipeline", nullcontext)():
            for statement, values in questions:
                cursors.append(statement.executed(connection, (values,)))
        return [cursor.fetchall() for cursor in cursors]
    except connection.dialect.loaded_dbapi.Error as error:
        raise explained(error, "", connection, None) from error
    finally:
        for cursor in cursors:
            cursor.close()


def explained(error: Any, sql: str, connection: Connection, cursor: Any) -> BaseException:
    """The driver's error as SQLAlchemy would raise it; a lost connection is not used again."""
    dialect = connection.dialect
    lost = dialect.is_disconnect(error, connection.connection.dbapi_connection, cursor)
    if lost:
        connection.invalidate(error)
    family = dialect.loaded_dbapi.Error
    told: BaseException = DBAPIError.instance(
        sql, None, error, family, connection_invalidated=lost, dialect=dialect
    )
    return told


class Compiled:
    """A statement in the words of one database, and how it wants the values."""

    def __init__(self, words: Words, names: Sequence[str] | None, dialect: Dialect) -> None:
        made = words.compile(dialect=dialect, column_keys=names)
        self.sql = str(made)
        self._positional = bool(
            getattr(made, "positiontup", None)
        )  # a tuple for ?, a dict for %(name)s
        order = getattr(made, "positiontup", None) or list(made.binds)
        self._plan = [(name, processor(made.binds[name], dialect)) for name in order]
        self.results = results_of(words, dialect)
        self._fixed = {name: bind.value for name, bind in made.binds.items() if not bind.required}

    def values(self, row: Values) -> Any:
        """The values of a row as the driver takes them."""
        if self._fixed:  # a limit brings some of its own
            row = {**self._fixed, **row}
        if self._positional:
            return [process(row[name]) if process else row[name] for name, process in self._plan]
        return {name: process(row[name]) if process else row[name] for name, process in self._plan}


def processor(bind: BindParameter[Any], dialect: Dialect) -> Process | None:
    process: Process | None = bind.type.dialect_impl(dialect).bind_processor(dialect)
    return process


def results_of(words: Words, dialect: Dialect) -> list[tuple[int, Process]]:
    """Which columns of a SELECT must be understood, and how."""
    columns = words.selected_columns if isinstance(words, Select) else ()
    found = (
        column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns
    )
    return [(number, process) for number, process in enumerate(found) if process]
