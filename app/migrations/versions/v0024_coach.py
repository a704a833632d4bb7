"""Matches in which a newcomer is advised, and who wants no advice any more."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("coach_off_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("match", sa.Column("coached", sa.Integer(), nullable=True))


def downgrade() -> None:
    op.drop_column("match", "coached")
    op.drop_column("player", "coach_off_at")
