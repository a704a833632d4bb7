"""Power cuts and silences of the leader with Debian's Patroni and etcd, as an operator runs them: two hosts, synchronous mode.

The host of the leader goes (everything on it is killed, or stopped), Patroni promotes the other when the lease of the first has
run out, and the first comes back as its follower. Where Patroni cannot be had, `tests.soak.failover` promotes by hand.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psycopg
from rich.progress import track

from app.platform import postgresql as patience
from app.platform.database import Database
from tests.debian import WHERE, fetch_programs, missing
from tests.servers import Server, free_port, migrate, private_folder, unprivileged
from tests.servers import postgresql_programs as programs
from tests.soak import failover as by_hand
from tests.soak.failover import (
    CUTS,
    OWNER,
    SILENCES,
    Load,
    cut_power,
    judged_acts,
    signal_host,
)
from tests.soak.upkeep import playing

PROGRAMS = {"patroni": "patroni", "etcd": "etcd-server"}
LEASE, PATIENCE = (
    20,
    120.0,
)  # seconds: the shortest that Patroni takes; for a cluster to be whole again
SECRET = "as-good-as-any"  # noqa: S105 - of a cluster that listens to nobody else
Member = dict[str, str]


@dataclass
class Host:
    """A host with Patroni and the PostgreSQL that Patroni keeps; its folder outlives them."""

    name: str
    folder: Path
    port: int
    asked: int  # the port of Patroni itself
    server: Server | None = None

    def start(self) -> None:
        self.server = Server(["patroni", self.folder / "patroni.yml"], self.folder)
        self.server.start(lambda: None)

    def processes(self) -> list[int]:
        """Patroni, PostgreSQL, and what these started."""
        heads = [self.server.process.pid] if self.server and self.server.process else []
        with suppress(OSError, ValueError):
            heads.append(int((self.folder / "data" / "postmaster.pid").read_text().split()[0]))
        words = ["pgrep", "-P", ",".join(map(str, heads))]
        told = subprocess.run(words, capture_output=True, text=True, check=False).stdout
        return [*heads, *map(int, told.split())]

    def members(self) -> list[Member]:
        """The cluster as this host sees it; nothing while it cannot say."""
        where = f"http://127.0.0.1:{self.asked}/cluster"
        with suppress(OSError, ValueError), urllib.request.urlopen(where, timeout=2) as told:
            return list(json.load(told)["members"])
        return []

    def leads(self) -> bool:
        return any(one["name"] == self.name and one["role"] == "leader" for one in self.members())

    def is_whole(self) -> bool:
        """Whether it leads, and the other one has all that it has."""
        return self.leads() and any(one["role"] == "sync_standby" for one in self.members())


def configuration(host: Host, etcd: int) -> str:
    """What an operator writes into patroni.yml (JSON is YAML too)."""
    account = {"superuser": OWNER, "replication": "replicator", "rewind": "rewinder"}
    return json.dumps(
        {
            "scope": "chasqui",
            "name": host.name,
            "restapi": {"listen": f"127.0.0.1:{host.asked}", "connect_address": f"127.0.0.1:{host.asked}"},
            "etcd3": {"host": f"127.0.0.1:{etcd}"},
            "bootstrap": {
                "dcs": {
                    "ttl": LEASE,
                    "loop_wait": 1,
                    "retry_timeout": 3,
                    "synchronous_mode": True,
                    "postgresql": {"use_pg_rewind": True, "parameters": {"wal_keep_size": "256MB", "max_connections": 50}},
                },
                "initdb": [{"encoding": "UTF8"}, {"locale": "C"}, "data-checksums"],
            },
            "postgresql": {
                "listen": f"127.0.0.1:{host.port}",
                "connect_address": f"127.0.0.1:{host.port}",
                "data_dir": str(host.folder / "data"),
                "bin_dir": str(programs()),
                "pgpass": str(host.folder / "pgpass"),
                "authentication": {kind: {"username": name, "password": SECRET} for kind, name in account.items()},
                "parameters": {"unix_socket_directories": str(host.folder)},
                "pg_hba": [f"host {base} all 127.0.0.1/32 scram-sha-256" for base in ("all", "replication")]
                + ["local all all trust"],
                "remove_data_directory_on_rewind_failure": True,
                "remove_data_directory_on_diverged_timelines": True,
            },
        },
        indent=1,
    )  # fmt: skip


@contextmanager
def running_etcd() -> Iterator[int]:
    with private_folder("etcd") as folder:
        port, peers = free_port(), free_port()
        here, there = f"http://127.0.0.1:{port}", f"http://127.0.0.1:{peers}"
        words = {"data-dir": folder / "data", "listen-client-urls": here, "advertise-client-urls": here,
                 "listen-peer-urls": there, "initial-advertise-peer-urls": there, "initial-cluster": f"default={there}"}  # fmt: skip
        server = Server(["etcd", *(f"--{name}={value}" for name, value in words.items())], folder)

        def ready() -> None:
            try:
                urllib.request.urlopen(f"{here}/health", timeout=2).close()  # noqa: S310 - our own
            except OSError as fault:
                raise psycopg.OperationalError from fault

        server.start(ready)
        try:
            yield port
        finally:
            server.stop(signal.SIGKILL)


@contextmanager
def cluster() -> Iterator[tuple[Host, Host]]:
    """Two hosts, the first that leads before the other."""
    with ExitStack() as stack:
        etcd = stack.enter_context(running_etcd())
        hosts = []
        for name in ("one", "two"):
            folder = stack.enter_context(private_folder(name))
            hosts.append(host := Host(name, folder, free_port(), free_port()))
            stack.callback(cut_power, host)
            stack.callback(signal_host, host, signal.SIGCONT)
            file = folder / "patroni.yml"
            file.write_text(configuration(host, etcd))
            file.chmod(0o600)
            if "user" in unprivileged():
                os.chown(file, unprivileged()["user"], unprivileged()["group"])
            host.start()
        yield leader_first(*hosts)


def leader_first(one: Host, two: Host) -> tuple[Host, Host]:
    """Waits until the cluster is whole; who leads comes first."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        for leader, other in ((one, two), (two, one)):
            if leader.is_whole():
                return leader, other
        time.sleep(0.2)
    words = [host.server.last_words() for host in (one, two) if host.server]
    raise AssertionError("\n".join(["The cluster does not become whole.", *words]))


