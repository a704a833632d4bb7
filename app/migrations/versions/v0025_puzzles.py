"""What somebody made of a puzzle."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

NUMBER = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "puzzle_try",
        sa.Column("player_id", NUMBER, nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("puzzle", sa.String(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("best", sa.Integer(), nullable=False),
        sa.Column("solved_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("shown_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_puzzle_try_player_id_player")
        ),
        sa.PrimaryKeyConstraint("player_id", "game", "puzzle", name=op.f("pk_puzzle_try")),
    )
    op.create_index(op.f("ix_puzzle_try_game_puzzle"), "puzzle_try", ["game", "puzzle"])


def downgrade() -> None:
    op.drop_index(op.f("ix_puzzle_try_game_puzzle"), table_name="puzzle_try")
    op.drop_table("puzzle_try")
