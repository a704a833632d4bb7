"""Cold start and memory, beside the least that Flask with SQLAlchemy and the same server can be."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from signal import SIGTERM
from typing import Any

from app.platform.settings import Settings
from tests.bench.measure import Row, Side, at_most, in_turns
from tests.bench.service import Client, Player, begun, filled, wait_for
from tests.servers import free_port

PAGES = 20  # shown before the memory is looked at
FLOOR = "bare Flask, SQLAlchemy"
BARE = """
import sys
from flask import Flask
from sqlalchemy import create_engine, text
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from waitress import serve

class Base(DeclarativeBase):
    pass

class Thing(Base):
    __tablename__ = "thing"
    id: Mapped[int] = mapped_column(primary_key=True)

engine = create_engine(f"sqlite:///{sys.argv[1]}/floor.sqlite3")
Base.metadata.create_all(engine)
app = Flask("bare")

@app.get("/")
def count():
    with Session(engine) as session:
        return str(session.query(Thing).count())

serve(app, host="127.0.0.1", port=int(sys.argv[2]), threads=8)
"""


def rows() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as made:
        settings = Settings(data_dir=Path(made), limits=False)
        with filled(settings, [begun("started222", 60)]) as (board,):
            sides = {"ours": started(made), FLOOR: bare_started(made)}
            # The work until the first answer; the clock would tell what others do meanwhile.
            what = "cold start: seconds of a processor until the first page is shown"
            yield in_turns(what, sides).row(what, "ours", FLOOR, at_most(2.5))
            what, megabytes = f"memory after {PAGES} pages", "MB"
            ours = resident(ours_command(made), lambda port: Player(port, board).clients[0].get(board.where))  # fmt: skip
            theirs = resident(bare_command(made), lambda port: Client(port).get("/"))
            yield Row(what, FLOOR, ours, theirs, megabytes, at_most(1.7))


def ours_command(folder: str) -> list[str]:
    """As `chasqui serve` does it."""
    return ["env", f"CHASQUI_DATA_DIR={folder}", sys.executable, "-m", "workers", "--port"]


# Both keep what they compiled, as an installed service does.
ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
QUIETLY: dict[str, Any] = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "env": ENVIRONMENT}  # fmt: skip


def bare_command(folder: str) -> list[str]:
    return [sys.executable, "-c", BARE, folder]


def started(folder: str) -> Side:
    return lambda: until_answer(ours_command(folder), "/sign-in")


def bare_started(folder: str) -> Side:
    return lambda: until_answer(bare_command(folder), "/")


def until_answer(command: list[str], path: str) -> float:
    """The work of a process from its beginning until it has shown a page; what ending it takes is small."""
    before = worked()
    with subprocess.Popen([*command, str(port := free_port())], **QUIETLY) as process:  # fmt: skip
        wait_for(port)
        Client(port).get(path)
        process.kill()
    return worked() - before


def worked() -> float:
    spent = getrusage(RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def resident(command: list[str], ask: Callable[[int], object]) -> float:
    """Megabytes in memory after some pages."""
    with subprocess.Popen([*command, str(port := free_port())], **QUIETLY) as process:  # fmt: skip
        wait_for(port)
        for _ in range(PAGES):
            ask(port)
        status = Path(f"/proc/{process.pid}/status").read_text()
        process.send_signal(SIGTERM)
    return int(status.partition("VmRSS:")[2].split()[0]) / 1024
