"""Seats are found by player and match, and what the lobby shows by all that it asks: neither is walked through any more."""

from __future__ import annotations

from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

SEATS, LOBBY = "ix_seat_player_id_match_id", "ix_match_status_public_created_at"


def upgrade() -> None:
    op.create_index(op.f(SEATS), "seat", ["player_id", "match_id"])
    op.drop_index(op.f("ix_seat_player_id"), table_name="seat")
    op.create_index(op.f(LOBBY), "match", ["status", "public", "created_at"])


def downgrade() -> None:
    op.drop_index(op.f(LOBBY), table_name="match")
    op.create_index(op.f("ix_seat_player_id"), "seat", ["player_id"])
    op.drop_index(op.f(SEATS), table_name="seat")
