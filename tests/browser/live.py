"""The whole service on a port of its own, with its mails, for a browser to visit."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Thread

from flask import Flask
from sqlmodel import select
from waitress import create_server

from app import create_app
from app.eventstore.store import load_match
from app.people.sessions import open_session
from app.platform import tables
from app.platform.database import Database
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings
from engine.core.match import Match
from tests.app.seated import come_in, my_id, seat
from tests.servers import free_port
from workers.chores import Beat, Chore
from workers.relay import SWEEP, drain


@dataclass
class Live:
    """A running service; `url` is where its home page is."""

    url: str
    app: Flask
    services: Services

    def put_match(
        self, match: Match, title: str, *emails: str, public: bool = False
    ) -> tuple[str, list[str]]:
        """Writes a match as it stands, with these people in its seats: its address, and a cookie for each."""
        people = [come_in(self.app, email) for email in emails]
        where = seat(self.services, match, *map(my_id, people), title=title, public=public)
        return where, [self.sign_in(email) for email in emails]

    def sign_in(self, email: str) -> str:
        """A cookie for somebody who has an account."""
        with self.services.database.session() as session:
            player = session.exec(select(tables.Player).where(tables.Player.email == email)).one()
            return open_session(session, player, self.services.now())

    def head(self, where: str) -> int:
        """How far a match has gone."""
        return load_match(self.services.database, where.rpartition("/")[2]).head


@contextmanager
def serving(migrated: Path, name: str = "127.0.0.1") -> Iterator[Live]:
    """Serves from a thread on a free port, under a name of this machine, over a copy of a database with all tables."""
    # A browser that leaves may still be answered, and the answer writes into the folder.
    with tempfile.TemporaryDirectory(prefix="chasqui-live-", ignore_cleanup_errors=True) as made:
        folder, port = Path(made), free_port()
        shutil.copy(migrated, folder / "chasqui.sqlite3")
        settings = Settings(data_dir=folder, base_url=f"http://{name}:{port}")
        app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=False)
        services: Services = app.extensions[EXTENSION_KEY]
        relay = Beat(Chore("drain", partial(drain, services)), SWEEP)
        services.nudge = relay.nudge
        server = create_server(app, host="127.0.0.1", port=port, threads=4)
        thread = Thread(target=server.run, daemon=True)
        relay.start()
        thread.start()
        try:
            yield Live(settings.base_url, app, services)
        finally:
            server.close()
            thread.join(5)
            relay.stop()
            services.database.close()
