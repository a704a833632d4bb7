"""Two worlds that differ only in what somebody else holds: no page may differ by a byte."""

from __future__ import annotations

import re
import shutil
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from flask import Flask

from app import create_app
from app.eventstore.store import MATCH_CACHE
from app.platform.database import Database
from app.platform.settings import Settings
from tests.app.browser import Visitor, services_of
from tests.app.seated import LATE, add, commit, drafted, late_match, my_id, now, seat, two

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)
LAST = "place triple g14 g16 h15"
CARDS = [
    card
    for card in ("tumi", "quipu", "kero", "tumi+quipu", "tumi+kero", "quipu+kero")
    for _ in range(5)
]
# What differs by chance of the request, or seals a secret without telling it.
NOISE = (
    (re.compile(r'(name="(?:csrf_token|key)" value=")[^"]+'), r"\1"),
    (re.compile(r"\b[0-9a-f]{12,128}\b"), "hash"),  # or a signature
)


def world(folder: Path, name: str, template: Path) -> Flask:
    """A service of its own; its clock stands still."""
    (folder / name).mkdir()
    shutil.copy(template, folder / name / "chasqui.sqlite3")
    settings = Settings(data_dir=folder / name)
    app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=False)
    services_of(app).now = lambda: NOON
    return app


def deal(rng: Random) -> list[str]:
    """Another hand for Ana: Bo's cards and the open one are not hers to have."""
    rest = list(CARDS)
    for card in [*LATE["hands"][1], LATE["open"]]:  # type: ignore[index,list-item]
        rest.remove(card)
    return sorted(rng.sample(rest, 3))


def told(visitor: Visitor, path: str) -> str:
    response = visitor.get(path)
    text = f"{response.status_code} {response.headers.get('Location')} {response.headers.get('ETag')} {response.text}"
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def story(app: Flask, hand: list[str]) -> dict[str, str]:
    """Everything that Bo and a spectator can see, before, while and after Ana plays."""
    MATCH_CACHE.clear()
    match = late_match(hands=[hand, LATE["hands"][1]])  # type: ignore[index]
    where, ana, bo = two(app, match, public=True)
    seen: dict[str, str] = {}

    def look(when: str) -> None:
        for who, visitor in (("bo", bo), ("spectator", Visitor(app))):
            head = int(now(bo, where)["head"])
            positions = [f"/history/{pos}" for pos in range(1, head + 1)]
            paths = [
                "",
                *(f"?verb={verb}" for verb in ("basin", "end", "festival", "bid", "draw+pile")),
                "/choices",
                "/history",
                "/record",
                "/confirm?order=draw+pile",
                *positions,
            ]
            for path in paths:
                seen[f"{when} {who} {path}"] = told(visitor, where + path)

    look("before")
    ana.client.post(f"{where}/draft", data={**now(ana, where), "add": LAST})
    ana.post(f"{where}/note", {"text": f"my hand is {hand}"})
    look("drafted")
    commit(ana, where, LAST, key="one")
    commit(ana, where, "draw pile", key="two")
    look("drawn")
    commit(ana, where, "end", key="three")
    look("Bo's turn")
    for order in ("bid kero", "festival e14 kero", "build e14 8"):
        response = bo.client.post(
            f"{where}/commit", data={**now(bo, where), "order": order, "head": 1}
        )
        seen[f"late {order}"] = str(response.status_code)
    assert drafted(bo, where)
    return seen


@pytest.mark.parametrize("number", range(3))
def test_two_worlds_look_alike_to_who_does_not_know(
    number: int, tmp_path: Path, sqlite_folder: Path
) -> None:
    rng = Random(number)
    hands = [deal(rng), deal(rng)]
    stories = []
    for name, hand in zip(("here", "there"), hands, strict=True):
        app = world(tmp_path, name, sqlite_folder / "migrated.sqlite3")
        stories.append(story(app, hand))
        services_of(app).database.close()
    here, there = stories
    assert here.keys() == there.keys()
    assert [key for key in here if here[key] != there[key]] == []
    assert len(here) > 60


def test_the_worlds_do_differ_for_who_knows(tmp_path: Path, sqlite_folder: Path) -> None:
    app = world(tmp_path, "one", sqlite_folder / "migrated.sqlite3")
    where, ana, bo = two(app, late_match())
    assert "tumi and kero" in told(ana, where)
    assert "tumi and kero" not in told(bo, where)
    services_of(app).database.close()


def test_no_other_board_tells_what_somebody_has_drafted(app: Flask) -> None:
    """A script says which board it shows, and is told what changed: of boards of this table alone.

    What a board is called after a draft anybody could reckon who guesses the draft. An analysis is another table, though of
    the same match: there one sits in every seat.
    """
    there, ana, bo = two(app, late_match())
    assert add(ana, there, LAST).status_code == 303
    here = seat(bo.services, late_match("othertable"), my_id(bo), my_id(ana))
    guess = sha256(f"{late_match().hash} 0 {LAST}".encode()).hexdigest()
    for name in (guess, late_match().hash):
        ana.get(there)
        assert "data-changes" in ana.get(f"{there}/parts", headers={"X-Board": name}).text
        assert "data-changes" not in bo.get(f"{here}/parts", headers={"X-Board": name}).text
    others = ("/puzzles/cuzco/1", f"{there}/analysis/{late_match().head}")
    for where in others:
        for name in (guess, late_match().hash):
            answer = bo.get(f"{where}/parts", headers={"X-Board": name})
            assert answer.status_code == 200
            assert "data-changes" not in answer.text
