"""SQLAlchemy Core statements on the hot path: compiled once, then handed straight to the driver.

Core prepares every execution anew, which takes several times as long as SQLite takes to insert the row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, CursorResult, Insert, Update
from sqlalchemy.engine import Dialect

Values = Mapping[str, Any]
Process = Callable[[Any], Any]


class Statement:
    """An INSERT or UPDATE whose values are always given under the same names."""

    def __init__(self, words: Insert | Update, names: Sequence[str] | None = None) -> None:
        self._words, self._names = words, names
        self._compiled: dict[str, Compiled] = {}

    def run(self, connection: Connection, *rows: Values) -> CursorResult[Any]:
        """Executes it for each of the rows."""
        compiled = self._compiled.get(connection.dialect.name)
        if compiled is None:
            compiled = Compiled(self._words, self._names, connection.dialect)
            self._compiled[connection.dialect.name] = compiled
        values = [compiled.values(row) for row in rows]
        return connection.exec_driver_sql(compiled.sql, values if len(values) > 1 else values[0])


class Compiled:
    """A statement in the words of one database, and how it wants the values."""

    def __init__(
        self, words: Insert | Update, names: Sequence[str] | None, dialect: Dialect
    ) -> None:
        made = words.compile(dialect=dialect, column_keys=names)
        self.sql = str(made)
        self._process = dict[str, Process]()
        for name, bind in made.binds.items():
            if process := bind.type.dialect_impl(dialect).bind_processor(dialect):
                self._process[name] = process
        places = getattr(made, "positiontup", None)  # qmark wants a tuple, pyformat a dict
        self._shape: Callable[[dict[str, Any]], Any] = itemgetter(*places) if places else dict

    def values(self, row: Values) -> Any:
        given = {**row}
        for name, process in self._process.items():
            given[name] = process(given[name])
        return self._shape(given)
