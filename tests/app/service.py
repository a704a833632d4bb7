"""A service to talk to by its API: people with tokens, matches they play, and what the database holds."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Self

from werkzeug.test import TestResponse

from app import create_app
from app.eventstore.store import save_match
from app.people.api_tokens import make_api_token
from app.platform import tables
from app.platform.database import Database
from app.platform.services import EXTENSION_KEY
from app.platform.settings import Settings
from app.platform.tables import Table
from engine.core import chain
from engine.core.match import Match

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
FIRST = "place triple e14 e16 d15"  # legal for whoever begins


class Service:
    """The whole application over one database; the clock stands still."""

    @classmethod
    @contextmanager
    def on_sqlite(cls, migrated: Path, folder: Path, *people: str) -> Iterator[Self]:
        """A service of its own, with a copy of the empty database that the tests share."""
        folder.mkdir(exist_ok=True)
        copied = shutil.copy(migrated / "migrated.sqlite3", folder / "chasqui.sqlite3")
        database = Database(f"sqlite:///{copied}")
        with closing(database):
            made = cls(database, folder)
            made.people(*people)
            yield made

    def __init__(self, database: Database, folder: Path) -> None:
        self.database, self.folder = database, folder
        settings = Settings(data_dir=folder, database_url=str(database.url))
        self.app = create_app(settings, database, RATELIMIT_ENABLED=False, TESTING=True)
        self.app.extensions[EXTENSION_KEY].now = lambda: NOON
        self.tokens: dict[str, str] = {}
        self.ids: dict[str, int] = {}

    def people(self, *names: str) -> None:
        with self.database.session() as session:
            for name in names:
                player = tables.Player(email=f"{name}@example.com", name=name.title())
                session.add(player)
                session.flush()
                self.ids[name] = player.id or 0
                self.tokens[name] = make_api_token(session, self.ids[name], "test", NOON)

    def call(self, who: str | None, method: str, path: str, **more: Any) -> TestResponse:
        headers = dict(more.pop("headers", {}))
        if who is not None:
            headers["Authorization"] = f"Bearer {self.tokens.get(who, who)}"
        return self.app.test_client().open(f"/api/v1{path}", method=method, headers=headers, **more)

    def get(self, who: str | None, path: str, **more: Any) -> Any:
        """The answer to a GET that goes well."""
        response = self.call(who, "GET", path, **more)
        assert response.status_code == 200, response.text
        return response.json

    def post(self, who: str | None, path: str, body: Any = None, status: int = 200) -> Any:
        response = self.call(who, "POST", path, json={} if body is None else body)
        assert response.status_code == status, response.text
        return response.json

    def open_table(self, who: str, *seats: Any, **more: Any) -> str:
        """The id of a new match."""
        wish = {"game": "cuzco", "seats": list(seats), **more}
        return str(self.post(who, "/matches", wish, 201)["id"])

    def running(self, *who: str, public: bool = False, owner: str | None = None) -> str:
        """A match in its first turn; those who play it joined by invitation."""
        host, *guests = (owner or who[0], *(who if owner else who[1:]))
        seats = [
            *([] if owner else ["me"]),
            *({"email": f"{guest}@example.com"} for guest in guests),
        ]
        match_id = self.open_table(host, *seats, public=public)
        for guest in guests:
            self.post(guest, f"/matches/{match_id}/join")
        return match_id

    def asked(self, match_id: str, *who: str) -> str:
        """Which of these players is asked now."""
        for name in who:
            match = self.get(name, f"/matches/{match_id}")
            if match["my_seat"] in match["to_act"]:
                return name
        raise AssertionError("none of them is asked")

    def order(self, who: str, match_id: str, *orders: str, **more: Any) -> TestResponse:
        body = {"orders": list(orders), **more}
        return self.call(who, "POST", f"/matches/{match_id}/orders", json=body)

    def run_out(self, match_id: str, *seats: int) -> None:
        """All the time of these seats is over: their players may be replaced without their word."""
        with self.database.session() as session:
            for seat in seats:
                session.get_one(tables.Clock, (match_id, seat)).phase = "over"

    def put_match(self, match: Match, seats: list[str], public: bool = False) -> None:
        """Writes a match as it stands, under its own id, with these people in its seats."""
        with self.database.session() as session:
            row = tables.Match(
                id=match.id,
                game=match.game.key,
                title="A table",
                public=public,
                seats=len(seats),
                hash=chain.GENESIS,
                owner_id=self.ids.get("owner"),
                status="over" if match.over else "running",
                created_at=NOON,
            )
            session.add(row)
            session.flush()
            for number, name in enumerate(seats):
                player_id = self.ids[name]
                session.add(tables.Seat(match_id=match.id, number=number, player_id=player_id))
            session.flush()
            save_match(session.connection(), match, 0, NOON)

    def contents(self) -> str:
        """Everything in the database, as text."""
        with self.database.read() as connection:
            tables = {
                table.name: [tuple(row) for row in connection.execute(table.select())]
                for table in Table.metadata.sorted_tables
            }
        return json.dumps(tables, default=str, sort_keys=True)


def code(response: TestResponse) -> str:
    """What an error is called."""
    return str(response.get_json()["error"]["code"])
