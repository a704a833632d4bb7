"""Invitations to care for a match have a table of their own; until now they were rows of the outbox."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

# As what the one who asked last cared for the match, as the audit has it.
ROLE = """
    COALESCE((SELECT role FROM audit WHERE audit.match_id = outbox.match_id AND audit.act = 'ModeratorInvited'
        ORDER BY audit.id DESC LIMIT 1), 'owner')
"""
COPY = f"""
    INSERT INTO moderator_invitation (match_id, email, role, created_at, settled)
    SELECT match_id, email, {ROLE}, created_at, CASE WHEN why IN ('taken', 'withdrawn') THEN why END
    FROM outbox WHERE kind = 'care' AND match_id IS NOT NULL AND email IS NOT NULL ORDER BY id
"""  # noqa: S608 - nothing of it comes from outside


def upgrade() -> None:
    op.create_table(
        "moderator_invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_moderator_invitation_match_id_match")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_moderator_invitation")),
        sqlite_autoincrement=True,
    )
    with op.batch_alter_table("moderator_invitation") as table:
        table.create_index(op.f("ix_moderator_invitation_email"), ["email"])
        table.create_index(op.f("ix_moderator_invitation_match_id_id"), ["match_id", "id"])
    op.execute(COPY)


def downgrade() -> None:
    op.drop_table("moderator_invitation")
