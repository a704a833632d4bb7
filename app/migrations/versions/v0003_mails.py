"""Mails: why one was not sent, whose mails come back, and when the next digest is due."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("outbox", sa.Column("why", sa.String(), nullable=True))
    for name in ("bouncing_at", "digest_at"):
        op.add_column("player", sa.Column(name, sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_player_digest_at", "player", ["digest_at"])


def downgrade() -> None:
    op.drop_index("ix_player_digest_at", "player")
    for table, name in (("player", "digest_at"), ("player", "bouncing_at"), ("outbox", "why")):
        op.drop_column(table, name)
