"""Two worlds that differ only in what another seat holds: nobody who cares for the match can tell them apart."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from flask import Flask
from sqlmodel import col, select

from app.cli.main import main
from app.eventstore.store import MATCH_CACHE, load_match
from app.moderation.moderators import appoint_site_moderator
from app.people.api_tokens import make_api_token
from app.platform import tables
from engine.core.match import Match
from tests.app.browser import Visitor, services_of
from tests.app.kept import forget_shown
from tests.app.seated import LATE, come_in, commit, late_match, my_id, two
from tests.app.web.test_secrets import LAST, NOISE, NOON, deal, told, world
from workers.relay import drain

WHY = {"reason": "a slip"}
# A part of what every kind of mail about the care of a match is called.
SUBJECTS = (
    "asked for", "taken back", "counts again", "paused", "goes on", "more time",
    "other hands", "gave up", "changes hands", "closed",
)  # fmt: skip


@contextmanager
def opened(folder: Path, name: str, template: Path) -> Iterator[Flask]:
    app = world(folder, name, template)
    yield app
    services_of(app).database.close()


class Tale:
    """One match, and what those who care for it are shown and mailed: Bo plays, the owner and the site do not."""

    def __init__(self, app: Flask, hand: list[str]) -> None:
        MATCH_CACHE.clear()
        forget_shown()
        self.seen: dict[str, str] = {}
        match = late_match(hands=[hand, LATE["hands"][1]])  # type: ignore[index]
        self.where, self.ana, self.bo = two(app, match)
        self.services = self.ana.services
        self.match_id = match.id
        self.owner, self.site = (come_in(app, f"{who}@example.org") for who in ("owner", "site"))
        self.carers = {"bo": self.bo, "owner": self.owner, "site": self.site}
        self.tokens: dict[str, str] = {}
        with self.services.database.session() as session:
            session.get_one(tables.Match, match.id).owner_id = my_id(self.owner)
            site = session.get_one(tables.Player, my_id(self.site))
            appoint_site_moderator(session, site, True, NOON)
            for who, visitor in self.carers.items():
                self.tokens[who] = make_api_token(session, my_id(visitor), "test", NOON)
        self.owner.post(f"{self.where}/care/name", {"player": my_id(self.bo)})

    @property
    def match(self) -> Match:
        return load_match(self.services.database, self.match_id)

    def look(self, when: str) -> None:
        """Every page that there is for the care of the match, for each who may see it."""
        ends = sorted({e.act: e.pos for e in self.match.timeline.effective}.values())[:-1]
        paths = [f"/rewind/{to}" for to in ends]
        paths += ["", "/care", "/audit", "/audit.csv", "/mails", "/history", "/undo", "/record"]
        for who, visitor in self.carers.items():
            for path in paths:
                self.seen[f"{when} {who} {path}"] = told(visitor, self.where + path)
            for to in ends:
                self.seen[f"{when} {who} knowledge {to}"] = self.knowledge(visitor, who, to)
        for path in ("/site", "/site/audit", "/site/audit.csv"):
            self.seen[f"{when} site {path}"] = told(self.site, path)
        for to in ends:
            self.seen[f"{when} dry run {to}"] = self.dry_run(to)

    def knowledge(self, visitor: Visitor, who: str, to: int) -> str:
        answer = visitor.app.test_client().get(
            f"/api/v1/matches/{self.match_id}/knowledge?to={to}",
            headers={"Authorization": f"Bearer {self.tokens[who]}"},
        )
        assert answer.status_code == 200, answer.text
        return answer.text

    def dry_run(self, to: int) -> str:
        words = ("rewind", self.match_id, str(to), "--reason", "x", "--dry-run")
        env = {
            "CHASQUI_DATA_DIR": str(self.services.settings.data_dir),
            "CHASQUI_DATABASE_URL": str(self.services.settings.database_url),
        }
        result = CliRunner().invoke(main, words, env=env)
        assert result.exit_code == 0, result.output
        return result.output

    def mails(self) -> None:
        """What was mailed to each of them until now."""
        drain(self.services)
        query = select(tables.Letter).order_by(col(tables.Letter.id))
        with self.services.database.look() as session:
            for letter in session.exec(query):
                if letter.to != "ana@example.org":
                    name = f"mail {letter.id} to {letter.to}: {letter.subject}"
                    self.seen[name] = plain(letter.source)

    def care(self, who: Visitor, act: str, **more: object) -> None:
        answer = who.post(f"{self.where}/{act}", {**WHY, "head": self.match.head, **more})
        assert answer.status_code == 303, f"{act}: {answer.text}"


def plain(text: str) -> str:
    text = text.replace("=\r\n", "").replace("=\n", "")  # a hash may be broken by a line's end
    for pattern, instead in NOISE:
        text = pattern.sub(instead, text)
    return text


def story(app: Flask, hand: list[str]) -> dict[str, str]:
    """A match in which everything is done that moderators can do, while Ana has secrets."""
    tale = Tale(app, hand)
    start = tale.match.timeline.effective[-1].pos
    commit(tale.ana, tale.where, LAST, key="one")
    commit(tale.ana, tale.where, "draw pile", key="two")
    commit(tale.ana, tale.where, "end", key="three")
    tale.look("drawn")
    for verdict in (
        lambda asked: tale.care(tale.owner, "care/refuse", asked=asked),
        lambda asked: tale.care(tale.bo, "undo/answer", asked=asked, agrees="no"),
        lambda asked: tale.care(tale.bo, "undo/answer", asked=asked, agrees="yes"),
    ):
        tale.care(tale.ana, "undo", to=start)
        tale.mails()
        verdict(tale.match.head)
    tale.look("undone")
    tale.care(tale.site, "restore")
    tale.care(tale.bo, f"rewind/{start}")  # he plays: Ana must agree
    tale.mails()
    tale.look("proposed")
    tale.care(tale.ana, "proposal/answer", asked=tale.match.head, agrees="yes")
    tale.mails()
    tale.care(tale.owner, "restore")
    for act in ("pause", "resume"):
        tale.care(tale.bo, f"care/{act}")
    tale.care(tale.owner, "care/extend", hours=5)  # for Bo, who must not give himself time
    tale.look("cared for")
    tale.care(tale.owner, "care/owner", player=my_id(tale.bo))
    tale.care(tale.bo, "care/name", player=my_id(tale.ana))
    tale.care(tale.ana, "resign")
    tale.care(tale.bo, "care/replace", seat=0, bot="random")
    tale.carers = {"bo": tale.bo, "site": tale.site}
    tale.look("given away")
    tale.mails()
    tale.care(tale.bo, "care/close", winners=1)  # which opens everything: only the mail is alike
    tale.mails()
    return tale.seen


def test_no_moderator_learns_what_another_seat_holds(
    tmp_path: Path, sqlite_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHASQUI_SECRET_KEY", "k" * 48)  # seals the links of both worlds alike
    rng = Random(1)
    stories = []
    for name in ("here", "there"):
        with opened(tmp_path, name, sqlite_folder / "migrated.sqlite3") as app:
            stories.append(story(app, deal(rng)))
    here, there = stories
    assert here.keys() == there.keys()
    assert [key for key in here if here[key] != there[key]] == []
    for kind in SUBJECTS:
        assert any(key.startswith("mail ") and kind in key for key in here), kind
    drew = [key for key in here if "drew an unseen card from the pile." in here[key]]
    assert any("dry run" in key for key in drew)
    assert any("/rewind/" in key for key in drew)
    assert len(here) > 150
