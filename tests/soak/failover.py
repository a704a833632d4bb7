"""Power cuts and silences of the database's leader under load: nothing that was acknowledged is lost, nothing is played twice.

Two PostgreSQL servers with synchronous replication, as Patroni keeps them: the leader is killed or stopped, the other is
promoted, and the old one comes back as its follower. The service knows both hosts and finds whoever leads.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event, Thread
from typing import Protocol

import psycopg
from rich.progress import track

from app.eventstore.store import MATCH_CACHE, load_match, reread_match
from app.operations.moving import begun_matches, verify_all
from app.platform import postgresql as patience
from app.platform.database import Database
from app.platform.errors import Busy, Stale
from app.platform.tables import utc_now
from engine.core.match import Match, start
from engine.core.playout import random_acts
from engine.core.registry import find
from tests.app.kept import keep, open_table
from tests.servers import (
    Server,
    free_port,
    migrate,
    private_folder,
    reachable_postgresql,
    unprivileged,
)

CUTS, SILENCES = 20, 5
OWNER = "chasqui"


class Host(Protocol):
    """What holds a database and may lose its power."""

    server: Server | None

    def processes(self) -> list[int]: ...


def signal_host(host: Host, how: signal.Signals) -> None:
    for process in host.processes():
        with suppress(ProcessLookupError):
            os.kill(process, how)


def cut_power(host: Host) -> None:
    """No farewell, and nothing starts by itself."""
    signal_host(host, signal.SIGKILL)
    if host.server and host.server.process:
        host.server.process.wait(30)
        host.server = None


@dataclass
class Node:
    """One server; its folder outlives its process."""

    folder: Path
    programs: Path
    port: int
    server: Server | None = None

    def url(self, name: str = "chasqui") -> str:
        return f"postgresql://{OWNER}@127.0.0.1:{self.port}/{name}"

    def start(self) -> None:
        data = self.folder / "data"
        options = (f"port={self.port}", "listen_addresses=127.0.0.1", "unix_socket_directories=",
                   "synchronous_standby_names=*", "wal_level=replica", "max_wal_senders=8", "hot_standby=on",
                   "fsync=off", "wal_keep_size=256MB")  # fmt: skip
        self.server = Server(
            [self.programs / "postgres", "-D", data, *(f"--{o}" for o in options)], self.folder
        )
        address = self.url("postgres")
        self.server.start(lambda: psycopg.connect(address, connect_timeout=3).close())

    def processes(self) -> list[int]:
        """The server and all that it started."""
        head = self.server.process.pid if self.server and self.server.process else 0
        told = subprocess.run(
            ["pgrep", "-P", str(head)], capture_output=True, text=True, check=False
        )
        return [head, *map(int, told.stdout.split())] if head else []

    def run(self, program: str, *words: str | Path) -> None:
        subprocess.run(
            [self.programs / program, *words],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **unprivileged(),
        )

    def follow(self, leader: Node) -> None:
        """Begins anew as a copy of the leader."""
        data = self.folder / "data"
        if data.exists():
            data.rename(self.folder / f"old-{time.monotonic_ns()}")
        source = f"host=127.0.0.1 port={leader.port} user={OWNER}"
        self.run("pg_basebackup", "-D", data, "-R", "-d", source, "--checkpoint=fast")
        self.start()

    def promote(self) -> None:
        self.run("pg_ctl", "promote", "-D", self.folder / "data", "-w")


@contextmanager
def pair() -> Iterator[tuple[Node, Node]]:
    with private_folder("leader") as first, private_folder("follower") as second:
        programs = reachable_postgresql(first)
        nodes = Node(first, programs, free_port()), Node(second, programs, free_port())
        nodes[0].run(
            "initdb",
            "-D",
            first / "data",
            "-U",
            OWNER,
            "--auth=trust",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C",
        )
        with (first / "data" / "pg_hba.conf").open("a") as rules:
            rules.write("host replication all 127.0.0.1/32 trust\n")
        try:
            nodes[0].start()
            nodes[1].follow(nodes[0])
            with psycopg.connect(nodes[0].url("postgres"), autocommit=True) as connection:
                connection.execute("CREATE DATABASE chasqui")
            migrate(nodes[0].url())
            yield nodes
        finally:
            for node in nodes:
                signal_host(node, signal.SIGCONT)
                cut_power(node)


@dataclass
class Load:
    """Somebody who plays match after match, and remembers every act that was acknowledged."""

    database: Database
    number: int
    acknowledged: dict[tuple[str, int], str] = field(default_factory=dict)
    longest: float = 0.0  # seconds between two acknowledged acts
    refused: int = 0

    def play(self, stop: Event) -> None:
        count = 0
        while not stop.is_set():
            count += 1
            match = start(
                find("cuzco"), 2, {}, f"secret {self.number} {count}", f"load{self.number}x{count}"
            )
            self.again(stop, lambda match=match: open_table(self.database, match))  # type: ignore[misc]
            self.again(stop, lambda match=match: keep(self.database, match, at=utc_now()))  # type: ignore[misc]
            for later in random_acts(match, Random(count)):
                if stop.is_set():
                    return
                self.again(stop, lambda later=later, head=match.head: self.act(later, head))  # type: ignore[misc]
                match = later

    def act(self, later: Match, head: int) -> None:
        try:
            keep(self.database, later, head, utc_now())
        except Stale:  # the answer to the first try was lost, the act was not
            MATCH_CACHE.clear()
            if load_match(self.database, later.id).hash != later.hash:
                raise
        self.acknowledged[later.id, later.head] = later.hash

    def again(self, stop: Event, what: object) -> None:
        """Until it is acknowledged, as a person presses the button again."""
        began = time.monotonic()
        while not stop.is_set():
            try:
                what()  # type: ignore[operator]
                break
            except Busy:
                self.refused += 1
                stop.wait(0.2)
            except Exception as fault:
                if "duplicate key" not in str(fault):
                    raise
                break
        self.longest = max(self.longest, time.monotonic() - began)


def failover(cuts: int = CUTS, silences: int = SILENCES) -> str:
    patience.SILENCE = 3.0
    with pair() as nodes:
        several = f"postgresql://{OWNER}@127.0.0.1:{nodes[0].port},127.0.0.1:{nodes[1].port}/chasqui?connect_timeout=2"
        loads = [Load(Database(several), number) for number in range(2)]
        stop = Event()
        threads = [Thread(target=load.play, args=(stop,)) for load in loads]
        for thread in threads:
            thread.start()
        leader, follower = nodes
        ways = ["cut"] * cuts + ["silence"] * silences
        Random(1).shuffle(ways)
        for way in track(ways, description="the leader goes"):
            stop.wait(2)
            if way == "cut":
                cut_power(leader)
            else:
                signal_host(leader, signal.SIGSTOP)
                stop.wait(4)
                cut_power(leader)
            follower.promote()
            leader.follow(follower)
            leader, follower = follower, leader
        stop.wait(3)
        stop.set()
        for thread in threads:
            thread.join()
        return judged(loads, cuts, silences)


def judged(loads: list[Load], cuts: int, silences: int) -> str:
    acts, told = judged_acts(loads)
    return (
        f"{cuts} power cuts and {silences} silences of the leader: {acts} acts acknowledged, 0 lost, 0 doubled, every "
        f"match verifies; {told}"
    )


def judged_acts(loads: list[Load]) -> tuple[int, str]:
    """Every acknowledged act must be where it was, and every match verify; how many they were, and who had to wait."""
    database = loads[0].database
    lost = 0
    for load in loads:
        for match_id in {match_id for match_id, _ in load.acknowledged}:
            with database.read() as connection:
                kept = {entry.pos: entry.hash for entry in reread_match(connection, match_id).log}
            lost += sum(
                kept.get(pos) != link
                for (name, pos), link in load.acknowledged.items()
                if name == match_id
            )
    wrong = [fault for fault in verify_all(database, begun_matches(database)) if fault]
    longest = max(load.longest for load in loads)
    refused = sum(load.refused for load in loads)
    for load in loads:
        load.database.close()
    assert lost == 0, lost
    assert not wrong, wrong
    told = f"{refused} tries were told to come again, and nobody waited longer than {longest:.1f} s"
    return sum(len(load.acknowledged) for load in loads), told
