"""Orders by mail that count after some minutes."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "cooling",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("orders", sa.JSON(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("message_id", sa.String(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_cooling_match_id_match")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_cooling_player_id_player")
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_cooling")),
    )
    op.create_index(op.f("ix_cooling_player_id"), "cooling", ["player_id"])
    op.create_index(op.f("ix_cooling_due_at"), "cooling", ["due_at"])


def downgrade() -> None:
    op.drop_table("cooling")
