"""A mail that asks for an answer between turns is a `question`; until now its kind was the game's own word."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

PLAYER = sa.table("player", sa.column("id", sa.Integer), sa.column("mail_preferences", sa.JSON))


def upgrade() -> None:
    rename("festival", "question")


def downgrade() -> None:
    rename("question", "festival")


def rename(old: str, new: str) -> None:
    """The only game that asked had one word for it."""
    connection = op.get_bind()
    kinds = sa.text("UPDATE outbox SET kind = :new WHERE kind = :old")
    connection.execute(kinds, {"old": old, "new": new})
    mentions = sa.cast(PLAYER.c.mail_preferences, sa.Text).like(f'%"{old}"%')
    for number, wishes in connection.execute(sa.select(PLAYER).where(mentions)).all():
        known = json.loads(wishes) if isinstance(wishes, str) else wishes
        renamed = {new if name == old else name: wish for name, wish in known.items()}
        of_one = sa.update(PLAYER).where(PLAYER.c.id == number)
        connection.execute(of_one.values(mail_preferences=renamed))
