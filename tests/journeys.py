"""How far one thing travels: the files that four journeys come through, and the hops between them.

`python -m tests.journeys` prints the figures. A file counts where a function of `app/` or `workers/` runs; a hop is a pair
of functions in two files of which one calls the other, be it through a library. Each journey is made twice and counted the
second time, so that what is loaded or made once is left out.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from flask import Flask
from werkzeug.test import TestResponse

from app import create_app
from app.platform.database import Database
from app.platform.settings import Settings
from tests.app.answering import address, answer, head
from tests.app.browser import services_of
from tests.app.seated import FIRST, judged, my_id, now, played, two
from tests.servers import migrate
from workers.relay import drain

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT / place}/" for place in ("app", "workers"))
TURN = (FIRST, "end")  # an order, and what asks the other one


@dataclass
class Journey:
    """What ran while somebody travelled."""

    files: set[str] = field(default_factory=set)
    hops: set[tuple[CodeType, CodeType]] = field(default_factory=set)

    def note(self, frame: FrameType, event: str, _: Any) -> None:
        here = frame.f_code
        if event != "call" or not here.co_filename.startswith(OURS):
            return
        self.files.add(here.co_filename)
        before = frame.f_back
        while before is not None and not before.f_code.co_filename.startswith(OURS):
            before = before.f_back
        if before is not None and before.f_code.co_filename != here.co_filename:
            self.hops.add((before.f_code, here))

    def watch(self, act: Callable[[], object]) -> None:
        threading.setprofile(self.note)
        sys.setprofile(self.note)
        try:
            act()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)


def travel(act: Callable[[], object]) -> Journey:
    found = Journey()
    found.watch(act)
    return found


# The journeys


def order(app: Flask) -> Iterator[Journey]:
    """A turn by the page until it is kept, then the mail to whoever is asked until it is sent."""
    where, ana, _ = two(app, played(0))
    form = {**now(ana, where), "order": list(TURN), "key": "k"}
    yield travel(lambda: done(ana.client.post(f"{where}/commit", data=form)))
    yield travel(lambda: drain(services_of(app)))


def mail(app: Flask) -> Iterator[Journey]:
    """The same turn by mail, until it is kept."""
    match = played(0)
    _, ana, _ = two(app, match)
    to = address(services_of(app), match.id, 0, my_id(ana))
    yield travel(lambda: answer(services_of(app), to, "\n".join(TURN)))
    assert head(services_of(app), match.id) > match.head


def rewind(app: Flask) -> Iterator[Journey]:
    """A match taken back by an owner who does not play."""
    match = played(12)
    where, ana, _ = judged(app, match)
    to = [entry.pos for entry in match.log if entry.act < match.log[-1].act][-1]
    form = {"csrf_token": ana.form_token(), "head": match.head, "reason": "a slip"}
    yield travel(lambda: done(ana.client.post(f"{where}/rewind/{to}", data=form)))


def history(app: Flask) -> Iterator[Journey]:
    """A page of the history."""
    where, ana, _ = two(app, played(12))
    yield travel(lambda: done(ana.client.get(f"{where}/history/6"), 200))


def done(answered: TestResponse, status: int = 303) -> None:
    assert answered.status_code == status, answered.text


JOURNEYS = {
    "order, mail": order,
    "mail, answer": mail,
    "rewind": rewind,
    "history step": history,
}


def main() -> None:
    with tempfile.TemporaryDirectory() as made:
        url = f"sqlite:///{made}/chasqui.sqlite3"
        migrate(url)
        for name, journey in JOURNEYS.items():
            for number in range(2):
                folder = Path(made) / f"{name} {number}"
                folder.mkdir()
                shutil.copy(Path(made) / "chasqui.sqlite3", folder)
                settings = Settings(data_dir=folder)
                app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=False)
                found = list(journey(app))
                services_of(app).database.close()
            told = " + ".join(f"{len(one.files)} files, {len(one.hops)} hops" for one in found)
            print(f"{name:14} {told}")


if __name__ == "__main__":
    main()
