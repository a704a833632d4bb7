"""What a bot made of a match that is over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "match_review",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_match_review_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_match_review")),
    )


def downgrade() -> None:
    op.drop_table("match_review")
