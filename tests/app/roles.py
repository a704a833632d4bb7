"""One match and somebody in every role before it: those who play, care, are invited, or have no business there."""

from __future__ import annotations

import gc
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from flask import Flask
from sqlmodel import Session, col, update
from werkzeug.routing import Rule
from werkzeug.test import TestResponse

from app import create_app
from app.people.api_tokens import make_api_token
from app.platform import tables
from app.platform.database import Database
from app.platform.lru_cache import LruCache
from app.platform.settings import Settings
from engine.core.match import Match, start_at
from engine.core.registry import find
from tests.app.browser import SHOWN, Visitor, services_of
from tests.app.kept import NOON
from tests.app.seated import come_in, my_id, seat

MATCH = "allroles22"
POSITION: dict[str, Any] = {
    "seats": 4,
    "tiles": [["village", place] for place in ("e14", "e16", "e18", "d15", "d17")],
    "temples": {"e14": {"value": 4}},
    "incas": [["e16"], ["e18"], ["d15"], ["d17"]],
    "open": "tumi",
    "turn": {"seat": 0, "ap": 5, "laid": True},
}
MINE, THEIRS = ["tumi", "tumi+quipu"], ["tumi", "quipu"]
# In the order of their rights: a stranger has none, `owner` and `site` do not play, `carer` does both.
ROLES = ("nobody", "stranger", "invited", "player", "carer", "owner", "site", "holder")
SEATED = ("player", "carer", "holder", "invited")  # by seat; whoever is left out does not play
VALUES: dict[str, Any] = {
    "match_id": MATCH,
    "key": "cuzco",
    "token": "x" * 43,
    "token_id": 1,
    "count": 3,
    "language": "en",
    "player_id": 1,
    "session_id": 1,
    "passkey_id": 1,
    "vacation_id": 1,
    "number": 1,
    "n": 1,
    "pos": 2,
    "to": 2,
}


@dataclass
class World:
    """The service, and a browser and an API token for each role but `nobody`, who has an empty browser."""

    app: Flask
    browsers: dict[str, Visitor]
    tokens: dict[str, str]
    forms: dict[str, str] = field(default_factory=dict)

    def call(self, role: str, method: str, path: str, **more: Any) -> TestResponse:
        """A request as that role would send it: by the browser, or with the token."""
        if path.startswith("/api/"):
            token = self.tokens.get(role)
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            return self.app.test_client().open(path, method=method, headers=headers, **more)
        if method == "POST":
            more["data"] = {"csrf_token": self.form_token(role), **more.get("data", {})}
            return self.browsers[role].client.post(path, **more)
        return self.browsers[role].get(path, **more)

    def form_token(self, role: str) -> str:
        """Fetched once: it holds for as long as the browser's cookie."""
        if role not in self.forms:
            self.forms[role] = self.browsers[role].form_token()
        return self.forms[role]

    def id_of(self, role: str) -> int:
        return my_id(self.browsers[role])


@contextmanager
def world(
    folder: Path,
    migrated: Path,
    match: Match,
    public: bool,
    seated: tuple[str, ...] = SEATED,
    limited: bool = False,
) -> Iterator[World]:
    """A running match: `player`, `carer` and `holder` play, in this order; one seat is kept for `invited`."""
    forget_everything()
    with empty_world(folder, migrated, limited) as made:
        begin_match(made, match, public, seated)
        yield made


@contextmanager
def empty_world(folder: Path, migrated: Path, limited: bool = False) -> Iterator[World]:
    """Everybody has signed in, and there is no match yet."""
    folder.mkdir()
    shutil.copy(migrated / "migrated.sqlite3", folder / "chasqui.sqlite3")
    (folder / "secret_key").write_text("k" * 48)  # so that seals are alike in two worlds
    (folder / "secret_key").chmod(0o600)
    settings = Settings(data_dir=folder, base_url="http://chasqui.example")  # mailbox shut
    app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=limited)
    services_of(app).now = lambda: NOON
    browsers = {role: come_in(app, f"{role}@example.org") for role in ROLES[1:]}
    made = World(app, {"nobody": Visitor(app), **browsers}, {})
    with services_of(app).database.session() as session:
        for role in browsers:
            made.tokens[role] = make_api_token(session, made.id_of(role), "test", NOON)
    yield made
    services_of(app).database.close()


