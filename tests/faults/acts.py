"""An acknowledged act is kept: the server is killed while it works on a submission, at every stage of it."""

from __future__ import annotations

import http.client
import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import cycle
from multiprocessing.process import BaseProcess
from pathlib import Path
from random import Random
from typing import Any

from app.eventstore.store import load_match, reread_match
from app.operations.backups import problems
from app.people.api_tokens import make_api_token
from app.platform import tables
from app.platform.database import Database, open_database
from app.platform.settings import Settings
from app.platform.tables import utc_now
from engine.core.playout import random_acts
from tests.faults import victims
from tests.grown import wait_for
from tests.servers import free_port

MOST_BEFORE = 3  # submissions that a server may answer before the one it dies of


@dataclass
class Report:
    acts: int = 0
    kills: int = 0
    inside: int = 0  # killed after the first write and before the commit
    lost: int = 0
    doubled: int = 0
    gaps: int = 0
    unsound: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills of the server during POST ({self.inside} inside the transaction), {self.acts} acts: "
            f"{self.lost} lost, {self.doubled} doubled, {self.gaps} gaps"
        )


@dataclass
class Server:
    """A server that dies soon, at one stage after the other, and is started again by whoever finds it dead."""

    values: dict[str, Any]
    port: int
    rng: Random
    stages: Iterator[str] = field(default_factory=lambda: cycle(victims.STAGES))
    stage: str = ""
    process: BaseProcess | None = None
    kills: int = 0
    inside: int = 0

    def start(self) -> None:
        self.stage = next(self.stages)
        at = self.rng.randint(1, MOST_BEFORE)
        self.process = victims.live(victims.server, self.values, self.port, self.stage, at)
        wait_for(self.ready, lambda: "the server does not start")

    def revive(self) -> None:
        """Starts it if it is dead, and counts what it died of."""
        if self.process is not None:
            self.process.join()
            assert self.process.exitcode == -signal.SIGKILL
            self.kills += 1
            self.inside += self.stage in victims.BEFORE_COMMIT
        self.start()

    def ready(self) -> bool:
        try:
            return self.call("GET", "/health/live", "")[0] == 200
        except (OSError, http.client.HTTPException):
            return False

    def call(self, method: str, path: str, token: str, body: Any = None) -> tuple[int, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        try:
            connection.request(method, path, json.dumps(body) if body else None, headers)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or "null")
        finally:
            connection.close()

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.join()


def campaign(
    url: str, folder: Path, kills: int, seed: int = 1, progress: Callable[[], object] = int
) -> Report:
    """Plays on alone, act after act, through servers that are killed; a repeat may be killed as well."""
    database = open_database(Settings(data_dir=folder, database_url=url))
    report = Report()
    server = Server({"database_url": url, "data_dir": folder}, free_port(), Random(seed))
    token = account(database)
    match_id, done = "", list[str]()
    try:
        while server.kills < kills:
            if not match_id or load_match(database, match_id).over:
                check(database, match_id, done, report)
                match_id, done = open_match(server, token), []
            act(server, token, database, match_id, done)
            report.acts += 1
            progress()
        check(database, match_id, done, report)
    finally:
        server.stop()
        database.close()
    report.kills, report.inside = server.kills, server.inside
    return report


def account(database: Database) -> str:
    with database.session() as session:
        player = tables.Player(email="ana@example.org", name="Ana")
        session.add(player)
        session.flush()
        return make_api_token(session, player.id or 0, "campaign", utc_now())


def open_match(server: Server, token: str) -> str:
    answer = insist(server, token, "/api/v1/matches", {"game": "cuzco", "seats": ["me", "me"]})
    return str(answer["id"])


def act(server: Server, token: str, database: Database, match_id: str, done: list[str]) -> None:
    """One order until it is acknowledged."""
    match = load_match(database, match_id)
    order = next(random_acts(match, server.rng)).log[match.head].order
    body = {"orders": [order], "head": match.head, "key": f"{match.head}.{len(done)}"}
    insist(server, token, f"/api/v1/matches/{match_id}/orders", body)
    done.append(str(order))


def insist(server: Server, token: str, path: str, body: Any) -> Any:
    """Posts the same again, through as many servers as it takes, until there is an answer."""
    while True:
        try:
            status, answer = server.call("POST", path, token, body)
        except (OSError, http.client.HTTPException):
            server.revive()
            continue
        assert status in (200, 201), answer
        return answer


def check(database: Database, match_id: str, done: list[str], report: Report) -> None:
    """Compares what was acknowledged with what is in the log."""
    if not match_id:
        return
    with database.read() as connection:
        log = reread_match(connection, match_id).log
    report.gaps += [entry.pos for entry in log] != [*range(1, len(log) + 1)]
    by_act = {entry.act: entry.order for entry in log if entry.order is not None}
    kept = list(by_act.values())
    report.lost += max(0, len(done) - len(kept))
    report.doubled += max(0, len(kept) - len(done))
    assert kept == done or len(kept) != len(done), "the log holds other acts than were acknowledged"
    report.unsound += problems(database)
    assert not report.unsound, report.unsound
