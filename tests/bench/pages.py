"""Pages against a constant string from Flask: the same server, the same client, by turns."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from itertools import count, cycle
from pathlib import Path
from time import perf_counter, sleep
from typing import NamedTuple

from flask import Flask
from rich.console import Console
from rich.progress import track
from rich.table import Table
from waitress import serve
from werkzeug.middleware.dispatcher import DispatcherMiddleware

from app import create_app
from app.platform.database import Database
from app.platform.settings import Settings
from engine.core.match import Match
from tests.app.seated import come_in, my_id, played, seat
from tests.servers import free_port

ROUNDS = 80
SHORT, LONG = 60, 100_000  # orders; the long match is played to its end
Ask = Callable[[], tuple[int, dict[str, str]]]


class Place(NamedTuple):
    """A match that is looked at, and by whom."""

    path: str
    cookie: str
    head: int


class Places(NamedTuple):
    """A short and a long match, and one with the heaviest board."""

    short: Place
    long: Place
    empire: Place


def figures(table: Table) -> None:
    """Adds the figures of the pages to the table."""
    with tempfile.TemporaryDirectory() as made:
        places = prepared(Path(made))
        with served(Path(made)) as connection:
            measure(table, connection, places)


def prepared(folder: Path) -> Places:
    """The matches, in a database of their own."""
    settings = Settings(data_dir=folder)
    database = Database(settings.database_url)
    database.migrate()
    app = create_app(settings, database)
    ana, *others = (come_in(app, f"{name}@example.org") for name in ("ana", "bo", "cy"))
    cookie = ana.client.get_cookie("chasqui-session")
    assert cookie
    people = [my_id(one) for one in (ana, *others)]

    def place(match: Match) -> Place:
        seats = match.log[0].event.seats
        return Place(seat(ana.services, match, *people[:seats]), cookie.value, match.head)

    places = Places(
        place(played(SHORT, "shortmatch")),
        place(played(LONG, "longmatch22")),
        place(played(SHORT, "empirematch", "tahuantinsuyu", 3)),
    )
    database.close()
    return places


@contextmanager
def served(folder: Path) -> Iterator[HTTPConnection]:
    """A client of a server in a process of its own."""
    port = free_port()
    command = [sys.executable, "-m", "tests.bench.pages", str(folder), str(port)]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as server:
        connection = HTTPConnection("127.0.0.1", port)
        try:
            wait_for(connection)
            yield connection
        finally:
            server.terminate()


def wait_for(connection: HTTPConnection) -> None:
    for _ in range(300):
        try:
            return connection.connect()
        except OSError:
            sleep(0.1)
    raise RuntimeError("the server does not answer")


def serve_both(folder: str, port: int) -> None:
    """The service, and beside it a Flask that says one word."""
    bare = Flask("bare")
    bare.add_url_rule("/", view_func=lambda: "constant")
    settings = Settings(data_dir=Path(folder), limits=False)
    app = create_app(settings, Database(settings.database_url))
    app.add_url_rule("/constant", view_func=lambda: "constant")
    serve(DispatcherMiddleware(app, {"/bare": bare}), host="127.0.0.1", port=port, threads=1)


# Measuring


def measure(table: Table, connection: HTTPConnection, places: Places) -> None:
    short, jar = places.short, {"form": ""}

    def ask(path: str, place: Place = short, **headers: str) -> tuple[int, dict[str, str]]:
        cookies = f"chasqui-session={place.cookie}; chasqui-form={jar['form']}"
        connection.request("GET", path, headers={"Cookie": cookies, **headers})
        answer = connection.getresponse()
        answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}

    _, first = ask(short.path)
    jar["form"] = first["set-cookie"].partition("chasqui-form=")[2].partition(";")[0]
    number = count()

    def fresh(place: Place) -> Ask:  # another wish, so it is made anew
        return lambda: ask(place.path, place, **{"Accept-Language": f"en, x{next(number)}"})

    def unchanged() -> tuple[int, dict[str, str]]:
        status, headers = ask(short.path, **{"If-None-Match": jar["tag"]})
        jar["tag"] = headers.get("etag", "")  # a new minute gives it a new name
        return status, headers

    def stepping(place: Place) -> Ask:
        positions = cycle(range(3, place.head))
        return lambda: ask(f"{place.path}/history/{next(positions)}", place)

    jar["tag"] = ask(short.path)[1]["etag"]
    asked: dict[str, Ask] = {
        "constant": lambda: ask("/bare/"),
        "guarded": lambda: ask("/constant"),
        "fresh": fresh(short),
        "empire": fresh(places.empire),
        "same": lambda: ask(short.path),
        "304": unchanged,
        "short": stepping(short),
        "long": stepping(places.long),
    }
    tell(table, in_turns(asked))


def in_turns(asked: dict[str, Ask]) -> dict[str, float]:
    """The quickest answer to each, by turns: the rest is the machine's mood."""
    times: dict[str, list[float]] = {name: [] for name in asked}
    for _ in track(range(ROUNDS), description="pages"):
        for name, ask in asked.items():
            begun = perf_counter()
            status, _ = ask()
            if status not in (200, 304):
                raise RuntimeError(f"{name}: {status}")
            times[name].append(perf_counter() - begun)
    return {name: min(some) for name, some in times.items()}


def tell(table: Table, least: dict[str, float]) -> None:
    """Shares are speeds: 100 % is as quick as a bare Flask that says one word."""

    def row(what: str, name: str, goal: str) -> None:
        share = f"{100 * least['constant'] / least[name]:.0f} %"
        table.add_row(
            what, f"{least[name] * 1e6:.0f} µs", f"{least['constant'] * 1e6:.0f} µs", share, goal
        )

    row("a constant string behind our guards", "guarded", "")
    row("turn page, made anew", "fresh", "25 %")
    row("turn page of Tahuantinsuyu, made anew", "empire", "25 %")
    row("turn page, unchanged", "same", "80 %")
    row("turn page, 304", "304", "80 %")
    for name in ("short", "long"):
        table.add_row(
            f"history step, {name} match (floor: a turn page made anew)",
            f"{least[name] * 1e6:.0f} µs",
            f"{least['fresh'] * 1e6:.0f} µs",
            f"{least[name] / least['fresh']:.2f}x",
            "2x",
        )


def main() -> None:
    table = Table("what", "measured", "floor", "ratio", "goal", title="Pages")
    figures(table)
    Console().print(table)


if __name__ == "__main__":
    serve_both(sys.argv[1], int(sys.argv[2])) if len(sys.argv) == 3 else main()