def failover(cuts: int = CUTS, silences: int = SILENCES) -> str:
    os.environ["PATH"] = WHERE
    with suppress(BaseException):  # a skip is none of ours
        fetch_programs(PROGRAMS)
    if missing(PROGRAMS):
        return f"without Patroni, promoted by hand: {by_hand.failover(cuts, silences)}"
    patience.SILENCE = 3.0
    with cluster() as hosts:
        leader, other = hosts
        everywhere = f"{OWNER}:{SECRET}@127.0.0.1:{leader.port},127.0.0.1:{other.port}"
        with psycopg.connect(f"postgresql://{OWNER}:{SECRET}@127.0.0.1:{leader.port}/postgres", autocommit=True) as connection:  # fmt: skip
            connection.execute("CREATE DATABASE chasqui")
        migrate(f"postgresql://{OWNER}:{SECRET}@127.0.0.1:{leader.port}/chasqui")
        several = f"postgresql://{everywhere}/chasqui?connect_timeout=2"
        loads = [Load(Database(several), number) for number in range(2)]
        ways = ["cut"] * cuts + ["silence"] * silences
        Random(1).shuffle(ways)
        with playing(loads) as stop:
            for way in track(ways, description="the leader goes"):
                stop.wait(3)
                signal_host(leader, signal.SIGSTOP) if way == "silence" else cut_power(leader)
                promoted(other)
                cut_power(leader)  # a host that was silent is switched off before it comes back
                leader.start()
                leader, other = leader_first(leader, other)
            stop.wait(3)
        acts, told = judged_acts(loads)
    return (
        f"Patroni and etcd of Debian, {cuts} power cuts and {silences} silences of the leader's host: {acts} acts "
        f"acknowledged, 0 lost, 0 doubled, every match verifies; {told} (a lease is {LEASE} s)"
    )


def promoted(host: Host) -> None:
    until = time.monotonic() + PATIENCE
    while not host.leads():
        assert time.monotonic() < until, host.server and host.server.last_words()
        time.sleep(0.2)
