"""Who let their time run out, and matches by when they ended."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0019"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "late_turn",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("pos", sa.Integer(), nullable=False),
        sa.Column("player_id", NUMBER, nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_late_turn_match_id_match")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_late_turn_player_id_player")
        ),
        sa.PrimaryKeyConstraint("match_id", "pos", "player_id", name=op.f("pk_late_turn")),
    )
    op.create_index(op.f("ix_late_turn_player_id"), "late_turn", ["player_id"])
    op.create_index(op.f("ix_match_status_ended_at"), "match", ["status", "ended_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_match_status_ended_at"), table_name="match")
    op.drop_index(op.f("ix_late_turn_player_id"), table_name="late_turn")
    op.drop_table("late_turn")
