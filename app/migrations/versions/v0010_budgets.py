"""Budgets: who asked for a link, how many mails came, which matches were imported."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("nonce", "asker"):
        op.add_column("login", sa.Column(name, sa.String(), nullable=True))
    op.add_column("login", sa.Column("mailed_at", sa.DateTime(timezone=True), nullable=True))
    imported: sa.Column[bool] = sa.Column(
        "imported", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("match", imported)
    with op.batch_alter_table("match") as match:
        match.alter_column("imported", server_default=None)
    op.create_table(
        "arrival",
        sa.Column("key", sa.String(), primary_key=True),
        sa.Column("hour", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("count", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("arrival")
    with op.batch_alter_table("match") as match:
        match.drop_column("imported")
    with op.batch_alter_table("login") as login:
        for name in ("mailed_at", "asker", "nonce"):
            login.drop_column(name)
