"""Last use of API tokens: noted in memory by the process that serves, and written by a chore. Looking never writes."""

from __future__ import annotations

from datetime import datetime, timedelta
from threading import Lock

from sqlalchemy import or_, update
from sqlmodel import col

from app.platform.database import Database
from app.platform.tables import ApiToken

NOTED_EVERY = timedelta(hours=1)


class TokenUses:
    """Thread-safe notes of which tokens were used when, since they were last written."""

    def __init__(self) -> None:
        self._uses: dict[int, datetime] = {}
        self._lock = Lock()

    def note_use(self, token: ApiToken, at: datetime) -> None:
        """Once an hour for each token: nobody asks for more, and the table is spared."""
        if token.last_used_at is None or token.last_used_at + NOTED_EVERY <= at:
            with self._lock:
                self._uses.setdefault(token.id or 0, at)

    def write_uses(self, database: Database) -> int:
        """Writes what was noted, and says for how many tokens; another process may know of a later use."""
        with self._lock:
            uses, self._uses = self._uses, {}
        if uses:
            with database.session() as session:
                for token_id, at in uses.items():
                    used = col(ApiToken.last_used_at)
                    older = or_(used.is_(None), used < at)
                    mine = update(ApiToken).where(col(ApiToken.id) == token_id, older)
                    session.execute(mine.values(last_used_at=at))
        return len(uses)
