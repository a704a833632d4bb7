"""Browsers to wake, webhooks, and what they are to be told."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "push_subscription",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("endpoint", sa.String(), nullable=False),
        sa.Column("p256dh", sa.String(), nullable=False),
        sa.Column("auth", sa.String(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_push_subscription_player_id_player")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_push_subscription")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_push_subscription_endpoint")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_push_subscription_player_id"), "push_subscription", ["player_id"])
    op.create_table(
        "webhook",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("url", sa.String(), nullable=False),
        sa.Column("last_error", sa.String(), nullable=False),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_webhook_player_id_player")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_webhook")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_webhook_player_id"), "webhook", ["player_id"])
    op.create_table(
        "notice",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("push_id", sa.Integer(), nullable=True),
        sa.Column("webhook_id", sa.Integer(), nullable=True),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("not_before", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["match.id"], name=op.f("fk_notice_match_id_match")),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_notice_player_id_player")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notice")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_notice_not_before"), "notice", ["not_before"])
    op.create_index(op.f("ix_notice_player_id"), "notice", ["player_id"])


def downgrade() -> None:
    for table in ("notice", "webhook", "push_subscription"):
        op.drop_table(table)
