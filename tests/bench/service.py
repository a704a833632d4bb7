"""The service in a process of its own, as it is shipped, with a bare Flask beside it; and clients that ask both."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from itertools import groupby
from pathlib import Path
from random import Random
from threading import Lock
from time import sleep
from typing import Any, NamedTuple
from urllib.parse import urlencode

from flask import Flask, request
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from app import create_app
from app.platform import tables
from app.platform.database import Database
from app.platform.services import EXTENSION_KEY
from app.platform.settings import Settings
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from engine.core.timeline import Entry
from tests.app.browser import Visitor
from tests.app.seated import come_in, my_id, seat
from tests.bench.measure import Clock, working_of
from tests.bench.store import bare_row, bare_sqlite, keep_bare_rows, open_table
from tests.servers import free_port
from workers.chores import beats
from workers.waitress_server import make_server

TOKEN = re.compile(rb'name="csrf_token" value="([^"]+)"')
BARE = "bare.sqlite3"
Answer = tuple[int, dict[str, str], bytes]


# What is played


@dataclass(frozen=True)
class Act:
    """One order that will be accepted, and the rows that it adds."""

    seat: int
    order: str
    entries: tuple[Entry, ...]


class Board:
    """A match in the database, and the orders that follow."""

    def __init__(self, first: Match, visitors: list[Visitor]) -> None:
        self.id = first.id
        self.where = seat(visitors[0].services, first, *map(my_id, visitors), clocks=True)
        self.head, self.people = first.head, visitors
        self._acts = coming(first)
        self._bare_acts = coming(first)

    def next(self) -> Act:
        return next(self._acts)

    def next_bare(self) -> Act:
        return next(self._bare_acts)


def coming(match: Match) -> Iterator[Act]:
    for later in random_acts(match, Random(5)):
        for _, act in groupby(later.log[match.head :], key=lambda entry: entry.act):
            entries = tuple(act)
            yield Act(entries[0].seat or 0, entries[0].order or "", entries)
        match = later


def begun(name: str, orders: int, seats: int = 2, key: str = "cuzco") -> Match:
    match = start(find(key), seats, {}, "bench", name)
    for _, later in zip(range(orders), random_acts(match, Random(7)), strict=False):
        match = later
    return match


@contextmanager
def filled(settings: Settings, matches: list[Match]) -> Iterator[list[Board]]:
    """These matches in the database, each with two or three who play it; and in the bare one."""
    database = Database(settings.database_url)
    database.migrate()
    app = create_app(settings, database)
    visitors = [come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy")]
    yield [Board(one, visitors[: one.log[0].event.seats]) for one in matches]
    database.close()


def fill_bare(folder: Path, matches: list[Match]) -> None:
    """The same matches where the bare view finds them."""
    database = Database(f"sqlite:///{folder / BARE}")
    database.migrate()
    with database.session() as session:
        session.add(tables.Player(name="Ada"))
    for match in matches:
        open_table(database, match, match.id)
    database.close()
    bare = bare_sqlite(str(folder / BARE))
    for match in matches:
        rows = [bare_row(match.id, entry, "2026-01-01") for entry in match.log]
        keep_bare_rows(bare, match.id, 0, rows)


# The server


class Server(NamedTuple):
    """Where it answers, and what it has worked so far."""

    port: int
    worked: Clock


@contextmanager
def served(settings: Settings, *, mails: bool = False) -> Iterator[Server]:
    """A server in a process of its own, with its mails going out or without."""
    port = free_port()
    told = settings.model_dump(mode="json", exclude_unset=True)
    command = [sys.executable, "-m", "tests.bench.service", json.dumps(told), str(port), str(mails)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        try:
            wait_for(port)
            yield Server(port, working_of(server.pid))
        finally:
            server.terminate()


def wait_for(port: int) -> None:
    for _ in range(600):
        try:
            return HTTPConnection("127.0.0.1", port).connect()
        except OSError:
            sleep(0.05)
    raise RuntimeError("the server does not answer")


def serve(settings: Settings, port: int, mails: bool) -> None:
    """The service, and under /bare the least that a Flask can do."""
    app = create_app(settings, Database(settings.database_url))
    if mails:
        for beat in beats(app.extensions[EXTENSION_KEY]).values():
            beat.start()
    app.wsgi_app = DispatcherMiddleware(app.wsgi_app, {"/bare": bare_flask(settings.data_dir)})
    make_server(app, "127.0.0.1", port).run()


def bare_flask(folder: Path) -> Flask:
    """Says one word, and appends rows that it is handed."""
    bare, driver, lock = Flask("bare"), bare_sqlite(str(folder / BARE)), Lock()
    bare.add_url_rule("/", view_func=lambda: "constant")

    @bare.post("/act")
    def act() -> str:
        told = json.loads(request.form["act"])
        with lock:
            keep_bare_rows(driver, *told)
        return "done"

    return bare


# Clients


class Client:
    """One connection of one browser."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.connection, self.cookie, self.token = HTTPConnection("127.0.0.1", port), cookie, ""

    @classmethod
    def of(cls, port: int, visitor: Visitor, where: str) -> Client:
        """Somebody who has opened the turn page, and so has a form token."""
        cookie = visitor.client.get_cookie("chasqui-session")
        assert cookie
        client = cls(port, f"chasqui-session={cookie.value}")
        _, headers, page = client.get(where)
        form = headers["set-cookie"].partition(";")[0]
        client.cookie += f"; {form}"
        found = TOKEN.search(page)
        assert found, "the page has no form"
        client.token = found[1].decode()
        return client

    def get(self, path: str, **headers: str) -> Answer:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, fields: dict[str, Any]) -> Answer:
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        return self.ask("POST", path, urlencode(fields), form)

    def ask(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> Answer:
        headers = {"Cookie": self.cookie, **headers} if self.cookie else headers
        self.connection.request(method, path, body, headers)
        answer = self.connection.getresponse()
        read = answer.read()
        if answer.status not in (200, 303, 304):
            raise RuntimeError(f"{method} {path}: {answer.status} {read[:200]!r}")
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, read


class Player:
    """Plays one match, whoever's turn it is."""

    def __init__(self, port: int, board: Board) -> None:
        self.board, self.bare = board, Client(port)
        self.clients = [Client.of(port, visitor, board.where) for visitor in board.people]

    def act(self) -> None:
        act, board = self.board.next(), self.board
        client = self.clients[act.seat]
        fields = {"order": act.order, "head": act.entries[0].pos - 1, "seat": act.seat}
        fields |= {"key": f"k{act.entries[0].pos}", "csrf_token": client.token}
        client.post(f"{board.where}/commit", fields)

    def act_bare(self) -> None:
        act = self.board.next_bare()
        rows = [bare_row(self.board.id, entry, "2026-01-01") for entry in act.entries]
        told = [self.board.id, act.entries[0].pos - 1, rows]
        self.bare.post("/bare/act", {"act": json.dumps(told)})


if __name__ == "__main__":
    serve(Settings(**json.loads(sys.argv[1])), int(sys.argv[2]), sys.argv[3] == "True")
