"""Passkeys: what is added, what opens, and what no longer does. A real browser uses them in tests/browser."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from flask import Flask
from sqlmodel import select

from app import create_app
from app.people import passkeys
from app.people.passkeys import MOST_PASSKEYS, handle_of, is_copied, relying_party
from app.platform import tables
from app.platform.database import Database
from app.platform.settings import Settings
from tests.app.browser import Visitor, letters, services_of
from tests.app.kept import NOON
from tests.app.soft_device import PRESENT, SoftDevice

EMAIL = "ana@example.org"
SESSION, CHALLENGE = "chasqui-session", "chasqui-challenge"
Door = Callable[[str], Visitor]


@pytest.fixture
def app(settings: Settings) -> Iterator[Flask]:
    """The service under a name, to which browsers bind passkeys."""
    named = settings.model_copy(update={"base_url": "http://localhost:8000"})
    made = create_app(named, Database(named.database_url), RATELIMIT_ENABLED=False)
    yield made
    services_of(made).database.close()


@pytest.fixture
def device() -> SoftDevice:
    return SoftDevice("localhost", "http://localhost:8000")


@pytest.fixture
def ana(app: Flask) -> Visitor:
    return Visitor(app).sign_in(EMAIL)


def options(visitor: Visitor, path: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(visitor.post(f"{path}/options").text)
    return found


def add(visitor: Visitor, device: SoftDevice, name: str = "") -> int:
    asked = options(visitor, "/account/passkeys")
    sent = {"credential": device.make(asked), "name": name}
    return visitor.post("/account/passkeys", sent).status_code


def enter(visitor: Visitor, device: SoftDevice, **more: str) -> int:
    credential = device.use(options(visitor, "/sign-in/passkey"))
    sent = {"credential": credential, **more}
    return visitor.post("/sign-in/passkey", sent).status_code


def kept(visitor: Visitor) -> list[tables.Passkey]:
    with visitor.services.database.look() as session:
        return list(session.exec(select(tables.Passkey)))


# The way in


def test_a_passkey_signs_in_whoever_added_it(app: Flask, ana: Visitor, device: SoftDevice) -> None:
    assert add(ana, device, "My laptop") == 303
    other = Visitor(app)
    credential = device.use(options(other, "/sign-in/passkey"))
    response = other.post("/sign-in/passkey", {"credential": credential, "next": "/help/java"})
    assert (response.status_code, response.headers["Location"]) == (303, "/help/java")
    assert EMAIL in other.get("/account").text
    (row,) = kept(ana)
    assert (row.name, row.sign_count) == ("My laptop", 1)
    assert row.last_used_at


def test_signing_in_by_a_passkey_is_fresh_and_ends_the_session_before(
    ana: Visitor, device: SoftDevice
) -> None:
    with time_machine.travel(ana.services.now(), tick=False) as clock:
        add(ana, device)
        before = ana.client.get_cookie(SESSION)
        clock.shift(timedelta(minutes=16))
        assert ana.post("/account/tokens", {"name": "bot"}).status_code == 403
        assert enter(ana, device) == 303
        assert ana.post("/account/tokens", {"name": "bot"}).status_code == 200
        ana.client.set_cookie(SESSION, before.value if before else "")
        assert ana.get("/account").status_code == 303


def test_a_passkey_without_a_name_is_called_as_the_browser(
    ana: Visitor, device: SoftDevice
) -> None:
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    asked = options(ana, "/account/passkeys")
    sent = {"credential": device.make(asked), "name": " "}
    ana.post("/account/passkeys", sent, headers={"User-Agent": agent})
    assert kept(ana)[0].name == "Firefox · Linux"


def test_the_device_is_asked_for_a_key_it_can_find_and_for_its_owner(
    ana: Visitor, device: SoftDevice
) -> None:
    asked = options(ana, "/account/passkeys")
    wanted = asked["authenticatorSelection"]
    assert (wanted["residentKey"], wanted["userVerification"]) == ("required", "required")
    assert asked["rp"]["id"] == "localhost"
    assert asked["excludeCredentials"] == []
    assert EMAIL not in asked["user"]["id"]
    ana.post("/account/passkeys", {"credential": device.make(asked)})
    again = options(ana, "/account/passkeys")
    assert [one["id"] for one in again["excludeCredentials"]] == [kept(ana)[0].credential_id]
    assert again["user"]["id"] == asked["user"]["id"]
    assert options(ana, "/sign-in/passkey")["userVerification"] == "required"


def test_its_owner_is_told_of_a_new_passkey(ana: Visitor, device: SoftDevice) -> None:
    add(ana, device)
    assert letters(ana.services, EMAIL)[-1].subject == "A passkey was added to your account"


# What opens nothing


def test_a_challenge_is_good_once(app: Flask, ana: Visitor, device: SoftDevice) -> None:
    add(ana, device)
    other = Visitor(app)
    asked = options(other, "/sign-in/passkey")
    challenge = other.client.get_cookie(CHALLENGE)
    assert challenge
    credential = device.use(asked)
    assert other.post("/sign-in/passkey", {"credential": credential}).status_code == 303
    for again in (credential, device.use(asked)):
        other.client.set_cookie(CHALLENGE, challenge.value)
        assert other.post("/sign-in/passkey", {"credential": again}).status_code == 401


def test_a_challenge_is_used_up_by_an_answer_that_fails(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    add(ana, device)
    other = Visitor(app)
    asked = options(other, "/sign-in/passkey")
    assert other.post("/sign-in/passkey", {"credential": "{}"}).status_code == 401
    assert other.post("/sign-in/passkey", {"credential": device.use(asked)}).status_code == 401


def test_a_challenge_lasts_five_minutes(app: Flask, ana: Visitor, device: SoftDevice) -> None:
    add(ana, device)
    other = Visitor(app)
    for late, due in ((300, 303), (301, 401)):
        with time_machine.travel(NOON, tick=False) as clock:
            asked = options(other, "/sign-in/passkey")
            challenge = other.client.get_cookie(CHALLENGE)
            clock.shift(late)
            other.client.set_cookie(CHALLENGE, challenge.value if challenge else "")
            sent = {"credential": device.use(asked)}
            assert other.post("/sign-in/passkey", sent).status_code == due


def test_a_challenge_is_for_the_browser_that_asked(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    """Nobody can have somebody else's browser sign in with an answer of their own."""
    add(ana, device)
    attacker, victim = Visitor(app), Visitor(app)
    credential = device.use(options(attacker, "/sign-in/passkey"))
    assert victim.post("/sign-in/passkey", {"credential": credential}).status_code == 401
    options(victim, "/sign-in/passkey")
    assert victim.post("/sign-in/passkey", {"credential": credential}).status_code == 401


