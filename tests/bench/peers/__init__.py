"""Peers from the registries: installed by the bench into environments of their own, and asked line by line."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console

from app.platform.child_process import Child

HERE = Path(__file__).parent
BUILD = HERE.parents[2] / "build" / "bench-peers"
PYTHON_PEERS = ("chess==1.11.2", "eventsourcing==9.5.6", "psycopg[binary,pool]>=3.2")
NODE_PEERS = ("boardgame.io@0.50.2",)
PATIENCE, LONGEST = 120.0, 2**20


class NoPeer(Exception):
    """A peer cannot be had here; the sentence says why."""


class Peer:
    """A program that is asked for a figure, and measures itself."""

    def __init__(self, *command: str) -> None:
        self.child = Child(*command, patience=PATIENCE, longest=LONGEST)

    def ask(self, do: str, **more: Any) -> float:
        answer = self.child.ask(json.dumps({"do": do, **more}).encode() + b"\n")
        return float(json.loads(answer))


@contextmanager
def asking(name: str) -> Iterator[Peer]:
    """A peer, by the name of its script."""
    script = HERE / f"{name}_peer.py"
    command = [str(python()), str(script)] if script.exists() else node_command(name)
    peer = Peer(*command)
    try:
        yield peer
    finally:
        peer.child.close()


@cache
def python() -> Path:
    """A Python with the peers that are written in it."""
    program = BUILD / "venv" / "bin" / "python"
    install = [program, "-m", "pip", "install", "-qq", "--disable-pip-version-check", *PYTHON_PEERS]
    if not stamp(*PYTHON_PEERS).exists():
        Console(stderr=True).print("Installing the peers of the bench, once.")
        attempt([sys.executable, "-m", "venv", BUILD / "venv"], "There is no Python for the peers")
        attempt(install, "The peers could not be installed")
        stamp(*PYTHON_PEERS).touch()
    return program


def node_command(name: str) -> list[str]:
    """The command of a peer that is written in JavaScript."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        raise NoPeer("There is no node here.")
    if not stamp(*NODE_PEERS).exists():
        Console(stderr=True).print("Installing the node peers of the bench, once.")
        BUILD.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--silent", "--no-audit", "--no-fund", "--prefix", BUILD]
        attempt([*command, *NODE_PEERS], "The node peers could not be installed")
        stamp(*NODE_PEERS).touch()
    script = shutil.copy(HERE / f"{name}_peer.cjs", BUILD)  # beside what it requires
    return [node, str(script)]


def stamp(*what: str) -> Path:
    """The file that says that these have been installed."""
    return BUILD / ("".join(c if c.isalnum() else "-" for c in "+".join(what)) + ".ready")


def attempt(command: list[Any], sorry: str) -> None:
    BUILD.mkdir(parents=True, exist_ok=True)
    try:
        subprocess.run(command, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as fault:
        said = getattr(fault, "stderr", "") or str(fault)
        raise NoPeer(f"{sorry}: {said.strip().splitlines()[-1] if said.strip() else fault}") from (
            fault
        )
