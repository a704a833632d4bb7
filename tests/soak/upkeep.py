"""What an operator does and suffers while people play: rolling restarts, a full disk, a move to PostgreSQL, a log put into parts.

Each counts what was acknowledged and looks for it at the end; what was not acknowledged was told to come again.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event, Thread

import psycopg
from rich.progress import track
from sqlalchemy.exc import SQLAlchemyError

from app.operations.moving import begun_matches, count_rows, verify_all
from app.operations.partitioning import partition_log
from app.platform.database import Database
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.kept import kept
from tests.faults import broker
from tests.grown import PATIENCE, ROOT, Process, clean_environment, grown, wait_for
from tests.servers import (  # fmt: skip
    NoServer,
    Postgresql,
    end_with_parent,
    migrate,
    private_folder,
    running_postgresql,
)
from tests.soak.failover import Load, judged_acts

RESTARTS, FULL_DISKS, MOVES, PARTINGS = 20, 10, 5, 3
ROOM, BALLAST = 400, 16  # megabytes: of the disk, and of WAL that PostgreSQL keeps at most
DURABLE = ("fsync=on", "max_wal_size=64MB", f"wal_keep_size={BALLAST}MB", "shared_buffers=16MB")


# Rolling restarts


class Held(Process):
    """The web process on a socket that was opened before it, as the unit of systemd keeps it."""

    def __init__(self, like: Process, listener: socket.socket) -> None:
        super().__init__(like.module, (), like.environment, like.log)
        self.listener = listener

    def start(self) -> None:
        def hand_over() -> None:
            end_with_parent()
            os.dup2(self.listener.fileno(), 3)
            os.set_inheritable(3, True)

        begin = 'LISTEN_PID=$$ exec "$0" "$@"'
        with self.log.open("ab") as log:
            self.running = subprocess.Popen(
                ["/bin/sh", "-c", begin, sys.executable, "-m", self.module],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=ROOT, close_fds=False,
                env={**clean_environment(), **self.environment, "LISTEN_FDS": "1"},
                preexec_fn=hand_over,  # noqa: PLW1509 - it takes no lock
            )  # fmt: skip


def rolling() -> str:
    """Web and workers are ended and begun again, one after the other, while pairs play over HTTP."""
    with (
        tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made,
        running_postgresql() as server,
        grown(server, Path(made), CHASQUI_LIMITS="false") as running,
    ):
        running.web.stop()
        with socket.create_server(("127.0.0.1", int(running.url.rpartition(":")[2]))) as listener:
            running.web = Held(running.web, listener)
            running.web.start()
            wait_for(running.ready, running.last_words, 3 * PATIENCE)
            turns = iter([running.web, *running.workers] * RESTARTS)

            def once() -> None:
                process = next(turns)
                process.stop(signal.SIGTERM)
                process.start()

            phases = [once] * (RESTARTS * (1 + len(running.workers)))
            report = broker.load(running, acts=5, players=3, phases=phases)
            lost = {mail["Message-ID"] for mail in running.office.mails}
            twice = len(running.office.mails) - len(lost)
            running.stop()
    assert not report.refused, report.refused[:3]
    assert not twice
    return (
        f"{RESTARTS} rolling restarts of the web process and of each worker: {report.acts} acts over HTTP, 0 refused, "
        f"the slowest took {report.slowest:.1f} s; {report.mails} mails, none twice"
    )


# A full disk


@contextmanager
def small_disk() -> Iterator[Path]:
    """A file system of its own with little room."""
    with private_folder("disk") as place:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={ROOM}m,mode=0777", "tmpfs", str(place)]
        if subprocess.run(mount, capture_output=True, check=False).returncode:
            raise NoServer("A small disk needs the right to mount one: run this as root.")
        try:
            yield place
        finally:
            subprocess.run(["umount", "--lazy", place], check=False)


@contextmanager
def temporary_files_in(place: Path) -> Iterator[None]:
    before, tempfile.tempdir = tempfile.tempdir, str(place)
    try:
        yield
    finally:
        tempfile.tempdir = before


def full_disk() -> str:
    """The disk of PostgreSQL is filled to the last byte while two people play, and emptied again."""
    down = 0
    with (
        small_disk() as place,
        temporary_files_in(place),
        running_postgresql(DURABLE) as server,
    ):
        loads = [Load(Database(server.fresh()), number) for number in range(1)]
        loads.append(Load(Database(loads[0].database.url.render_as_string(False)), 1))
        with playing(loads) as stop:
            for _ in track(range(FULL_DISKS), description="the disk is full"):
                stop.wait(3)
                with filled(place):
                    stop.wait(4)
                down += revived(server)
            stop.wait(5)
        acts, told = judged_acts(loads)
    return (
        f"{FULL_DISKS} times a full disk under PostgreSQL, which went down {down} times: {acts} acts acknowledged, "
        f"0 lost, 0 doubled, every match verifies; {told}"
    )


@contextmanager
def filled(place: Path) -> Iterator[None]:
    ballast = place / "ballast"
    with ballast.open("wb") as writing, suppress(OSError):
        while True:
            writing.write(bytes(2**20))
            writing.flush()
    yield
    ballast.unlink()


def revived(server: Postgresql) -> int:
    """Starts a server again that ended for want of room, as its unit does; 1 if it had."""
    process = server.server.process
    if process is None or process.poll() is None:
        return 0
    Path(server.server.folder / "data" / "postmaster.pid").unlink(missing_ok=True)
    server.server.start(lambda: server.run("SELECT 1"))
    return 1


@contextmanager
def playing(loads: list[Load]) -> Iterator[Event]:
    """They play until the end of it; what goes wrong for them goes wrong here."""
    stop, faults = Event(), list[BaseException]()

    def play(load: Load) -> None:
        try:
            load.play(stop)
        except BaseException as fault:
            faults.append(fault)
            raise

    threads = [Thread(target=play, args=(load,)) for load in loads]
    for thread in threads:
        thread.start()
    try:
        yield stop
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not faults, faults


# A move


def moves() -> str:
    """A file of SQLite moves to PostgreSQL, and the mover is killed again and again on its way."""
    kills = rows = matches = 0
    with tempfile.TemporaryDirectory(prefix="chasqui-soak-") as made, running_postgresql() as server:  # fmt: skip
        file = Path(made) / "chasqui.sqlite3"
        migrate(f"sqlite:///{file}")
        source = Database(f"sqlite:///{file}")
        for number in range(60):
            kept(source, finished(f"moving{number}", number))
        rows = count_rows(source)
        source.close()
        for number in track(range(MOVES), description="moving"):
            name = f"moved_{number}"
            server.run(f"CREATE DATABASE {name}")
            kills += moved(file, server.url(name), Random(number))
            target = Database(server.url(name))
            wrong = [fault for fault in verify_all(target, begun_matches(target)) if fault]
            assert not wrong, wrong
            assert count_rows(target) == rows
            matches = len(begun_matches(target))
            target.close()
    return f"{MOVES} moves of {matches} matches and {rows} rows, killed {kills} times on the way: all arrived, every match verifies"


def finished(match_id: str, seed: int) -> Match:
    """A match that was played to its end."""
    match = start(find("java"), 2, {}, f"secret {seed}", match_id)
    return [match, *random_acts(match, Random(seed))][-1]


def moved(file: Path, url: str, rng: Random) -> int:
    """Moves until it is done; says how often it was killed before."""
    command = [sys.executable, "-m", "app.cli", "move", "--to", url]
    env = {**clean_environment(), "CHASQUI_DATABASE_URL": f"sqlite:///{file}", "CHASQUI_DATA_DIR": str(file.parent)}  # fmt: skip
    for kills in range(100):
        with subprocess.Popen(command, cwd=ROOT, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as mover:  # fmt: skip
            try:
                told, _ = mover.communicate(timeout=rng.uniform(1, 2 + kills))
            except subprocess.TimeoutExpired:
                mover.kill()
                continue
        assert mover.returncode == 0, told.decode()
        return kills
    raise AssertionError("it was never done")


# Parts


def partitions() -> str:
    """The log is put into parts while two people play."""
    acts, took, words = 0, 0.0, ""
    with running_postgresql() as server:
        for number in track(range(PARTINGS), description="parting"):
            url = server.fresh()
            loads = [Load(Database(url), one) for one in range(2)]
            owner = Database(url)
            for seed in range(30):
                kept(owner, finished(f"old{number}x{seed}", seed))
            with playing(loads) as stop:
                stop.wait(3)
                began = time.monotonic()
                events = parted(owner)
                took = max(took, time.monotonic() - began)
                stop.wait(5)
            told, words = judged_acts(loads)
            acts += told
            with psycopg.connect(url) as connection, suppress(psycopg.Error):
                connection.execute("UPDATE event_0 SET kind = 'x'")
                raise AssertionError("a part can be changed")
            owner.close()
    return (
        f"{PARTINGS} logs of some {events} events put into 32 parts under load, in {took:.1f} s at most: {acts} acts "
        f"acknowledged, 0 lost, 0 doubled, every match verifies, no part can be changed; {words}"
    )


def parted(database: Database) -> int:
    for _ in range(20):  # whoever plays may have the lock
        with suppress(SQLAlchemyError):
            return partition_log(database, 32)
        time.sleep(0.5)
    raise AssertionError("the lock was never had")
