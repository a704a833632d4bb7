"""A table commits to its seed when it is opened, and players may mix nonces into it."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("commitment", sa.String(), nullable=True))
    op.add_column("seat", sa.Column("nonce", sa.String(), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seat") as seat:
        seat.drop_column("nonce")
    with op.batch_alter_table("match") as match:
        match.drop_column("commitment")
