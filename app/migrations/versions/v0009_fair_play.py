"""Fair play: proposals of those who play, what clocks had left, answers in advance at a time of their own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("player", sa.Column("frozen_until", sa.DateTime(timezone=True), nullable=True))
    op.add_column("match", sa.Column("standing_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index("ix_match_standing_at", "match", ["standing_at"])
    alone: sa.Column[bool] = sa.Column(
        "alone", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("match", alone)
    remember_who_played_alone()
    with op.batch_alter_table("match") as match:
        match.alter_column("alone", server_default=None)
    op.create_table(
        "clock_stop",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("pos", sa.Integer(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("left", sa.Integer(), nullable=False),
        sa.Column("bank", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("phase IN ('idle', 'turn', 'bank', 'over')", name="phase"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_clock_stop_match_id_seat", "clock_stop", ["match_id", "seat"])
    op.create_table(
        "proposal",
        sa.Column("match_id", sa.String(), sa.ForeignKey("match.id"), primary_key=True),
        sa.Column("pos", sa.Integer(), primary_key=True),
        sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=False),
        sa.Column("email", sa.String(), nullable=True),
    )
    op.create_index("ix_proposal_email", "proposal", ["email"])
    let_frozen_clocks_run_on()


def let_frozen_clocks_run_on() -> None:
    """Clocks that stand still for mails that come back do so for two days more, and no longer."""
    moment = sa.DateTime(timezone=True)
    until = datetime.now(UTC) + timedelta(hours=48)
    player = sa.table("player", sa.column("bouncing_at"), sa.column("frozen_until", moment))
    lost = player.c.bouncing_at.is_not(None)
    op.execute(sa.update(player).where(lost).values(frozen_until=until))
    match = sa.table("match", sa.column("id"), sa.column("status"))
    clock = sa.table("clock", *map(sa.column, ("match_id", "left")), sa.column("wake_at", moment))
    running = sa.select(match.c.id).where(match.c.status == "running")
    still = (clock.c.left.is_not(None), clock.c.match_id.in_(running))
    op.execute(sa.update(clock).where(*still).values(wake_at=until))


def remember_who_played_alone() -> None:
    """In a match of several seats that are all one person's, nobody can come to play any more."""
    match = sa.table("match", *map(sa.column, ("id", "seats", "head", "alone")))
    seat = sa.table("seat", *map(sa.column, ("match_id", "player_id")))
    of_it = sa.select(sa.func.count(seat.c.player_id)).where(seat.c.match_id == match.c.id)
    people = sa.select(sa.func.count(sa.distinct(seat.c.player_id))).where(
        seat.c.match_id == match.c.id
    )
    alone = (
        match.c.seats > 1,
        match.c.head > 0,
        of_it.scalar_subquery() == match.c.seats,
        people.scalar_subquery() == 1,
    )
    op.execute(sa.update(match).where(*alone).values(alone=sa.true()))


def downgrade() -> None:
    op.drop_table("proposal")
    op.drop_table("clock_stop")
    op.drop_index("ix_match_standing_at", "match")
    with op.batch_alter_table("match") as match:
        match.drop_column("alone")
        match.drop_column("standing_at")
    with op.batch_alter_table("player") as player:
        player.drop_column("frozen_until")
