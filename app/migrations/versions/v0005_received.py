"""Mails that came in: each counts once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "received",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("source", sa.Text(), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.UniqueConstraint("key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_received_player_id_at", "received", ["player_id", "at"])


def downgrade() -> None:
    op.drop_table("received")
