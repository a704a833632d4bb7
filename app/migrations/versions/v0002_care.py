"""Care of matches: moderators beside the owner, who did what, and what players report."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "moderator",
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), primary_key=True),
    )
    op.create_index("ix_moderator_player_id", "moderator", ["player_id"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), nullable=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=True),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("act", sa.String(), nullable=False),
        sa.Column("pos", sa.Integer(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_audit_match_id_id", "audit", ["match_id", "id"])
    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_report_settled_at_id", "report", ["settled_at", "id"])


def downgrade() -> None:
    for table in ("report", "audit", "moderator"):
        op.drop_table(table)
