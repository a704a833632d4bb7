"""Who solved which lesson."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "solved_lesson",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("lesson", sa.String(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_solved_lesson_player_id_player")
        ),
        sa.PrimaryKeyConstraint("player_id", "game", "lesson", name=op.f("pk_solved_lesson")),
    )


def downgrade() -> None:
    op.drop_table("solved_lesson")
