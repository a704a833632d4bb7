"""Who somebody is: scopes and ends of tokens, passkeys, changes of address, suspension, and an access log."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

from app.platform.tables import Moment

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

COUNTING = {"sqlite_autoincrement": True}
A_YEAR = timedelta(days=365)
ALL = '["read", "play", "moderate"]'  # what tokens could do before there were scopes


def moment(name: str, *, nullable: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def whose(nullable: bool = False) -> sa.Column[int]:
    return sa.Column("player_id", sa.Integer(), sa.ForeignKey("player.id"), nullable=nullable)


def upgrade() -> None:
    suspend_players()
    bound_tokens()
    browser: sa.Column[str] = sa.Column("browser", sa.String(), nullable=False, server_default="")
    op.add_column("session", browser)
    with op.batch_alter_table("session", table_kwargs=COUNTING) as session:
        session.alter_column("browser", server_default=None)
    with op.batch_alter_table("audit", table_kwargs=COUNTING) as audit:
        audit.add_column(sa.Column("subject_id", sa.Integer(), nullable=True))
        audit.create_foreign_key("fk_audit_subject_id_player", "player", ["subject_id"], ["id"])
    make_tables()


def suspend_players() -> None:
    """Made anew with its counter, which an earlier migration lost: no number may come to mean another."""
    why: sa.Column[str] = sa.Column("suspended_why", sa.Text(), nullable=False, server_default="")
    with op.batch_alter_table("player", table_kwargs=COUNTING) as player:
        player.add_column(moment("suspended_at", nullable=True))
        player.add_column(why)
    with op.batch_alter_table("player", table_kwargs=COUNTING) as player:
        player.alter_column("suspended_why", server_default=None)


def bound_tokens() -> None:
    """Tokens that there are keep what they could do; nobody's program stops before a year from now."""
    scopes: sa.Column[list[str]] = sa.Column(
        "scopes", sa.JSON(), nullable=False, server_default=ALL
    )
    op.add_column("api_token", scopes)
    op.add_column("api_token", moment("expires_at", nullable=True))
    op.add_column("api_token", moment("last_used_at", nullable=True))
    tokens = sa.table("api_token", sa.column("expires_at", Moment))
    op.execute(tokens.update().values(expires_at=datetime.now(UTC) + A_YEAR))
    with op.batch_alter_table("api_token", table_kwargs=COUNTING) as api_token:
        api_token.alter_column("scopes", server_default=None)
        api_token.alter_column("expires_at", nullable=False)


def make_tables() -> None:
    op.create_table(
        "passkey",
        sa.Column("id", sa.Integer(), primary_key=True),
        whose(),
        sa.Column("credential_id", sa.String(), nullable=False, unique=True),
        sa.Column("public_key", sa.String(), nullable=False),
        sa.Column("sign_count", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        moment("created_at"),
        moment("last_used_at", nullable=True),
        **COUNTING,
    )
    op.create_index("ix_passkey_player_id", "passkey", ["player_id"])
    op.create_table(
        "challenge",
        sa.Column("challenge_hash", sa.String(), primary_key=True),
        whose(nullable=True),
        moment("created_at"),
    )
    op.create_index("ix_challenge_created_at", "challenge", ["created_at"])
    op.create_table(
        "address_change",
        sa.Column("id", sa.Integer(), primary_key=True),
        whose(),
        sa.Column("session_id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(), nullable=False),
        sa.Column("old_hash", sa.String(), nullable=False, unique=True),
        sa.Column("new_hash", sa.String(), nullable=False, unique=True),
        moment("created_at"),
        *(moment(name, nullable=True) for name in ("old_at", "new_at", "ended_at")),
        **COUNTING,
    )
    op.create_index(
        "ix_address_change_player_id_created_at", "address_change", ["player_id", "created_at"]
    )
    op.create_table(
        "access_event",
        sa.Column("id", sa.Integer(), primary_key=True),
        whose(),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("browser", sa.String(), nullable=False),
        moment("at"),
        **COUNTING,
    )
    op.create_index("ix_access_event_player_id_id", "access_event", ["player_id", "id"])
    op.create_index("ix_access_event_at", "access_event", ["at"])


def downgrade() -> None:
    for table in ("access_event", "address_change", "challenge", "passkey"):
        op.drop_table(table)
    for table, names in {
        "audit": ("subject_id",),
        "session": ("browser",),
        "api_token": ("scopes", "expires_at", "last_used_at"),
        "player": ("suspended_at", "suspended_why"),
    }.items():
        with op.batch_alter_table(table, table_kwargs=COUNTING) as kept:
            for name in names:
                kept.drop_column(name)
