"""What cannot be undone needs a fresh sign-in, whichever way it comes; docs/ACCESS.md states the rule."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import select

from app.platform import tables
from tests.app.browser import services_of
from tests.app.http.test_security import dump
from tests.app.roles import MATCH, THEIRS, World, begun, path, rules, world

ROOT = Path(__file__).resolve().parents[3]
DANGEROUS = {
    "account.new_token", "account.delete", "address.ask", "passkeys.ask_for_new", "passkeys.add", "passkeys.remove",
    "care.rewind", "care.restore", "care.close", "care.replace", "care.hand_over", "care.resign",
    "site.suspend", "site.lift",
}  # fmt: skip
LEAVING = {"signin.leave", "signin.leave_everywhere"}  # after them there is no session to try


@pytest.fixture
def made(tmp_path: Path, sqlite_folder: Path) -> Iterator[World]:
    """Everybody signed in sixteen minutes ago."""
    with world(tmp_path / "world", sqlite_folder, begun(THEIRS), True) as found:
        with services_of(found.app).database.session() as session:
            for row in session.exec(select(tables.Session)):
                row.fresh_at = row.fresh_at - timedelta(minutes=16)
        yield found


def test_what_is_dangerous_and_nothing_else_asks_for_a_fresh_sign_in(made: World) -> None:
    asked = set()
    for rule in rules(made.app, "POST"):
        if not rule.rule.startswith("/api/") and rule.endpoint not in LEAVING:
            response = made.call("site", "POST", path(made.app, rule))
            if "your last sign-in is too long ago" in response.text:
                assert response.status_code == 403, rule
                assert "Sign in again" in response.text
                asked.add(rule.endpoint)
    assert asked == DANGEROUS


def test_without_one_nothing_is_changed(made: World) -> None:
    settings = services_of(made.app).settings
    before = dump(settings)
    for rule in rules(made.app, "POST"):
        if rule.endpoint in DANGEROUS:
            for role in ("player", "owner", "site"):
                made.call(role, "POST", path(made.app, rule), data={"reason": "because"})
    assert dump(settings) == before


def test_a_program_needs_a_token_that_was_made_for_it_by_somebody_freshly_signed_in(
    made: World,
) -> None:
    """A token of the usual kind does nothing that cannot be undone; one that moderates is made on purpose."""
    owner = made.browsers["owner"]
    assert owner.post("/account/tokens", {"name": "bot"}).status_code == 403
    services = services_of(made.app)
    with services.database.session() as session:
        for token in session.exec(select(tables.ApiToken)):
            token.scopes = ["read", "play"]
    wish = {"reason": "because", "head": 2, "to": 2, "bot": "random"}
    before = dump(services.settings)
    for act, names in {
        "rewind": ("head", "to", "reason"),
        "restore": ("head",),
        "close": ("reason",),
        "seats/1/replace": ("reason", "bot"),
    }.items():
        body = {name: wish[name] for name in names}
        response = made.call("owner", "POST", f"/api/v1/matches/{MATCH}/{act}", json=body)
        assert (response.status_code, "moderate" in response.text) == (403, True), act
    assert dump(services.settings) == before


def test_the_document_names_every_act_that_asks_for_it() -> None:
    told = (ROOT / "docs" / "ACCESS.md").read_text(encoding="utf-8")
    for name in DANGEROUS - {"passkeys.ask_for_new"}:
        assert f"`{name}`" in told, name
