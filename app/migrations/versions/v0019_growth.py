"""Growth: what is looked for often is found by index, and numbers of rows are 64 bits wide."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

INDEXES = {
    "match": [["created_at", "id"]],
    "login": [["created_at"]],
    "session": [["seen_at"], ["created_at"], ["ended_at"]],
    "submission": [["at"]],
    "received": [["at"]],
    "outbox": [["kind", "created_at"]],
    "player": [["guest", "created_at"]],
}


def upgrade() -> None:
    for table, lists in INDEXES.items():
        for columns in lists:
            op.create_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table, columns)
    widen("BIGINT")


def downgrade() -> None:
    widen("INTEGER")
    for table, lists in INDEXES.items():
        for columns in lists:
            op.drop_index(op.f(f"ix_{table}_{'_'.join(columns)}"), table_name=table)


def widen(kind: str) -> None:
    """SQLite's numbers are as wide as that already. Tables that have grown take a while: do it before they have."""
    connection = op.get_bind()
    if connection.dialect.name != "postgresql":
        return
    found = sa.inspect(connection)
    for table in sorted(found.get_table_names()):
        names = [column["name"] for column in found.get_columns(table) if is_number(column)]
        if names:
            changes = ", ".join(f'ALTER COLUMN "{name}" TYPE {kind}' for name in names)
            op.execute(f'ALTER TABLE "{table}" {changes}')
    for sequence in sorted(found.get_sequence_names()):
        op.execute(f'ALTER SEQUENCE "{sequence}" AS {kind}')


def is_number(column: sa.engine.interfaces.ReflectedColumn) -> bool:
    named = column["name"] == "id" or column["name"].endswith("_id")
    return named and isinstance(column["type"], sa.Integer)
