"""Clocks of the seats, vacations and quiet hours of players, and what standing orders answered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("quiet_from", "quiet_to"):
        op.add_column("player", sa.Column(name, sa.Integer(), nullable=True))
    op.create_table(
        "vacation",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("first", sa.Date(), nullable=False),
        sa.Column("last", sa.Date(), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_vacation_player_id", "vacation", ["player_id"])
    op.create_table(
        "answered",
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("act", sa.Integer(), primary_key=True),
        sa.Column("seat", sa.Integer(), nullable=False),
    )
    op.create_table(
        "clock",
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("seat", sa.Integer(), primary_key=True),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("left", sa.Integer(), nullable=True),
        sa.Column("wake_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("phase IN ('idle', 'turn', 'bank', 'over')", name="phase"),
    )
    op.create_index("ix_clock_wake_at", "clock", ["wake_at"])
    count_reminders()


def count_reminders() -> None:
    """Several reminders may go out at one position: they are numbered."""
    old = "uq_outbox_match_id_pos_player_id_kind"
    new = "uq_outbox_match_id_pos_player_id_kind_number"
    columns = ["match_id", "pos", "player_id", "kind", "number"]
    number = sa.Column("number", sa.Integer(), nullable=False, server_default="0")
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.add_column(number)
        outbox.drop_constraint(old, type_="unique")
        outbox.create_unique_constraint(new, columns)
    with op.batch_alter_table("outbox", table_kwargs={"sqlite_autoincrement": True}) as outbox:
        outbox.alter_column("number", server_default=None)


def downgrade() -> None:
    raise NotImplementedError("Reminders would collide; restore a backup into a new database.")
