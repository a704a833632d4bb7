"""The first tables, and the guards that let the log only grow."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

AUTOINCREMENT = {"sqlite_autoincrement": True}

SQLITE_GUARDS = (
    """
    CREATE TRIGGER event_is_never_changed BEFORE UPDATE ON event
    BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END
    """,
    """
    CREATE TRIGGER event_is_never_removed BEFORE DELETE ON event
    BEGIN SELECT RAISE(ABORT, 'an event is never removed'); END
    """,
    # INSERT OR REPLACE removes the old row without firing the trigger on DELETE
    """
    CREATE TRIGGER event_is_never_replaced BEFORE INSERT ON event
    WHEN EXISTS (SELECT 1 FROM event WHERE match_id = NEW.match_id AND pos = NEW.pos)
    BEGIN SELECT RAISE(ABORT, 'an event is never replaced'); END
    """,
)

# For each statement, not for each row: an attempt that meets no row is refused too, and appending costs nothing.
POSTGRESQL_GUARDS = (
    """
    CREATE FUNCTION event_is_never_changed() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'an event is never changed or removed' USING ERRCODE = 'restrict_violation'; END $$
    """,
    """
    CREATE TRIGGER event_is_never_changed BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_is_never_changed()
    """,
)


def upgrade() -> None:
    people()
    matches()
    seats()
    mails()
    guards = {"sqlite": SQLITE_GUARDS, "postgresql": POSTGRESQL_GUARDS}
    for statement in guards[op.get_context().dialect.name]:
        op.execute(statement)


def downgrade() -> None:
    """There is no way back before the first tables: it would end every match."""
    raise NotImplementedError("The log is never removed; restore a backup into a new database.")


def people() -> None:
    op.create_table(
        "player",
        number("id", primary_key=True),
        words("email", nullable=True, unique=True),
        words("name"),
        words("language"),
        words("timezone"),
        sa.Column("mail_preferences", sa.JSON(), nullable=False),
        sa.Column("moderator", sa.Boolean(), nullable=False),
        sa.Column("guest", sa.Boolean(), nullable=False),
        moment("created_at"),
        moment("deleted_at", nullable=True),
        sa.CheckConstraint("language IN ('en', 'fr', 'pt_BR')", name="language"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "login",
        number("id", primary_key=True),
        words("token_hash", unique=True),
        words("email"),
        words("next", nullable=True),
        moment("created_at"),
        moment("used_at", nullable=True),
        sa.Index(None, "email", "created_at"),
        **AUTOINCREMENT,
    )
    op.create_table(
        "session",
        number("id", primary_key=True),
        words("token_hash", unique=True),
        refers("player_id", "player.id", index=True),
        moment("created_at"),
        moment("fresh_at"),
        moment("seen_at"),
        moment("ended_at", nullable=True),
        **AUTOINCREMENT,
    )
    op.create_table(
        "api_token",
        number("id", primary_key=True),
        words("token_hash", unique=True),
        refers("player_id", "player.id", index=True),
        words("name"),
        moment("created_at"),
        moment("ended_at", nullable=True),
        **AUTOINCREMENT,
    )


def matches() -> None:
    op.create_table(
        "match",
        words("id", primary_key=True),
        words("game"),
        words("title"),
        refers("owner_id", "player.id", nullable=True, index=True),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("pace", sa.JSON(), nullable=False),
        sa.Column("public", sa.Boolean(), nullable=False),
        words("status"),
        number("seats"),
        sa.Column("seeds", sa.JSON(), nullable=True),
        number("head"),
        words("hash"),
        moment("deadline", nullable=True),
        moment("created_at"),
        moment("started_at", nullable=True),
        moment("ended_at", nullable=True),
        sa.CheckConstraint(
            "status IN ('open', 'running', 'paused', 'over', 'closed')", name="status"
        ),
        sa.Index(None, "status", "deadline"),
    )
    op.create_table(
        "event",
        refers("match_id", "match.id", primary_key=True),
        number("pos", primary_key=True),
        number("act"),
        number("seat", nullable=True),
        sa.Column("order", sa.Text(), nullable=True),
        words("kind"),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("hidden", sa.Boolean(), nullable=False),
        words("hash"),
        moment("at"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "talk",
        number("id", primary_key=True),
        refers("match_id", "match.id"),
        refers("player_id", "player.id"),
        sa.Column("text", sa.Text(), nullable=False),
        moment("at"),
        moment("hidden_at", nullable=True),
        sa.Index(None, "match_id", "id"),
        **AUTOINCREMENT,
    )


def seats() -> None:
    op.create_table(
        "seat",
        refers("match_id", "match.id", primary_key=True),
        number("number", primary_key=True),
        refers("player_id", "player.id", nullable=True, index=True),
        words("bot", nullable=True),
        words("invited_email", nullable=True, index=True),
        words("invite_hash", nullable=True, unique=True),
    )
    op.create_table(
        "draft",
        *place(),
        sa.Column("orders", sa.JSON(), nullable=False),
        number("head"),
        moment("updated_at"),
    )
    op.create_table("note", *place(), sa.Column("text", sa.Text(), nullable=False))
    op.create_table("standing", *place(), sa.Column("orders", sa.JSON(), nullable=False))
    op.create_table(
        "submission",
        *place(),
        words("key", primary_key=True),
        words("payload_hash"),
        sa.Column("answer", sa.JSON(), nullable=False),
        moment("at"),
    )


def mails() -> None:
    op.create_table(
        "outbox",
        number("id", primary_key=True),
        refers("match_id", "match.id", nullable=True),
        number("pos"),
        refers("player_id", "player.id", nullable=True),
        words("email", nullable=True),
        words("kind"),
        words("state"),
        sa.Column("payload", sa.JSON(), nullable=False),
        number("tries"),
        moment("not_before"),
        moment("created_at"),
        moment("sent_at", nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'dropped', 'dead')", name="state"),
        sa.UniqueConstraint("match_id", "pos", "player_id", "kind"),
        sa.Index(None, "state", "not_before"),
        **AUTOINCREMENT,
    )
    op.create_index(
        "uq_outbox_match_id_pos_email_kind",
        "outbox",
        ["match_id", "pos", "email", "kind"],
        unique=True,
        sqlite_where=sa.text("player_id IS NULL"),
        postgresql_where=sa.text("player_id IS NULL"),
    )
    op.create_table(
        "letter",
        number("id", primary_key=True),
        refers("outbox_id", "outbox.id", nullable=True, index=True),
        words("to", index=True),
        words("subject"),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("html", sa.Text(), nullable=True),
        sa.Column("source", sa.Text(), nullable=False),
        moment("at"),
        **AUTOINCREMENT,
    )


def number(name: str, *, nullable: bool = False, **more: Any) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=nullable, **more)


def words(name: str, *, nullable: bool = False, **more: Any) -> sa.Column[str]:
    return sa.Column(name, sa.String(), nullable=nullable, **more)


def moment(name: str, *, nullable: bool = False) -> sa.Column[Any]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def refers(name: str, to: str, *, nullable: bool = False, **more: Any) -> sa.Column[Any]:
    """A foreign key, of the type that the other table has."""
    kind = sa.String() if to == "match.id" else sa.Integer()
    return sa.Column(name, kind, sa.ForeignKey(to), nullable=nullable, **more)


def place() -> tuple[sa.Column[Any], sa.Column[int]]:
    """One seat of one match."""
    return refers("match_id", "match.id", primary_key=True), number("seat", primary_key=True)
