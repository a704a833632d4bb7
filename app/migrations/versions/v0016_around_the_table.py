"""Who sat where before, how far talk was read, pictures to share, and rematches."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "talk_read",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=False),
        sa.Column("talk_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_talk_read_match_id_match")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_talk_read_player_id_player")
        ),
        sa.PrimaryKeyConstraint("match_id", "player_id", name=op.f("pk_talk_read")),
    )

    op.create_table(
        "seat_change",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("pos", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", sa.Integer(), nullable=True),
        sa.Column("bot", sa.String(), nullable=True),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_seat_change_match_id_match")
        ),
        sa.ForeignKeyConstraint(
            ["player_id"], ["player.id"], name=op.f("fk_seat_change_player_id_player")
        ),
        sa.PrimaryKeyConstraint("match_id", "pos", name=op.f("pk_seat_change")),
    )
    op.create_table(
        "share_picture",
        sa.Column("match_id", sa.String(), nullable=False),
        sa.Column("head", sa.Integer(), nullable=False),
        sa.Column("png", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["match_id"], ["match.id"], name=op.f("fk_share_picture_match_id_match")
        ),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_share_picture")),
    )
    op.add_column("match", sa.Column("rematch_of", sa.String(), nullable=True))
    op.create_index(op.f("ix_match_rematch_of"), "match", ["rematch_of"])


def downgrade() -> None:
    op.drop_index(op.f("ix_match_rematch_of"), table_name="match")
    op.drop_column("match", "rematch_of")
    op.drop_table("share_picture")
    op.drop_table("seat_change")
    op.drop_table("talk_read")
