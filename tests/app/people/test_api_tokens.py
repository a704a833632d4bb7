"""Tokens: what each may be used for, until when, and when it last was."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from click.testing import CliRunner
from sqlmodel import select

from app.api.openapi import document
from app.api.operation import OPERATIONS, Operation
from app.cli.main import main
from app.mail.incoming.commands import WORDS
from app.people.api_tokens import SCOPES, make_api_token
from app.platform import tables
from app.platform.services import EXTENSION_KEY, Services
from app.platform.settings import Settings
from tests.app.api.test_roles import ask, filled
from tests.app.browser import Visitor, letters
from tests.app.kept import NOON
from tests.app.service import Service
from workers.chores import write_token_uses

Door = Callable[[str], Visitor]
MADE = re.compile(r"chq_[\w-]{43}")
MODERATING = {
    "get_knowledge", "rewind_match", "restore_match", "pause_match", "resume_match", "extend_match", "close_match",
    "replace_player",
}  # fmt: skip


pytestmark = pytest.mark.people("owner", "player", "other", "stranger")


def token_of(service: Service, who: str, *scopes: str) -> str:
    with service.database.session() as session:
        return make_api_token(session, service.ids[who], "test", NOON, scopes)


def tokens(visitor: Visitor) -> list[tables.ApiToken]:
    with visitor.services.database.look() as session:
        return list(session.exec(select(tables.ApiToken)))


# Scopes


def test_every_operation_names_the_scope_that_it_needs() -> None:
    for operation in OPERATIONS:
        looks = "read" if operation.method == "GET" else "play"
        due = "moderate" if operation.name in MODERATING else looks
        assert operation.scope == due, operation.name


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_a_token_without_the_scope_is_refused_and_told_which(
    service: Service, operation: Operation
) -> None:
    match_id = service.running("player", "other", owner="owner", public=True)
    without = token_of(service, "owner", *(SCOPES.keys() - {operation.scope}))
    before = service.contents()
    response = ask(service, operation, without, match_id)
    assert response.status_code == 403
    assert response.json["error"] == {
        "code": "forbidden",
        "message": f"This needs a token with the scope {operation.scope}; "
        f"this one has {', '.join(scope for scope in SCOPES if scope != operation.scope)}.",
    }
    assert service.contents() == before
    alone = token_of(service, "owner", operation.scope)
    message = str(ask(service, operation, alone, match_id).data)
    assert "with the scope" not in message


def test_without_the_scope_nobody_learns_what_is_there(service: Service) -> None:
    hidden = service.running("player", "other", owner="owner")
    without = token_of(service, "stranger", "moderate")
    answers = {
        service.call(without, "GET", filled("/matches/{match_id}", one)).data
        for one in (hidden, "zzzzzzzzzz")
    }
    assert len(answers) == 1


def test_the_description_tells_the_scope_of_each_operation() -> None:
    told = document("http://chasqui.example")
    for operation in OPERATIONS:
        described = told["paths"][operation.path][operation.method.lower()]
        assert {"token": [operation.scope]} in described["security"]
        assert "403" in described["responses"]
    for scope in SCOPES:
        assert f"`{scope}`" in told["components"]["securitySchemes"]["token"]["description"]


def test_no_program_and_no_mail_can_touch_an_account() -> None:
    """Its address, passkeys, tokens, sessions and its end are for the page, and for a fresh sign-in."""
    for operation in OPERATIONS:
        assert operation.path.split("/")[1] in ("games", "matches", "records"), operation.path
    about_orders = {"recall", "go"}  # that wait, and are the seat's own
    assert set(WORDS.values()) - about_orders == {"help", "status", "board", "history", "confirm"}


# Making one


def test_the_page_makes_tokens_that_read_and_play_unless_told_otherwise(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    page = ana.get("/account/tokens").text
    ticked = dict(re.findall(r'name="scopes" value="(\w+)"( checked)?', page))
    assert ticked == {"read": " checked", "play": " checked", "moderate": ""}
    ana.post("/account/tokens", {"name": "bot"})
    ana.post("/account/tokens", {"name": "eye", "chosen": "yes", "scopes": ["read"]})
    ana.post("/account/tokens", {"name": "judge", "chosen": "yes", "scopes": ["moderate", "read"]})
    assert [one.scopes for one in tokens(ana)] == [["read", "play"], ["read"], ["read", "moderate"]]


@pytest.mark.parametrize(
    ("scopes", "said"), [([], "at least one scope"), (["read", "rule"], "There is no scope rule")]
)
def test_what_is_no_scope_is_refused(signed_in: Door, scopes: list[str], said: str) -> None:
    ana = signed_in("ana@example.org")
    sent = {"name": "bot", "chosen": "yes", "scopes": scopes}
    response = ana.post("/account/tokens", sent)
    assert response.status_code == 400
    assert said in response.text
    assert tokens(ana) == []


def test_its_owner_is_told_of_a_new_token(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    ana.post("/account/tokens", {"name": "My bot"})
    mail = letters(ana.services, "ana@example.org")[-1]
    assert mail.subject == "A token was made for your account"
    assert "My bot" in mail.text
    assert not MADE.search(mail.text)
    assert "made a token" in ana.get("/account").text


@pytest.mark.parametrize(
    ("given", "due"),
    [((), list(SCOPES)), (("--scope", "play", "--scope", "read"), ["read", "play"])],
)
def test_an_operator_prints_a_token_for_everything_or_for_some(
    settings: Settings,
    client: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    given: tuple[str, ...],
    due: list[str],
) -> None:
    monkeypatch.setenv("CHASQUI_DATA_DIR", str(settings.data_dir))
    printed = CliRunner().invoke(main, ["token", "ana@example.org", *given])
    assert MADE.fullmatch(printed.output.strip())
    assert tokens(client)[0].scopes == due
    wrong = CliRunner().invoke(main, ["token", "ana@example.org", "--scope", "rule"])
    assert wrong.exit_code == 2


# Its end


def opens(visitor: Visitor, token: str) -> bool:
    headers = {"Authorization": f"Bearer {token}"}
    return visitor.client.get("/api/v1/games", headers=headers).status_code == 200


def new_token(visitor: Visitor) -> str:
    found = MADE.search(visitor.post("/account/tokens", {"name": "bot"}).text)
    assert found
    return found[0]


def test_a_token_ends_after_a_year(signed_in: Door) -> None:
    with time_machine.travel(NOON, tick=False) as clock:
        ana = signed_in("ana@example.org")
        token = new_token(ana)
        clock.shift(timedelta(days=365, seconds=-1))
        assert opens(ana, token)
        clock.shift(1)
        assert not opens(ana, token)
        assert "bot" not in ana.get("/account/tokens").text


def test_signing_out_everywhere_ends_every_token_too(signed_in: Door) -> None:
    ana, bo = signed_in("ana@example.org"), signed_in("bo@example.org")
    mine, theirs = new_token(ana), new_token(bo)
    ana.post("/sign-out")
    assert opens(ana, mine)
    ana.sign_in("ana@example.org").post("/sign-out/everywhere")
    assert not opens(ana, mine)
    assert opens(bo, theirs)


# Its last use


def services_of(service: Service) -> Services:
    found: Services = service.app.extensions[EXTENSION_KEY]
    return found


def last_use(service: Service) -> Any:
    with service.database.look() as session:
        query = select(tables.ApiToken.last_used_at)
        return session.exec(query.where(tables.ApiToken.player_id == service.ids["player"])).one()


def test_looking_notes_the_use_of_a_token_and_a_chore_writes_it(service: Service) -> None:
    services = services_of(service)
    service.get("player", "/games")
    assert last_use(service) is None  # looking writes nothing
    assert write_token_uses(services) == 1
    assert last_use(service) == NOON
    assert write_token_uses(services) == 0


def test_the_use_of_a_token_is_written_once_an_hour(service: Service) -> None:
    services = services_of(service)
    for minutes, due in ((0, 0), (59, 0), (60, 60), (61, 60)):
        services.now = lambda minutes=minutes: NOON + timedelta(minutes=minutes)  # type: ignore[misc]
        service.get("player", "/games")
        write_token_uses(services)
        assert last_use(service) == NOON + timedelta(minutes=due)


def test_a_use_that_another_process_saw_later_stays(service: Service) -> None:
    services = services_of(service)
    service.get("player", "/games")
    later = NOON + timedelta(minutes=5)
    with service.database.session() as session:
        row = session.exec(select(tables.ApiToken).where(tables.ApiToken.name == "test")).first()
        assert row
        for token in session.exec(select(tables.ApiToken)):
            token.last_used_at = later
    write_token_uses(services)
    assert last_use(service) == later


def test_the_page_tells_when_a_token_was_made_was_used_and_ends(signed_in: Door) -> None:
    ana = signed_in("ana@example.org")
    token = new_token(ana)
    assert re.search(r"Last used:\s+never", ana.get("/account/tokens").text)
    opens(ana, token)
    write_token_uses(ana.services)
    page = ana.get("/account/tokens").text
    assert re.search(r"Last used:\s+<time", page)
    assert "in 1 year" in page
