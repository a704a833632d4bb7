"""A service whose clock can be set, for the tests of time."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, select

from app.clocks.clocks import load_clocks
from app.platform import tables
from app.platform.services import EXTENSION_KEY
from app.platform.tables import Clock
from tests.app.service import NOON, Service
from workers.deadlines import sweep

PACE = {"hours": 48, "bank_hours": 10, "reminders": [24]}
HOUR = timedelta(hours=1)


class Timed(Service):
    """A service whose clock can be set; the owner does not play."""

    def at(self, hours: float) -> None:
        self.app.extensions[EXTENSION_KEY].now = lambda: NOON + hours * HOUR

    def sweep(self, hours: float) -> int:
        self.at(hours)
        return sweep(self.app.extensions[EXTENSION_KEY])

    def match(self, **pace: Any) -> str:
        seats = [{"email": f"{name}@example.com"} for name in ("ana", "bea")]
        match_id = self.open_table("owner", *seats, pace={**PACE, **pace})
        for name in ("ana", "bea"):
            self.post(name, f"/matches/{match_id}/join")
        return match_id

    def shown(self, match_id: str) -> datetime | None:
        told = self.get("owner", f"/matches/{match_id}")["deadline"]
        return datetime.fromisoformat(told) if told else None

    def clock(self, match_id: str) -> Clock:
        """Of the seat that is asked, or was."""
        with self.database.look() as session:
            (asked,) = self.get("owner", f"/matches/{match_id}")["to_act"] or [0]
            return next(c for c in load_clocks(session, match_id) if c.seat == asked)

    def mails(self, *kinds: str) -> list[tuple[str, str, Any]]:
        query = (
            select(tables.Outbox, tables.Player.name)
            .join(tables.Player)
            .where(col(tables.Outbox.kind).in_(kinds or ("reminder", "timeout")))
            .order_by(col(tables.Outbox.id))
        )
        with self.database.look() as session:
            return [(row.kind, name, row.payload.get("phase")) for row, name in session.exec(query)]

    def care(self, match_id: str, act: str, **more: Any) -> None:
        self.post("owner", f"/matches/{match_id}/{act}", {"reason": "a holiday", **more})

    def act(self, match_id: str, *orders: str) -> str:
        who = self.asked(match_id, "ana", "bea")
        response = self.order(who, match_id, *orders)
        assert response.status_code == 200, response.text
        return who

    def events(self, match_id: str) -> list[str]:
        found = self.get("owner", f"/matches/{match_id}/history")["events"]
        return [event["kind"] for event in found]