def begin_match(made: World, match: Match, public: bool, seated: tuple[str, ...]) -> None:
    seat(services_of(made.app), match, *map(made.id_of, seated), public=public)
    with services_of(made.app).database.session() as session:
        settle(session, made, seated)


@dataclass(frozen=True)
class Stage:
    """One service for many worlds, each begun in the same database: to make a service costs more than to ask it."""

    made: World
    file: Path
    empty: bytes  # what the database was before any match

    def set_world(self, match: Match, public: bool, seated: tuple[str, ...] = SEATED) -> World:
        """The next world; of the last one nothing is left, neither in the database nor in memory."""
        forget_everything()
        services_of(self.made.app).database.close()
        self.file.write_bytes(self.empty)
        begin_match(self.made, match, public, seated)
        return self.made


@contextmanager
def stage(folder: Path, migrated: Path) -> Iterator[Stage]:
    with empty_world(folder, migrated) as made:
        for role in ROLES:
            made.form_token(role)
        services_of(made.app).database.close()  # so that the file has everything
        file = folder / "chasqui.sqlite3"
        yield Stage(made, file, file.read_bytes())


def forget_everything() -> None:
    """Nothing that was made in another world is shown in this one, though their hashes be alike."""
    for kept in gc.get_referrers(LruCache):  # its instances too, and quicker than all objects
        if isinstance(kept, LruCache):
            kept.clear()
    SHOWN.clear()


def begun(hand: list[str]) -> Match:
    """A match of Cuzco in which `player` is asked."""
    hands = [MINE, THEIRS, hand, ["kero"]]
    return start_at(find("cuzco"), {**POSITION, "hands": hands}, "seed", MATCH)


def settle(session: Session, made: World, seated: tuple[str, ...]) -> None:
    """Gives everybody their role, and something to be seen on every page."""
    if "invited" in seated:
        kept = session.get_one(tables.Seat, (MATCH, seated.index("invited")))
        kept.player_id, kept.invited_email = None, "invited@example.org"
    row = session.get_one(tables.Match, MATCH)
    row.owner_id, row.hints, row.created_at = made.id_of("owner"), True, NOON
    row.deadline = NOON + timedelta(hours=44)
    site = session.get_one(tables.Player, made.id_of("site"))
    site.moderator = True
    carer, player, holder = (made.id_of(role) for role in ("carer", "player", "holder"))
    session.add(tables.Moderator(match_id=MATCH, player_id=carer))
    session.add(tables.Talk(match_id=MATCH, player_id=carer, text="hello", at=NOON))
    session.add(tables.Report(match_id=MATCH, player_id=player, text="rude", at=NOON))
    said = {"match_id": MATCH, "player_id": carer, "role": "moderator", "reason": "", "at": NOON}
    session.add(tables.Audit(act="Paused", **said))
    for role in (player, holder):
        mail = tables.Outbox(match_id=MATCH, pos=2, player_id=role, kind="turn", state="sent")
        mail.created_at = mail.not_before = mail.sent_at = NOON
        session.add(mail)
    for table in (tables.Player, tables.Session, tables.ApiToken):
        session.exec(update(table).values(created_at=NOON))
    session.exec(update(tables.Player).where(col(tables.Player.id) == player).values(name="P"))


def rules(app: Flask, method: str) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if method in (rule.methods or ())]


def path(app: Flask, rule: Rule, **known: Any) -> str:
    """An address of that route."""
    values = {name: known.get(name, VALUES.get(name, "unknown")) for name in rule.arguments}
    with app.test_request_context():
        return rule.build(values)[1]  # type: ignore[index,no-any-return]  # it builds with all values
