"""The secret link to a player's calendar can be made void."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    calendars: sa.Column[int] = sa.Column(
        "calendars", sa.Integer(), nullable=False, server_default="0"
    )
    op.add_column("player", calendars)
    with op.batch_alter_table("player") as player:
        player.alter_column("calendars", server_default=None)


def downgrade() -> None:
    with op.batch_alter_table("player") as player:
        player.drop_column("calendars")
