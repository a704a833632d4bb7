"""`make bench ARGS="--since 15a4e47"`: the service as it is beside the service of another commit, through what is public of both.

Each side is its own code in a process of its own, with a database of its own. What counts is the processor time of the
server: others cannot make it longer.
"""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from time import sleep
from typing import Any

from tests.bench.measure import TICKS, Row, Side, in_turns, ticks_of
from tests.bench.service import wait_for
from tests.servers import free_port

ROOT = Path(__file__).parents[2]
ACTS, LOOKS = 20, 100  # a round: the system counts processor time in hundredths of a second
FIRST_ACTS = 60
RESTING = 2  # ticks in half a second
ADA, BO = "ada@example.org", "bo@example.org"


def rows(commit: str) -> Iterator[Row]:
    with ExitStack() as stack:
        now, then = (
            Table(*stack.enter_context(served(stack.enter_context(folder))))
            for folder in (here(), checked_out(commit))
        )
        for what, (ask, times) in ASKED.items():
            sides = {"ours": now.working(ask, times), commit: then.working(ask, times)}
            yield in_turns(f"{what}, since {commit}", sides).row(what, "ours", commit)


# The code of both


@contextmanager
def here() -> Iterator[Path]:
    yield ROOT


@contextmanager
def checked_out(commit: str) -> Iterator[Path]:
    """A folder with the files of that commit."""
    packed = subprocess.check_output(["git", "-C", str(ROOT), "archive", commit])
    with tempfile.TemporaryDirectory() as made, tarfile.open(fileobj=io.BytesIO(packed)) as files:
        files.extractall(made, filter="data")
        yield Path(made)


@contextmanager
def served(code: Path) -> Iterator[tuple[int, int, dict[str, str]]]:
    """A server of that code: its process, its port, and the tokens of two who play."""
    with tempfile.TemporaryDirectory() as data:
        own = {
            "CHASQUI_DATA_DIR": data,
            "PYTHONPATH": str(code),
            "PYTHONDONTWRITEBYTECODE": "",
            "CHASQUI_LIMITS": "false",
        }
        told: dict[str, Any] = {"cwd": code, "env": {**os.environ, **own}}
        command = [sys.executable, "-m", "app.cli"]
        tokens = {
            email: subprocess.check_output([*command, "token", email], text=True, **told).split()[
                -1
            ]
            for email in (ADA, BO)
        }
        port = free_port()
        serving = [*command, "serve", "--port", str(port)]
        with subprocess.Popen(
            serving, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **told
        ) as server:
            try:
                wait_for(port)
                yield server.pid, port, tokens
            finally:
                server.terminate()


# What both are asked


class Table:
    """A match of two at one of the servers, under way."""

    def __init__(self, pid: int, port: int, tokens: dict[str, str]) -> None:
        self.pid, self.tokens, self.random = pid, [tokens[ADA], tokens[BO]], Random(5)
        self.connection = HTTPConnection("127.0.0.1", port)

    def working(self, ask: Callable[[Table], object], times: int) -> Side:
        """A side whose figure is what the server works for one request."""

        def measure() -> float:
            self.begin()
            begun = self.worked()
            for _ in range(times):
                ask(self)
            return (self.worked() - begun) / TICKS / times

        return measure

    def worked(self) -> int:
        """What the server has worked, once it has sent its mails and rests."""
        ticks = ticks_of(self.pid)
        while True:
            sleep(0.5)
            before, ticks = ticks, ticks_of(self.pid)
            if ticks - before <= RESTING:
                return ticks

    def begin(self) -> None:
        """Another match, some way on."""
        self.connection.close()  # it may have waited too long
        begun = self.call(
            0, "POST", "/matches", game="cuzco", title="Since", seats=["me", None], public=True
        )
        self.path = f"/matches/{begun['id']}"
        self.call(1, "POST", f"{self.path}/join", seat=1)
        if self.call(0, "GET", self.path)["my_seat"]:  # who sits where was drawn
            self.tokens.reverse()
        for _ in range(FIRST_ACTS):
            act(self)

    def call(self, who: int, method: str, path: str, **told: Any) -> Any:
        token = {"Authorization": f"Bearer {self.tokens[who]}", "Content-Type": "application/json"}
        body = json.dumps(told) if told else None
        return json.loads(self.ask(method, f"/api/v1{path}", body, token))

    def ask(self, method: str, path: str, body: str | None = None, headers: Any = {}) -> bytes:  # noqa: B006 - only read
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        read = answer.read()
        if answer.status >= 400:
            raise RuntimeError(f"{method} {path}: {answer.status} {read[:200]!r}")
        return read


def act(table: Table) -> None:
    """One order of whoever is asked, by the API."""
    match = table.call(0, "GET", table.path)
    seat = match["to_act"][0]
    order = table.random.choice(table.call(seat, "GET", f"{table.path}/legal")["orders"])
    key = str(match["head"])
    table.call(seat, "POST", f"{table.path}/orders", head=match["head"], orders=[order], key=key)


def see(table: Table) -> None:
    act(table)
    table.ask("GET", f"/m/{table.path.rpartition('/')[2]}")


def look(table: Table, part: str) -> None:
    table.ask("GET", f"/api/v1{table.path}/{part}")


ASKED: dict[str, tuple[Callable[[Table], object], int]] = {
    "a match looked up, its legal orders, and an order": (act, ACTS),
    "the same, and the page a visitor sees": (see, ACTS),
    "the history": (lambda table: look(table, "history"), LOOKS),
    "an old position": (lambda table: look(table, "at/50"), LOOKS),
    "the record": (lambda table: look(table, "record"), LOOKS),
}