def test_a_challenge_for_signing_in_adds_no_passkey(ana: Visitor, device: SoftDevice) -> None:
    asked = options(ana, "/account/passkeys")
    asked["challenge"] = options(ana, "/sign-in/passkey")["challenge"]
    sent = {"credential": device.make(asked)}
    assert ana.post("/account/passkeys", sent).status_code == 401
    assert kept(ana) == []


@pytest.mark.parametrize(
    "change",
    [
        {"origin": "https://evil.example"},
        {"origin": "http://localhost:9000"},
        {"party": "evil.example"},
        {"flags": PRESENT},  # nobody proved to be the owner of the device
        {"flags": 0},
    ],
)
def test_a_passkey_made_or_used_elsewhere_or_by_somebody_else_is_refused(
    app: Flask, ana: Visitor, device: SoftDevice, change: dict[str, Any]
) -> None:
    wrong = SoftDevice(**{"party": device.party, "origin": device.origin, **change})
    assert add(ana, wrong) == 401
    assert kept(ana) == []
    add(ana, device)
    for name, value in change.items():
        setattr(device, name, value)
    assert enter(Visitor(app), device) == 401


def test_another_key_under_the_same_number_is_refused(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    add(ana, device)
    forged = SoftDevice(device.party, device.origin, count=9, handle=device.handle)
    assert enter(Visitor(app), forged) == 401
    bo = Visitor(app).sign_in("bo@example.org")
    assert add(bo, SoftDevice(device.party, device.origin)) == 401  # the number is Ana's
    assert len(kept(ana)) == 1


def test_a_passkey_of_one_account_opens_no_other(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    add(ana, device)
    device.handle = passkeys.bytes_to_base64url(handle_of(999))
    assert enter(Visitor(app), device) == 401
    device.handle = b""
    assert enter(Visitor(app), device) == 401


def test_a_copy_that_counts_behind_is_refused_and_noted(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    add(ana, device)
    assert [enter(Visitor(app), device) for _ in range(3)] == [303] * 3
    device.count = 1
    assert enter(Visitor(app), device) == 401
    assert "a passkey was refused: it may have been copied" in ana.get("/account").text
    device.count = 3
    assert enter(Visitor(app), device) == 303


@pytest.mark.parametrize(
    ("before", "now", "copied"), [(0, 0, False), (0, 1, False), (5, 6, False), (5, 5, True), (5, 0, True)]
)  # fmt: skip
def test_devices_that_do_not_count_are_believed(before: int, now: int, copied: bool) -> None:
    assert is_copied(before, now) is copied


HOSTILE = [
    None,
    "",
    "null",
    "[]",
    "{",
    "[" * 20_000,
    '{"id": "x"}',
    '{"id":"x","rawId":"x","type":"public-key","response":{}}',
    '{"id":"eA","rawId":"eA","type":"public-key","response":{"clientDataJSON":"eA","attestationObject":"eA",'
    '"authenticatorData":"eA","signature":"eA","userHandle":"eA"}}',
    '{"id":7,"rawId":[],"type":{},"response":"x"}',
    "x" * 100_000,
    '{"id":"\\u0000","rawId":"eA","type":"public-key","response":{"clientDataJSON":"eA","authenticatorData":"eA",'
    '"signature":"eA"}}',
    "\x00",
]


@pytest.mark.parametrize("credential", HOSTILE, ids=lambda value: str(value)[:12])
def test_a_hostile_answer_is_refused_alike(
    app: Flask, ana: Visitor, credential: str | None
) -> None:
    sent = {"credential": credential} if credential is not None else {}
    other = Visitor(app)
    options(other, "/sign-in/passkey")
    response = other.post("/sign-in/passkey", sent)
    assert response.status_code == 401
    assert "This passkey was not accepted." in response.text
    options(ana, "/account/passkeys")
    assert ana.post("/account/passkeys", sent).status_code == 401
    assert kept(ana) == []


# Whose they are


def test_passkeys_are_added_and_removed_by_those_freshly_signed_in(
    ana: Visitor, device: SoftDevice
) -> None:
    with time_machine.travel(ana.services.now(), tick=False) as clock:
        add(ana, device)
        clock.shift(timedelta(minutes=16))
        for path in ("options", "", "1/end"):
            response = ana.post(f"/account/passkeys/{path}".rstrip("/"))
            assert response.status_code == 403
            assert "sign in again" in response.text
        assert len(kept(ana)) == 1


def test_a_removed_passkey_opens_nothing_and_nobody_removes_anothers(
    app: Flask, ana: Visitor, device: SoftDevice
) -> None:
    add(ana, device)
    Visitor(app).sign_in("bo@example.org").post("/account/passkeys/1/end")
    assert len(kept(ana)) == 1
    ana.post("/account/passkeys/1/end")
    assert kept(ana) == []
    assert enter(Visitor(app), device) == 401


def test_there_is_an_end_to_passkeys_and_guests_have_none(app: Flask, ana: Visitor) -> None:
    for number in range(MOST_PASSKEYS):
        one = SoftDevice("localhost", "http://localhost:8000", id=b"%d" % number)
        assert add(ana, one) == 303
    assert ana.post("/account/passkeys/options").status_code == 403
    guest = Visitor(app)
    guest.post("/guest")
    assert guest.post("/account/passkeys/options").status_code == 403


def test_passkeys_go_with_the_account(app: Flask, ana: Visitor, device: SoftDevice) -> None:
    add(ana, device)
    ana.post("/account/delete")
    assert kept(ana) == []
    assert enter(Visitor(app), device) == 401


def test_the_tables_hold_no_challenge_that_can_be_answered(ana: Visitor) -> None:
    challenge = options(ana, "/sign-in/passkey")["challenge"]
    with ana.services.database.look() as session:
        assert challenge not in str(list(session.exec(select(tables.Challenge))))


# Where there are none


@pytest.mark.parametrize(
    ("base", "party"),
    [
        ("https://chasqui.example", ("chasqui.example", "https://chasqui.example")),
        ("https://Chasqui.Example:8443", ("chasqui.example", "https://chasqui.example:8443")),
        ("http://localhost:8000", ("localhost", "http://localhost:8000")),
        ("http://chasqui.example", None),
        ("https://192.0.2.1", None),
        ("https://[2001:db8::1]", None),
        ("http://127.0.0.1:8000", None),
    ],
)
def test_passkeys_need_a_name_and_https(base: str, party: tuple[str, str] | None) -> None:
    found = relying_party(Settings(base_url=base))
    assert ((found.id, found.origin) if found else None) == party


def test_where_there_are_none_nobody_is_asked_for_one(settings: Settings) -> None:
    app = create_app(settings, Database(settings.database_url), RATELIMIT_ENABLED=False)
    visitor = Visitor(app)
    assert "passkey" not in visitor.get("/sign-in").text
    assert visitor.post("/sign-in/passkey/options").status_code == 403
    services_of(app).database.close()
