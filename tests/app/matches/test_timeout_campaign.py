"""Deadlines fire once: three sweepers that die now and then, across changes of the clock, on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from random import Random

from sqlmodel import Session

from app.platform.database import Database
from app.platform.services import Services
from app.platform.settings import Settings
from tests.app import sweeping
from workers.deadlines import sweep

SWEEPERS = 3


class Killed(BaseException):
    """What `kill -9` is to a transaction."""


class Mortal(Database):
    """A database whose owner may die before or right after a transaction is kept."""

    dice = Random(7)

    @contextmanager
    def session(self) -> Iterator[Session]:
        with super().session() as session:
            yield session
            session.flush()
            if self.dice.random() < 0.1:
                raise Killed
        if self.dice.random() < 0.1:
            raise Killed


def test_every_deadline_is_dealt_with_once(database: Database, tmp_path: Path) -> None:
    url = database.url.render_as_string(hide_password=False)
    mortals = [Mortal(url) for _ in range(SWEEPERS)]

    def swept(mortal: Mortal, at: datetime) -> None:
        with suppress(Killed):
            sweep(Services(Settings(data_dir=tmp_path), mortal, now=lambda: at))

    def all_sweep(at: datetime) -> None:
        with ThreadPoolExecutor(SWEEPERS) as pool:
            while sweeping.waiting(database, at):
                list(pool.map(lambda mortal: swept(mortal, at), mortals))

    assert sweeping.run(database, sweeping.cases(25, seed=1), all_sweep) > 50
    for mortal in mortals:
        mortal.close()
