"""Bots at tables: since when one is asked, and whether players may ask one for advice."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("bot_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_match_bot_at", "match", ["bot_at"])
    hints: sa.Column[bool] = sa.Column(
        "hints", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("match", hints)
    with op.batch_alter_table("match") as match:
        match.alter_column("hints", server_default=None)


def downgrade() -> None:
    op.drop_index("ix_match_bot_at", "match")
    with op.batch_alter_table("match") as match:
        match.drop_column("hints")
        match.drop_column("bot_at")
